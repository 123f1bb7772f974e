import { describe, expect, test } from 'vitest';
import { createMessageAssembler } from '../../../../src/detect/session/messages';
import type { AgentEvent } from '../../../../src/core/model';

const event = (type: AgentEvent['type'], line: number, more: object = {}): AgentEvent =>
  ({
    agent: 'generic',
    session: 's',
    at: line * 10,
    source: { file: 'f', line, offset: 0 },
    type,
    ...more,
  }) as AgentEvent;
const said = (text: string, line = 1, chunk = false) => event('assistant', line, { text, chunk });
const told = (...events: AgentEvent[]) => events.map(createMessageAssembler()).map((message) => message?.text ?? null);

describe('a message of the agent', () => {
  test('is whole as it comes, or when its last piece has come', () => {
    expect(told(said('one'), said('two'))).toEqual(['one', 'two']);
    expect(told(said('one ', 1, true), said('two ', 2, true), said('three', 3), said('four'))).toEqual([
      null,
      null,
      'one two three',
      'four',
    ]);
  });

  test('has the time and place of its first piece', () => {
    const push = createMessageAssembler();
    push(said('one ', 3, true));
    push(said('two ', 4, true));
    expect(push(event('tool_call', 5))).toEqual({
      text: 'one two ',
      at: 30,
      source: { file: 'f', line: 3, offset: 0 },
    });
    expect(push(said('three', 6))).toEqual({ text: 'three', at: 60, source: { file: 'f', line: 6, offset: 0 } });
  });

  test('is ended by anything that the agent does, but not by bookkeeping between two pieces', () => {
    for (const type of ['clock', 'other', 'session_info'] as const)
      expect(told(said('a', 1, true), event(type, 2), said('b', 3))).toEqual([null, null, 'ab']);
    for (const type of ['tool_call', 'user', 'usage', 'turn_end', 'error'] as const)
      expect(told(said('a', 1, true), event(type, 2), said('b', 3))).toEqual([null, 'a', 'b']);
    expect(told(event('tool_call', 1), event('turn_end', 2))).toEqual([null, null]);
  });

  test('exists even if it is blank when it comes whole, but not when it comes in blank pieces', () => {
    expect(told(said(' \n '), said(''), said(' ', 1, true), event('turn_end', 2), said('x'))).toEqual([
      ' \n ',
      '',
      null,
      null,
      'x',
    ]);
  });

  test('is kept to its 16,384th character, whole or in pieces', () => {
    const most = 16_384;
    expect(told(said('x'.repeat(most)))).toEqual(['x'.repeat(most)]);
    expect(told(said('x'.repeat(most + 1)))).toEqual(['x'.repeat(most)]);
    const [, , long] = told(
      said('a'.repeat(10_000), 1, true),
      said('b'.repeat(6_000), 2, true),
      said('c'.repeat(999), 3),
    );
    expect(long).toBe(`${'a'.repeat(10_000)}${'b'.repeat(6_000)}${'c'.repeat(384)}`);
    expect(told(said('a'.repeat(most), 1, true), said('b', 2, true), said('c', 3))[2]).toBe('a'.repeat(most));
  });
});
