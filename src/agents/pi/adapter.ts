import { join } from 'node:path';
import type { AgentAdapter } from '../adapter';
import { asText, parseRecord, sessionOfFile } from '../shared/decode';
import { piDescriptor } from './descriptor';
import { piFolder } from './folder';
import { firstLine } from '../../base/util/text';

/** pi: sessions below `~/.pi/agent/sessions`, a folder for each project. */
export const pi: AgentAdapter = {
  id: piDescriptor.id,
  name: piDescriptor.name,
  unit: 'line',
  locate: ({ home, env }) => [
    {
      path: join(piFolder(home, env), 'sessions'),
      depth: 1,
      matches: (path) => /^(?:[^/]+\/)?[^/]+\.jsonl$/.test(path),
    },
  ],
  recognises(head) {
    const first = firstLine(head);
    if (!/^\s*\{"type":\s?"session",/.test(first)) return 'no';
    return /"(?:version|cwd)":/.test(first) && /"timestamp":/.test(first) ? 'yes' : 'maybe';
  },
  peek(head, file) {
    const record = parseRecord(firstLine(head));
    const cwd = asText(record?.['cwd']);
    return { session: asText(record?.['id']) ?? sessionOfFile(file), ...(cwd !== undefined && { cwd }) };
  },
  decoder: 'pi',
  callMarkers: ['"type":"toolCall"', '"type": "toolCall"'],
  showsRunningTool: true,
  turnEnds: 'yes',
};
