import type { LocateEnvironment, Peek, TranscriptRoot } from '../transcripts';
import { asText, at, baseName, folderOf, parseRecord, sessionOfFile } from '../shared/decode';
import { firstLine } from '../../base/util/text';

/** `session-state/<session id>/events.jsonl`; before 1.0 `session-state/<session id>.jsonl`. */
const EVENTS = /^[^/]+\/events\.jsonl$|^[^/]+\.jsonl$/;
const TYPE =
  /"type":\s?"(?:session\.(?:start|resume|info|model_change|shutdown)|assistant\.(?:turn_start|turn_end|message)|tool\.execution_(?:start|complete)|user\.message|hook\.start)"/;

export function stateFolder(environment: LocateEnvironment): string {
  return `${environment.env['COPILOT_HOME'] || `${environment.home}/.copilot`}/session-state`;
}

export function locate(environment: LocateEnvironment): readonly TranscriptRoot[] {
  return [{ path: stateFolder(environment), depth: 1, matches: (path) => EVENTS.test(path) }];
}

export function recognises(head: string): 'yes' | 'maybe' | 'no' {
  const first = firstLine(head);
  if (/"producer":\s?"copilot-agent"/.test(first)) return 'yes';
  return TYPE.test(first) && /"data":\s?\{/.test(first) ? 'yes' : 'no';
}

export function peek(head: string, file: string): Peek {
  const record = parseRecord(firstLine(head));
  const cwd = asText(at(record, 'data', 'context', 'cwd'));
  const session = asText(at(record, 'data', 'sessionId')) ?? sessionOfPath(file);
  return { session, ...(cwd !== undefined && { cwd }) };
}

/** Returns the session, after which the folder is named. */
export function sessionOfPath(file: string): string {
  return baseName(file) === 'events.jsonl' ? baseName(folderOf(file)) || 'events' : sessionOfFile(file);
}
