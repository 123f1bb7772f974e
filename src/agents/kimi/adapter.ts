import { firstLine } from '../../base/util/text';
import type { AgentAdapter } from '../adapter';
import { kimiDescriptor } from './descriptor';
import { CODE_FILE, codePlace, codeWorkplace, sessionOfWire, wireWorkplace } from './places';

const METADATA = /^\s*\{"type":\s?"metadata",\s?"protocol_version":\s?"(\d{1,3})\.(\d{1,3})"/;
const WIRE = /^\s*\{"timestamp":\s?\d{1,12}(?:\.\d{1,9})?,\s?"message":\s?\{"type":\s?"[A-Z]\w{1,40}",\s?"payload":/;
/** From this version on, the records are those of Kimi Code. */
const FIRST_OF_CODE = 4;

/** Kimi CLI: its wire protocol, one record for each message between the agent and its user interface (read in version 1.3). */
export const kimi: AgentAdapter = {
  id: kimiDescriptor.id,
  name: kimiDescriptor.name,
  unit: 'line',
  locate: ({ home, env }) => [
    {
      path: `${env['KIMI_SHARE_DIR'] || `${home}/.kimi`}/sessions`,
      depth: 2,
      matches: (path) => /^[^/]+\/[^/]+\/wire\.jsonl$/.test(path),
    },
  ],
  recognises: (head) => (formOf(head) === 'wire' ? 'yes' : 'no'),
  peek(_head, file, readSmall) {
    const cwd = wireWorkplace(file, readSmall);
    return { session: sessionOfWire(file), ...(cwd !== undefined && { cwd }) };
  },
  decoder: 'kimi',
  callMarkers: ['"type": "ToolCall",', '"type":"ToolCall",'],
  showsRunningTool: true,
  turnEnds: 'yes',
};

/** Kimi Code: a log for each agent of a session (read in version 1.4). */
export const kimiCode: AgentAdapter = {
  id: kimiDescriptor.id,
  name: kimiDescriptor.name,
  unit: 'line',
  locate: ({ home, env }) => [
    {
      path: `${env['KIMI_CODE_HOME'] || `${home}/.kimi-code`}/sessions`,
      depth: 4,
      matches: (path) => CODE_FILE.test(path),
    },
  ],
  recognises: (head) => (formOf(head) === 'code' ? 'yes' : 'no'),
  peek(head, file) {
    const { session, parent } = codePlace(file);
    const cwd = codeWorkplace(head);
    return { session, ...(parent !== undefined && { parent }), ...(cwd !== undefined && { cwd }) };
  },
  decoder: 'kimiCode',
  callMarkers: ['"event":{"type":"tool.call"'],
  showsRunningTool: true,
  turnEnds: 'yes',
};

function formOf(head: string): 'wire' | 'code' | undefined {
  const first = firstLine(head);
  const version = METADATA.exec(first);
  if (!version) return WIRE.test(first) ? 'wire' : undefined;
  return Number(version[1]) > 1 || Number(version[2]) >= FIRST_OF_CODE ? 'code' : 'wire';
}
