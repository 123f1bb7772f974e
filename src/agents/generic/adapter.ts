import { asText, type JsonRecord, parseRecord, sessionOfFile } from '../shared/decode';
import type { AgentAdapter } from '../adapter';
import type { Peek } from '../transcripts';
import { firstLines } from '../../base/util/text';
import { isGenericType, VERSION } from './fields';
import { genericDescriptor } from './descriptor';

const LINES = 20;

/** The generic transcript of any agent without an adapter of its own: `*.agent.jsonl` in the workspace, and what the user includes. */
export const generic: AgentAdapter = {
  id: genericDescriptor.id,
  name: genericDescriptor.name,
  unit: 'line',
  // It has no place of its own: the workspace is searched for it.
  locate: () => [],
  workspaceFiles: ['.agent.jsonl'],
  recognises(head, file) {
    // The name is a promise of the format: also a file whose first line is broken belongs here, and says what is wrong.
    if (/\.agent\.jsonl$/i.test(file)) return 'yes';
    let maybe = false;
    for (const row of firstRows(head)) {
      if (!isGenericType(row['type'])) continue;
      if (row['v'] === VERSION) return 'yes';
      maybe ||= row['t'] !== undefined;
    }
    return maybe ? 'maybe' : 'no';
  },
  peek(head, file) {
    const found: { -readonly [K in keyof Peek]: Peek[K] } = { session: sessionOfFile(file) };
    for (const row of firstRows(head)) {
      const session = asText(row['session']);
      if (session !== undefined) found.session = session;
      if (row['type'] !== 'session_start') continue;
      const cwd = asText(row['cwd']);
      const parent = asText(row['parent']);
      if (cwd !== undefined) found.cwd = cwd;
      if (parent !== undefined) found.parent = parent;
      break;
    }
    return found;
  },
  decoder: 'generic',
  callMarkers: ['"type":"tool_call"', '"type": "tool_call"'],
  // One event a line, whatever its arguments hold.
  ownCalls: (_text, found) => Math.min(found, 1),
  showsRunningTool: true,
  turnEnds: 'some',
};

function* firstRows(head: string): Generator<JsonRecord> {
  for (const line of firstLines(head, LINES)) {
    const row = parseRecord(line);
    if (row) yield row;
  }
}
