import { firstLine } from '../../base/util/text';
import type { AgentAdapter } from '../adapter';
import { grokBuildDescriptor } from './descriptor';
import { grokPlace } from './places';

/** Grok Build: a log of updates for each session, in a folder named after its working directory. */
export const grokBuild: AgentAdapter = {
  id: grokBuildDescriptor.id,
  name: grokBuildDescriptor.name,
  unit: 'line',
  locate: ({ env, home }) => [
    {
      path: `${env['GROK_HOME'] || `${home}/.grok`}/sessions`,
      // `<folder>/<session>/updates.jsonl`
      depth: 2,
      matches: (path) => /^[^/]+\/[^/]+\/updates\.jsonl$/.test(path),
      enters: (folder) => /^[^/]+(?:\/[^/]+)?$/.test(folder),
    },
  ],
  recognises: (head) =>
    /^\{"timestamp":\d{1,16},"method":"(?:_x\.ai\/)?session\/update","params":\{/.test(firstLine(head)) ? 'yes' : 'no',
  peek: (_head, file) => grokPlace(file),
  decoder: 'grokBuild',
  callMarkers: ['"sessionUpdate":"tool_call",'],
  showsRunningTool: true,
  turnEnds: 'yes',
};
