import { expect, it } from 'vitest';
import { genericRecords } from '../../../../src/engine/report/records';
import { spansOf } from '../../../../src/engine/report/spans';
import type { AgentEvent, Incident } from '../../../../src/core/model';
import { incident } from '../../history/support/incidents';

const AT = Date.UTC(2026, 10, 20, 12);

/** Events of a session: one letter each, a line and a second apart. */
function session(drawn: string): AgentEvent[] {
  return Array.from(drawn, (letter, index) => {
    const base = {
      agent: 'x',
      session: 's',
      at: AT + index * 1000,
      source: { file: '/s', line: index + 1, offset: index },
    };
    const types: Readonly<Record<string, object>> = {
      i: { type: 'session_info', cwd: '/work' },
      u: { type: 'user', text: 'Go', automated: false },
      n: { type: 'user', text: 'a program', automated: true },
      c: { type: 'tool_call', id: `c${index}`, name: 'x', args: {} },
      a: { type: 'assistant', text: 'hm' },
    };
    return { ...base, ...types[letter] } as AgentEvent;
  });
}

/** The lines of each piece, and the second up to which nothing else happened. */
function pieces(drawn: string, firstLine: number, stuckLine: number | null, more: Partial<Incident> = {}) {
  const source = { file: '/s', line: firstLine, offset: firstLine - 1 };
  const [row] = incident().evidence;
  const one = incident({
    evidence: row ? [{ ...row, source }] : [],
    alertLine: stuckLine ?? 0,
    stuckLine,
    stuckAt: AT,
    openedAt: AT,
    firstAt: AT + (firstLine - 1) * 1000,
    ...more,
  });
  return [...spansOf(one, session(drawn))].map(({ events, until }) => [
    events.map(({ source: { line } }) => line).join(' '),
    (until - AT) / 1000,
  ]);
}

it('the shortest piece begins three steps before the first repeat, with the request and what is known about the session', () => {
  //      123456789abcdef
  expect(pieces('iuccccccccaac', 8, 10)).toEqual([
    ['1 2 5 6 7 8 9 10', 9],
    // From the message on, and from the start, which is the same here.
    ['1 2 3 4 5 6 7 8 9 10', 9],
    ['1 2 3 4 5 6 7 8 9 10', 9],
    ['1 2 3 4 5 6 7 8 9 10 11 12 13', 12],
    ['1 2 3 4 5 6 7 8 9 10 11 12 13', 12],
  ]);
});

it('a message from a person is a beginning, one from a program is not', () => {
  expect(pieces('uccucncc', 7, 8)).toEqual([
    ['4 5 6 7 8', 7],
    ['1 2 3 4 5 6 7 8', 7],
  ]);
});

it('an incident without lines of its own is found by its time', () => {
  expect(pieces('ucccc', 4, null, { evidence: [], openedAt: AT + 4_000, stuckAt: null })[0]).toEqual(['1 2 3 4 5', 4]);
  expect(pieces('ucccc', 99, null, { firstAt: AT + 60_000, stuckAt: AT + 2_000 })[0]).toEqual(['1 2 3', 2]);
});

it('the piece lasts as long as nothing else happened before the alarm', () => {
  expect(pieces('uccc', 2, 4, { stuckAt: AT + 600_000 })[0]).toEqual(['1 2 3 4', 600]);
});

it('a call is written so that any reader of the fixture sees the same call', () => {
  const base = { agent: 'x', session: 's', at: AT, source: { file: '/s', line: 1, offset: 0 }, id: 'a' };
  const call = (more: object) => ({ ...base, type: 'tool_call', ...more }) as unknown as AgentEvent;
  const written = (more: object) =>
    genericRecords([call(more)], { session: 's', agentName: 'X' }).flatMap(({ type, name, args }) =>
      type === 'tool_call' ? [{ name, args }] : [],
    );
  expect(written({ name: 'blub', args: { where: 'a.ts' }, kind: 'changed', target: 'a.ts', subject: 'x' })).toEqual([
    { name: 'edit_file', args: { where: 'a.ts', file_path: 'a.ts' } },
  ]);
  expect(written({ name: 'blub', args: { where: 'a.ts' }, kind: 'looked', target: 'a.ts', subject: 'x' })).toEqual([
    { name: 'read_file', args: { where: 'a.ts', file_path: 'a.ts' } },
  ]);
  expect(written({ name: 'blub', args: ['make'], kind: 'ran', command: 'make', subject: 'make' })).toEqual([
    { name: 'shell', args: { command: 'make' } },
  ]);
  expect(written({ name: 'blub', args: { a: 1 }, kind: 'changed', subject: 'x' })).toEqual([
    { name: 'blub', args: { a: 1 } },
  ]);
  expect(written({ name: 'blub', args: { a: 1 }, malformed: 'truncated', kind: 'other', subject: 'x' })).toEqual([
    { name: 'blub', args: '{"a":1' },
  ]);
});
