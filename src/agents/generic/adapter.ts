import { asText, type JsonRecord, parseRecord, sessionOfFile } from '../shared/decode';
import type { AgentAdapter } from '../adapter';
import type { Peek } from '../transcripts';
import { firstLines } from '../../base/util/text';
import { isGenericType, VERSION } from './fields';
import { genericDescriptor } from './descriptor';

const LINES = 20;

/** The generic transcript, for any agent without an adapter of its own: `*.agent.jsonl` in the workspace, and what the user includes. */
export const generic: AgentAdapter = {
  id: genericDescriptor.id,
  name: genericDescriptor.name,
  unit: 'line',
  // It has no fixed place: the workspace is searched for it.
  locate: () => [],
  workspaceFiles: ['.agent.jsonl'],
  recognises(head, file) {
    // The name promises the format: even a file whose first line is broken belongs here, and its problems are reported.
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
  // One event per line, whatever its arguments contain.
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
