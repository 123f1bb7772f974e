import { firstLine } from '../../base/util/text';
import type { AgentAdapter } from '../adapter';
import { antigravityDescriptor } from './descriptor';
import { folderIn, sessionOfPath } from './folder';

const RECORD = /^\s*\{"step_index":\d{1,9},"source":"[A-Z_]{1,40}","type":"[A-Z_]{1,60}"/;

/** Antigravity: the editor and the command line keep a folder for each conversation, which holds its transcript. */
export const antigravity: AgentAdapter = {
  id: antigravityDescriptor.id,
  name: antigravityDescriptor.name,
  unit: 'line',
  // transcript_full.jsonl next to it holds the same records with long fields uncut: one of the two is enough.
  locate: ({ home }) =>
    ['antigravity', 'antigravity-cli'].map((program) => ({
      path: `${home}/.gemini/${program}/brain`,
      depth: 3,
      matches: (path) => /^[^/]+\/\.system_generated\/logs\/transcript\.jsonl$/.test(path),
    })),
  recognises: (head) => (RECORD.test(firstLine(head)) ? 'yes' : 'no'),
  peek(head, file) {
    const cwd = folderIn(head);
    return { session: sessionOfPath(file), ...(cwd !== undefined && { cwd }) };
  },
  decoder: 'antigravity',
  callMarkers: ['"args":{'],
  showsRunningTool: true,
  turnEnds: 'yes',
};
