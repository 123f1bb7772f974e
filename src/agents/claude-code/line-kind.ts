import { copied, Recent, timeOf } from '../shared/decode';

/**
 * Kind of a line, determined by its first characters, so that three quarters of the bytes need not be parsed: requests are logged in full, and
 * bookkeeping lines are written again and again (they make up most of a small session).
 */
export type LineKind = 'skip' | 'request' | 'parse';

const HEAD = 700;
const CALL_ID = /"type":"tool_use","id":"([^"\\]{1,100})"/;
/** Number of calls whose ids are remembered. */
const COUNTED = 5000;

/** Bookkeeping lines, known to say nothing about what the agent does. Source: lines of versions 1.0 to 2.1.332. */
const BOOKKEEPING = new Set([
  'agent-color',
  'agent-name',
  'agent-setting',
  'api-request-blob',
  'api-request-resumed',
  'api-request-shape',
  'artifact-autoreact-ledger',
  'artifact-comment-monitor',
  'atis-latch',
  'attribution-snapshot',
  'bridge-session',
  'content-replacement',
  'data-flow-incomplete',
  'data-flow-records',
  'derived-from',
  'dev-mods',
  'file-history-delta',
  'file-history-snapshot',
  'fork-context-ref',
  'frame-link',
  'history-suppression',
  'host-row',
  'isolation-latch',
  'last-prompt',
  'marble-origami-commit',
  'marble-origami-snapshot',
  'memory-mode',
  'mode',
  'observer-ref',
  'pr-link',
  'progress',
  'repl-mode',
  'result',
  'resume-head-vouch',
  'session-owner',
  'speculation-accept',
  'started',
  'summary',
  'tag',
  'task-summary',
  'tools-used',
]);

/** Attachments that carry something for us; all others are context that the CLI adds on its own. */
const ATTACHMENTS = new Set([
  'hook_additional_context',
  'hook_blocking_error',
  'hook_stopped_continuation',
  'queued_command',
  'task_reminder',
  'todo_reminder',
]);

export function isBookkeeping(type: string): boolean {
  return BOOKKEEPING.has(type);
}

export function isTellingAttachment(type: string): boolean {
  return ATTACHMENTS.has(type);
}

function headOfLine(text: string): string {
  return text.length > HEAD ? text.slice(0, HEAD) : text;
}

/**
 * Returns whether this field is in the text. Called for every line, so a piece of it is searched first: at most 6 characters that begin with a rare
 * one. V8 finds such a short piece by its first character alone, several times as fast as a longer one.
 */
function holds(text: string, field: string, piece: string): boolean {
  return text.includes(piece) && text.includes(field);
}

/** Decides by the head of the line. A line of an unexpected form is parsed: nothing is lost if the order of the fields changes. */
export function lineKind(text: string): LineKind {
  if (text.startsWith('{"type":"')) {
    const end = text.indexOf('"', 9);
    const type = end > 0 && end < 60 ? text.slice(9, end) : '';
    if (type === 'api-request') return 'request';
    return isBookkeeping(type) ? 'skip' : 'parse';
  }
  // The envelope comes before `"attachment":`, so a match this early is the record's own field and not text inside it.
  const head = headOfLine(text);
  if (!holds(head, '"attachment":{', 'hment"')) return 'parse';
  const attachment = /^\{(?:"[A-Za-z]+":(?:"[^"\\]*"|null|true|false|\d+),){0,8}"attachment":\{"type":"([a-z_]+)"/.exec(
    head,
  )?.[1];
  return attachment !== undefined && !isTellingAttachment(attachment) ? 'skip' : 'parse';
}

/** The head of an `api-request` line: a request to the model has begun. */
export interface RequestHead {
  readonly session: string | undefined;
  readonly at: number | undefined;
  /** `repl_main_thread`, `sdk`, `agent:…` for the conversation itself; others are the CLI's own questions (titles, summaries). */
  readonly query: string;
}

const FIELD = /"(sessionId|timestamp|querySource)":"([^"\\]{0,200})"/g;

export function readRequestHead(text: string): RequestHead {
  const head = headOfLine(text);
  const fields = new Map<string, string>();
  for (const match of head.matchAll(FIELD)) {
    if (match[1] !== undefined && match[2] !== undefined && !fields.has(match[1])) fields.set(match[1], match[2]);
  }
  return {
    session: fields.get('sessionId'),
    at: timeOf(fields.get('timestamp')),
    query: fields.get('querySource') ?? '',
  };
}

/** Returns whether the request belongs to the conversation, not to a helper of the CLI. */
export function isConversation(query: string): boolean {
  return query === '' || query === 'sdk' || query.startsWith('repl_main_thread') || query.startsWith('agent:');
}

/**
 * Counts the calls that are steps of this transcript: calls in requests, in the progress of sub-agents and in lines copied by a fork are not. What
 * remains is one marker for each `tool_use` block of an assistant line.
 */
export function createOwnCalls(): (text: string, found: number) => number {
  const counted = new Recent<string, true>(COUNTED);
  return (text, found) => {
    const own = ownCalls(text, found);
    if (own === 0) return 0;
    // A rewound conversation repeats its lines under new ids; the ids of calls stay the same.
    const id = CALL_ID.exec(text)?.[1];
    if (id === undefined) return own;
    if (counted.has(id)) return 0;
    // A slice of the line would keep the whole line in memory.
    counted.set(copied(id), true);
    return own;
  };
}

function ownCalls(text: string, found: number): number {
  if (found === 0) return 0;
  if (text.startsWith('{"type":"api-request')) return 0;
  if (holds(headOfLine(text), '"type":"progress"', 'gress"')) return 0;
  return holds(text, '"requestSessionId":"', 'Sessio') ? 0 : found;
}
