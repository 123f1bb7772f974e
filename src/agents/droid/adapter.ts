import { firstLine } from '../../base/util/text';
import type { AgentAdapter } from '../adapter';
import { asText, parseRecord, sessionOfFile } from '../shared/decode';
import { droidDescriptor } from './descriptor';

/** Droid (experimental): a log for each session, in a folder named after its working directory. */
export const droid: AgentAdapter = {
  id: droidDescriptor.id,
  name: droidDescriptor.name,
  unit: 'line',
  locate: ({ home }) => [
    { path: `${home}/.factory/sessions`, depth: 1, matches: (path) => /^(?:[^/]+\/)?[^/]+\.jsonl$/.test(path) },
  ],
  recognises: (head) => (/^\s*\{"type":\s?"session_start",/.test(firstLine(head)) ? 'yes' : 'no'),
  peek(head, file) {
    const first = parseRecord(firstLine(head));
    const cwd = asText(first?.['cwd']);
    const parent = asText(first?.['callingSessionId']);
    return {
      session: asText(first?.['id']) ?? sessionOfFile(file),
      ...(cwd !== undefined && { cwd }),
      ...(parent !== undefined && { parent }),
    };
  },
  decoder: 'droid',
  callMarkers: ['"type":"tool_use"', '"type": "tool_use"'],
  showsRunningTool: true,
  turnEnds: 'yes',
};
