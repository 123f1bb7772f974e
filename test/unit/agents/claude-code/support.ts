import { createDecoder } from '../../../../src/agents/decoders';
import { claudeCode } from '../../../../src/agents/claude-code/adapter';
import type { AgentEvent, Problem } from '../../../../src/core/model';

export const SESSION = '11111111-0000-4000-8000-0000000000aa';
export const MESSAGE = '01JD8QZ3V5N2M4K6H8T0A2C4E6';

type Row = Readonly<Record<string, unknown>>;
let counter = 0;

export function uuid(): string {
  return `aaaaaaaa-0000-4000-8000-${String(++counter).padStart(12, '0')}`;
}

function time(second: number): string {
  return new Date(Date.UTC(2026, 10, 20, 12, 0, second)).toISOString();
}

/** The envelope of a conversation line; its time is the line's number in seconds. */
export function envelope(more: Row = {}): Row {
  return {
    parentUuid: null,
    isSidechain: false,
    uuid: uuid(),
    sessionId: SESSION,
    version: '2.1.329',
    cwd: '/home/dev/project',
    gitBranch: 'main',
    entrypoint: 'cli',
    userType: 'external',
    ...more,
  };
}

export function prompt(text: string | readonly Row[], more: Row = {}): Row {
  return envelope({ type: 'user', message: { role: 'user', content: text }, ...more });
}

export function answer(blocks: readonly Row[], more: Row = {}, message: Row = {}): Row {
  const id = `msg_${++counter}`;
  return envelope({
    type: 'assistant',
    message: {
      id,
      type: 'message',
      role: 'assistant',
      model: 'claude-opus-4-5',
      content: blocks,
      stop_reason: 'tool_use',
      ...message,
    },
    ...more,
  });
}

export function say(text: string, message: Row = {}): Row {
  return answer([{ type: 'text', text }], {}, { stop_reason: 'end_turn', ...message });
}

export function call(id: string, name: string, input: unknown, more: Row = {}, message: Row = {}): Row {
  return answer([{ type: 'tool_use', id, name, input }], more, message);
}

export function result(id: string, content: unknown, block: Row = {}, more: Row = {}): Row {
  return envelope({
    type: 'user',
    message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content, ...block }] },
    ...more,
  });
}

export function system(subtype: string, more: Row = {}): Row {
  return envelope({ type: 'system', subtype, ...more });
}

export function attachment(type: string, more: Row = {}): Row {
  return envelope({ attachment: { type, ...more }, type: 'attachment' });
}

export function request(query = 'repl_main_thread', second?: number): Row {
  return {
    type: 'api-request',
    sessionId: SESSION,
    id: uuid(),
    timestamp: second === undefined ? undefined : time(second),
    querySource: query,
  };
}

export const goodBye: Row = { type: 'cost-state', sessionId: SESSION, totalCostUSD: 0.1 };

export interface Decoded {
  readonly events: readonly AgentEvent[];
  readonly problems: readonly Problem[];
  of<T extends AgentEvent['type']>(type: T): readonly Extract<AgentEvent, { type: T }>[];
  /** Types of all events except `session_info` and `usage`, in order. */
  readonly story: readonly string[];
}

/** Decodes rows or raw lines as lines 1, 2, 3 … of one file; rows without a time get one second per line. */
export function decode(
  rows: readonly (Row | string)[],
  file = `/home/dev/.claude/projects/-home-dev-project/${SESSION}.jsonl`,
  readSmall: (path: string) => string | undefined = () => undefined,
): Decoded {
  const events: AgentEvent[] = [];
  const problems: Problem[] = [];
  const decoder = createDecoder(claudeCode, { file, readSmall });
  if (decoder.unit !== 'line') throw new Error('a line decoder is expected');
  let offset = 0;
  for (const [index, row] of rows.entries()) {
    const text =
      typeof row === 'string'
        ? row
        : JSON.stringify({ ...row, ...(row['timestamp'] === undefined && { timestamp: time(index + 1) }) });
    decoder.decode(
      { text, line: index + 1, offset },
      { event: (event) => void events.push(event), problem: (problem) => void problems.push(problem) },
    );
    offset += Buffer.byteLength(text) + 1;
  }
  return {
    events,
    problems,
    of: (type) => events.filter((event): event is Extract<AgentEvent, { type: typeof type }> => event.type === type),
    story: events.map((event) => event.type).filter((type) => type !== 'session_info' && type !== 'usage'),
  };
}
