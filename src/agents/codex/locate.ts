import type { LocateEnvironment, Peek, TranscriptRoot } from '../transcripts';
import { asRecord, asText, at, baseName, type JsonRecord, parseRecord, sessionOfFile } from '../shared/decode';

const ROLLOUT = /(?:^|\/)rollout-[^/]+\.jsonl$/;
const UUID = /([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\.jsonl$/i;
/** With the flag `m`, `\s*` after `^` would run across line ends: quadratic in a file of blank lines. */
const WRAPPED =
  /^[ \t]*\{"timestamp":"[^"]{0,60}",(?:"ordinal":\d+,)?"type":"(?:session_meta|response_item|event_msg|turn_context|compacted|world_state|token_usage_record)","payload":/m;

export function codexHome({ home, env }: Pick<LocateEnvironment, 'home' | 'env'>): string {
  return env['CODEX_HOME'] || `${home}/.codex`;
}

/** `sessions/YYYY/MM/DD/rollout-<local time>-<thread id>.jsonl`. */
export function locate(environment: LocateEnvironment): readonly TranscriptRoot[] {
  return [{ path: `${codexHome(environment)}/sessions`, depth: 3, matches: (path) => ROLLOUT.test(path) }];
}

export function recognises(head: string, file: string): 'yes' | 'maybe' | 'no' {
  if (WRAPPED.test(head)) return 'yes';
  const first = head.slice(0, 4000);
  // The first version wrote its records without an envelope; exporters wrote others.
  const bare = /^[ \t]*\{[^\n]{0,400}"type":\s?"(?:function_call|function_call_output|function_result)"/m.test(first);
  if (ROLLOUT.test(baseName(file)) && first.trimStart().startsWith('{')) return 'maybe';
  return bare ? 'maybe' : 'no';
}

export function peek(head: string, file: string): Peek {
  const meta = metaOf(head);
  const session = (meta && asText(meta['id'])) ?? threadOfFile(file);
  const cwd = meta && asText(meta['cwd']);
  const parent = meta && parentOf(meta);
  return { session, ...(cwd !== undefined && { cwd }), ...(parent !== undefined && { parent }) };
}

/** Returns the thread that the file is named after; a copy under another name counts by its own name until its first line says more. */
export function threadOfFile(file: string): string {
  return UUID.exec(baseName(file))?.[1] ?? sessionOfFile(file);
}

/** Returns the thread that started this one as its sub-agent. */
export function parentOf(meta: JsonRecord): string | undefined {
  return asText(meta['parent_thread_id']) ?? asText(at(meta, 'source', 'subagent', 'thread_spawn', 'parent_thread_id'));
}

/** Returns whether another agent gave this one its task. */
export function isSubAgent(meta: JsonRecord): boolean {
  return at(meta, 'source', 'subagent', 'thread_spawn') !== undefined;
}

/**
 * Returns whether Codex itself asks in this session, as it does in a review, and as the guardian that judges each action that needs permission. A
 * sub-agent that another agent started has tasks.
 */
export function isAskedByCodex(meta: JsonRecord): boolean {
  return at(meta, 'source', 'subagent') !== undefined && !isSubAgent(meta);
}

/** Returns the first line's record: about 21 KB, most of it the system prompt. */
function metaOf(head: string): JsonRecord | undefined {
  const line = head.slice(0, lineEnd(head));
  const record = parseRecord(line);
  if (record) return record['type'] === 'session_meta' ? asRecord(record['payload']) : undefined;
  if (!line.includes('"type":"session_meta"')) return undefined;
  // The first line is longer than the head: what is needed is at its beginning.
  const text = (name: string) =>
    parseRecord(`{${new RegExp(`"${name}":"(?:[^"\\\\]|\\\\.){0,4000}"`).exec(line)?.[0] ?? ''}}`)?.[name];
  return { id: text('id'), cwd: text('cwd'), parent_thread_id: text('parent_thread_id') };
}

function lineEnd(head: string): number {
  const end = head.indexOf('\n');
  return end < 0 ? head.length : end;
}
