import { describe, expect, it } from 'vitest';
import { Conversation, KnownFacts, PairedCalls, usageOf } from '../../../../src/agents/shared/conversation';
import type { AgentEvent } from '../../../../src/core/model';

function conversation(options: { callOpensTurn?: boolean; namesStrayResults?: boolean } = {}) {
  const events: AgentEvent[] = [];
  const one = new Conversation({ agent: 'pi', file: '/x.jsonl', session: 's', ...options });
  let line = 0;
  const next = (at: number): void =>
    one.begin(
      { file: '/x.jsonl', line: ++line, offset: at },
      { event: (event) => events.push(event), problem: () => {} },
    );
  const types = (): readonly string[] => events.map((event) => (event.type === 'other' ? event.name : event.type));
  return { one, events, next, types };
}

const RESULT = { output: 'ok', isError: false };
const CALL = { id: 'c', name: 'bash', args: { command: 'ls' } };

describe('a conversation', () => {
  it('emits a result that comes before its call after it, at its own line', () => {
    const { one, events, next, types } = conversation();
    next(1);
    expect(one.result('c', RESULT)).toBe(false);
    next(2);
    expect(one.call(CALL)).toBe(true);
    expect(types()).toEqual(['tool_call', 'tool_result']);
    expect(events.map((event) => event.source.line)).toEqual([2, 1]);
  });

  it('counts a call and a result once that a resumed transcript repeats', () => {
    const { one, next, types } = conversation({ namesStrayResults: true });
    next(1);
    one.call(CALL);
    one.result('c', RESULT);
    expect(one.call(CALL)).toBe(false);
    expect(one.result('c', RESULT)).toBe(false);
    expect(types()).toEqual(['tool_call', 'tool_result', 'repeated call', 'repeated result']);
  });

  it('answers a call in the session that made it', () => {
    const { one, events, next } = conversation();
    next(1);
    one.call({ ...CALL, session: 's_child' });
    one.result('c', RESULT);
    expect(events.map((event) => event.session)).toEqual(['s_child', 's_child']);
  });

  it('opens a turn with the first call if there was no prompt, and ends it once', () => {
    const { one, next, types } = conversation({ callOpensTurn: true });
    next(1);
    one.call(CALL);
    one.call({ ...CALL, id: 'd' });
    expect(one.endTurn('done')).toBe(true);
    expect(one.endTurn('done')).toBe(false);
    expect(types()).toEqual(['turn_start', 'tool_call', 'tool_call', 'turn_end']);
  });

  it('reports that a prompt of ours is automated, and that it was taken, once', () => {
    const { one, events, next, types } = conversation();
    next(1);
    const text = `Try another way. [unstuck ${'0'.repeat(26)}]`;
    one.prompt(text);
    one.prompt(text);
    one.prompt('thanks');
    expect(types()).toEqual(['user', 'message_taken', 'user', 'user']);
    expect(events.map((event) => event.type === 'user' && event.automated)).toEqual([true, false, true, false]);
  });
});

describe('facts of a session', () => {
  it('are news only if they changed', () => {
    const facts = new KnownFacts();
    expect(facts.update({ cwd: '/a', model: 'm' })).toEqual({ cwd: '/a', model: 'm' });
    expect(facts.update({ cwd: '/a', model: undefined })).toBeUndefined();
    expect(facts.update({ cwd: '/b', model: 'm' })).toEqual({ cwd: '/b' });
    expect(facts.model).toBe('m');
  });
});

describe('usage of an answer', () => {
  it('fills the context with request and answer, but not with thinking', () => {
    expect(usageOf({ input: 10, output: 2, reasoning: 5, contextWindow: 100, cost: 0 })).toEqual({
      type: 'usage',
      contextTokens: 12,
      contextWindow: 100,
      inputTokens: 10,
      outputTokens: 7,
    });
    expect(usageOf({ input: 0, output: undefined })).toBeUndefined();
  });
});

describe('calls that wait for their results', () => {
  it('are forgotten, oldest first, when too many wait', () => {
    const pairs = new PairedCalls<string, string>({ open: 2, done: 1, early: 1 });
    for (const id of ['a', 'b', 'c']) pairs.start(id, id, 0);
    expect([...pairs.running]).toEqual(['b', 'c']);
    expect(pairs.hold('x', 'first')).toBeUndefined();
    expect(pairs.hold('y', 'second')).toBe('first');
    expect(pairs.heldFor('y')).toBe('second');
    expect(pairs.heldFor('y')).toBeUndefined();
  });

  // the same line again, as a fork writes it │ a provider that uses the id again
  it('are known by their id until a later one has it', () => {
    const pairs = new PairedCalls<string, string>();
    pairs.start('call_0', 'first', 1_000);
    expect(pairs.has('call_0', 9_000)).toBe(true);
    expect(pairs.finish('call_0', 2_000)).toBe('first');
    expect(pairs.has('call_0', 1_000)).toBe(true);
    expect(pairs.has('call_0', 2_000)).toBe(true);
    expect(pairs.has('call_0', 0)).toBe(true);
    expect(pairs.has('call_0', 3_000)).toBe(false);
    pairs.start('call_0', 'second', 3_000);
    expect(pairs.isDone('call_0')).toBe(false);
    // Its result came first.
    expect(pairs.finish('call_0', 2_500)).toBe('second');
    expect(pairs.has('call_0', 3_000)).toBe(true);
  });
});
