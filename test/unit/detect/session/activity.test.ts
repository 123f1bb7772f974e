import { describe, expect, test } from 'vitest';
import { Activity } from '../../../../src/detect/session/activity';
import type { AgentEvent, ToolCallEvent, TurnEnds } from '../../../../src/core/model';
import { callOf } from '../support/one-step';

type Told = AgentEvent['type'] | { readonly type: AgentEvent['type']; readonly [field: string]: unknown };

/** Returns whose move it is after these events, one a second. */
function after(told: readonly Told[], pending: readonly ToolCallEvent[] = [], turnEnds: TurnEnds = 'some') {
  const activity = new Activity({ pending, turnEnds });
  told.forEach((one, index) => {
    const base = { agent: 'generic', session: 's', at: (index + 1) * 1_000, text: '', automated: false, chunk: false };
    const source = { file: 'f', line: index + 1, offset: index };
    activity.push({ ...base, source, ...(typeof one === 'string' ? { type: one } : one) } as AgentEvent);
  });
  return activity;
}
const busy = (told: readonly Told[], pending?: readonly ToolCallEvent[]): boolean => after(told, pending).isBusy;
const piece = { type: 'assistant', chunk: true } as const;

describe('it is the agent’s move', () => {
  test.each<[string, readonly Told[]]>([
    ['after a prompt', ['user']],
    ['after the beginning of a turn', ['turn_start']],
    ['after a call', ['user', 'tool_call']],
    ['after a result', ['user', 'tool_call', 'tool_result']],
    ['after a request', ['user', 'assistant', 'request']],
    ['after a compaction in the middle of a turn', ['user', 'tool_result', 'compaction']],
    ['after a message of which its record says that the turn goes on', ['user', { type: 'assistant', isLast: false }]],
    ['after an error', ['user', 'assistant', 'error']],
    ['in the middle of a streamed answer', ['user', piece]],
    ['after a result, in a session that begins in the middle', ['tool_result']],
    ['once it goes on after a question', ['turn_start', 'waiting', 'tool_result']],
    ['once the person has answered it', ['turn_start', 'waiting', 'user']],
  ])('%s', (_, told) => {
    expect(busy(told)).toBe(true);
  });

  test('while a call runs, whatever it said', () => {
    expect(busy(['user', 'assistant'], [callOf()])).toBe(true);
    expect(busy(['user', 'assistant'])).toBe(false);
  });
});

describe('it is the person’s move', () => {
  test.each<[string, readonly Told[]]>([
    ['at the beginning', []],
    ['after a whole answer', ['user', 'assistant']],
    ['and stays so through a compaction', ['user', 'assistant', 'compaction']],
    ['after a compaction that nobody asked anything before', ['compaction']],
    ['after the token counts of a streamed one', ['user', piece, 'usage']],
    ['after the end of a turn', ['turn_start', 'tool_call', 'turn_end']],
    ['after the end of the session', ['user', 'session_end']],
    ['after a question', ['turn_start', 'waiting']],
    ['and stays so where a turn is over and a line is late', ['turn_start', 'turn_end', 'tool_result']],
    ['and stays so after what says nothing of it', ['user', 'assistant', 'other', 'plan']],
  ])('%s', (_, told) => {
    expect(busy(told)).toBe(false);
  });

  test('not because of the token counts of an answer that was not streamed, after a call', () => {
    expect(busy(['user', 'tool_call', 'usage'])).toBe(true);
    expect(busy(['user', piece, 'tool_call', 'usage'])).toBe(true);
  });

  test('not while a call runs, even if its turn is over', () => {
    expect(busy(['turn_start', 'turn_end'], [callOf()])).toBe(false);
  });
});

describe('an answer without the end of its turn', () => {
  const ended: readonly Told[] = ['turn_start', 'assistant', { type: 'turn_end', reason: 'done' }];

  test('is the agent’s move from the first turn on if the agent is known to write turn ends', () => {
    expect(after(['user', 'assistant'], [], 'yes').isAnswered).toBe(true);
    expect(after(['user', { type: 'assistant', isLast: true }], [], 'yes').isAnswered).toBe(false);
    expect(after([...ended, 'user', 'assistant'], [], 'no').isAnswered).toBe(false);
  });

  test.each(['interrupted', 'error'])('is the person’s if only a turn that was %s had its own line', (reason) => {
    expect(busy(['user', { type: 'turn_end', reason }, 'user', 'assistant'])).toBe(false);
  });

  test('is still the agent’s move if turns end with their own line', () => {
    const { isAnswered, isBusy } = after([...ended, 'user', 'assistant']);
    expect({ isAnswered, isBusy }).toEqual({ isAnswered: true, isBusy: true });
    expect(after(['user', 'assistant']).isAnswered).toBe(false);
    expect(after([...ended, 'user']).isAnswered).toBe(false);
    expect(after([...ended, 'user', piece]).isAnswered).toBe(false);
    expect(after([...ended, 'user', 'assistant'], [callOf()]).isAnswered).toBe(false);
    expect(after([...ended, 'user', 'assistant', 'turn_end']).isAnswered).toBe(false);
  });

  test('is the person’s if the last turn ended without one', () => {
    expect(busy([...ended, 'user', 'assistant', 'user', 'assistant'])).toBe(false);
    const automated = { type: 'user', automated: true } as const;
    expect(busy([...ended, 'user', 'assistant', automated, 'assistant'])).toBe(true);
  });
});

describe('the start of silence', () => {
  test('is the latest time, with the place of the newest line; a clock does not count', () => {
    const { since, last } = after(['user', { type: 'tool_call', at: 9_000 }, 'tool_result', 'clock']);
    expect(since).toBe(9_000);
    expect(last).toEqual({ at: 3_000, source: { file: 'f', line: 3, offset: 2 } });
    expect(after(['clock']).last).toBeUndefined();
  });
});
