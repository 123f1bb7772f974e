import { createDecoder } from '../../../src/agents/decoders';
import type { AgentAdapter } from '../../../src/agents/adapter';
import type { AgentEvent, Problem } from '../../../src/core/model';
import { fc } from './shared/property';

const JUNK: readonly unknown[] = [
  null,
  0,
  -1,
  1e300,
  '',
  'x',
  '[unstuck ',
  [],
  [null],
  {},
  { type: 1 },
  { text: [] },
  true,
  [[{}]],
  '\u0000',
  '{"',
];

/** One way to damage a transcript. The numbers say where and with what. */
export interface Damage {
  readonly kind: 'cut' | 'swap' | 'drop' | 'double' | 'value' | 'key' | 'noise';
  readonly line: number;
  readonly at: number;
  readonly junk: number;
}

export const damages: fc.Arbitrary<readonly Damage[]> = fc.array(
  fc.record({
    kind: fc.constantFrom<Damage['kind']>('cut', 'swap', 'drop', 'double', 'value', 'value', 'value', 'key', 'noise'),
    line: fc.nat(10_000),
    at: fc.nat(10_000),
    junk: fc.nat(JUNK.length - 1),
  }),
  { minLength: 1, maxLength: 40 },
);

export function damaged(lines: readonly string[], list: readonly Damage[]): readonly string[] {
  const result = [...lines];
  for (const { kind, line, at, junk } of list) {
    if (result.length === 0) break;
    const index = line % result.length;
    const text = result[index] ?? '';
    if (kind === 'cut') result[index] = text.slice(0, at % (text.length + 1));
    else if (kind === 'drop') result.splice(index, 1);
    else if (kind === 'double') result.splice(at % result.length, 0, text);
    else if (kind === 'noise')
      result[index] = `${text.slice(0, at % (text.length + 1))}\uFFFD\u0000}${text.slice(at % (text.length + 1))}`;
    else if (kind === 'swap') {
      const other = at % result.length;
      result[index] = result[other] ?? '';
      result[other] = text;
    } else result[index] = damagedRecord(text, kind, at, JUNK[junk]);
  }
  return result;
}

/** Replaces, or renames, one value somewhere inside a JSON text. */
export function damagedRecord(text: string, kind: 'value' | 'key', at: number, junk: unknown): string {
  let record: unknown;
  try {
    record = JSON.parse(text);
  } catch {
    return text;
  }
  const places: { holder: Record<string, unknown>; key: string }[] = [];
  const walk = (value: unknown, depth: number): void => {
    if (typeof value !== 'object' || value === null || depth > 12 || places.length > 400) return;
    for (const key of Object.keys(value)) {
      places.push({ holder: value as Record<string, unknown>, key });
      walk((value as Record<string, unknown>)[key], depth + 1);
    }
  };
  walk(record, 0);
  const place = places[at % Math.max(1, places.length)];
  if (place) {
    if (kind === 'value') place.holder[place.key] = junk;
    else delete place.holder[place.key];
  }
  return JSON.stringify(record);
}

/** Decodes lines and checks what applies to any input: no exception, complete events, each call answered at most once, after it. */
export function decodeAny(
  adapter: AgentAdapter,
  lines: readonly string[],
): { events: AgentEvent[]; problems: Problem[] } {
  const check = createEventCheck();
  const events: AgentEvent[] = [];
  const problems: Problem[] = [];
  const sink = {
    event: (event: AgentEvent) => void events.push(event),
    problem: (problem: Problem) => void problems.push(problem),
  };
  const decoder = createDecoder(adapter, { file: '/x/session.jsonl', readSmall: () => undefined });
  if (decoder.unit === 'line') {
    let offset = 0;
    for (const [index, text] of lines.entries()) {
      decoder.decode({ text, line: index + 1, offset }, sink);
      offset += text.length + 1;
    }
    decoder.settle?.(sink);
  } else if (decoder.unit === 'document') decoder.decode(lines.join('\n'), sink);
  events.forEach((event) => check(event));
  return { events, problems };
}

/** Checks events one after the other: each is complete and, if the decoder `pairs` them, each result answers an open call. */
export function createEventCheck(pairs = true): (event: AgentEvent) => void {
  const open = new Set<string>();
  return (event) => {
    if (typeof event.session !== 'string' || event.session === '') throw new Error('an event without a session');
    if (!Number.isFinite(event.at)) throw new Error('an event without a time');
    if (event.type === 'tool_call') {
      if (typeof event.id !== 'string' || typeof event.name !== 'string') throw new Error('a call without id or name');
      if (event.subject.length > 200) throw new Error('a subject that is too long');
      open.add(`${event.session} ${event.id}`);
    }
    if (event.type === 'tool_result') {
      if (typeof event.output !== 'string') throw new Error('a result without a text');
      // A late result of a call that was skipped.
      if (event.outcome === 'late') return;
      if (!open.delete(`${event.session} ${event.id}`) && pairs)
        throw new Error(`result ${event.id} without an open call`);
    }
  };
}
