import { firstLine } from '../../base/util/text';
import type { AgentAdapter } from '../adapter';
import { mistralVibeDescriptor } from './descriptor';
import { descriptionOf, vibePlace, workplaceIn } from './places';

const PLACE = /[\\/]logs[\\/]session[\\/][^\\/]{1,255}[\\/](?:agents[\\/][^\\/]{1,255}[\\/])?messages\.jsonl$/;

/** Mistral Vibe (experimental): a folder for each session with its messages, and a description that is rewritten. */
export const mistralVibe: AgentAdapter = {
  id: mistralVibeDescriptor.id,
  name: mistralVibeDescriptor.name,
  unit: 'line',
  locate: ({ env, home }) => [
    {
      path: `${env['VIBE_HOME'] || `${home}/.vibe`}/logs/session`,
      // `<session>/messages.jsonl`, and `<session>/agents/<agent>/messages.jsonl`.
      depth: 3,
      matches: (path) => /^[^/]+\/(?:agents\/[^/]+\/)?messages\.jsonl$/.test(path),
      enters: (folder) => /^(?!unified(?:\/|$))[^/]+(?:\/agents(?:\/[^/]+)?)?$/.test(folder),
    },
  ],
  recognises(head, file) {
    const first = firstLine(head);
    if (!/^\{"role": "(?:user|assistant|tool)",/.test(first)) return 'no';
    // Inside a text the quotes would be escaped. Older versions wrote no `injected`.
    return /"injected": (?:true|false)/.test(first) || PLACE.test(file) ? 'yes' : 'no';
  },
  peek(_head, file, readSmall) {
    const cwd = workplaceIn(descriptionOf(file, readSmall));
    return { ...vibePlace(file), ...(cwd !== undefined && { cwd }) };
  },
  decoder: 'mistralVibe',
  callMarkers: ['"type": "function"'],
  writesTimes: false,
  showsRunningTool: true,
  turnEnds: 'yes',
};
