import { describe, expect, it } from 'vitest';
import type { AgentState, AgentView } from '../../../../src/core/model';
import { Attention, type Notice } from '../../../../src/editor/notifications/attention';
import { MINUTE, T0 } from '../../history/support/incidents';
import { agentView } from '../support/views';

const asks = (since = T0): Partial<AgentState> => ({ kind: 'waiting', waitingFor: 'permission', since });
const died = { kind: 'finished', ended: 'died', since: T0 + 1 } as const;

/** An attention, and the words it reports. */
function stage(waitMs: number | null = 2 * MINUTE, inFront: () => boolean = () => false) {
  const attention = new Attention(() => ({ waitMs, isInFront: inFront }), T0);
  const words = (notices: readonly Notice[]) =>
    notices.map((one) => `${one.kind} ${'session' in one ? one.session : one.agent}`);
  return {
    attention,
    is: (session: string, state: Partial<AgentState>, more: Partial<AgentView> = {}) =>
      words(attention.changed(session, agentView(session, state, more))),
    gone: (session: string) => words(attention.changed(session, undefined)),
    due: (after: number) => words(attention.due(T0 + after)),
  };
}

describe('an agent that asks', () => {
  it('is reported once, after two minutes', () => {
    const { is, due, attention } = stage();
    is('a', {});
    expect(is('a', asks())).toEqual([]);
    expect(attention.nextAt(T0)).toBe(T0 + 2 * MINUTE);
    expect(due(2 * MINUTE - 1)).toEqual([]);
    expect(due(2 * MINUTE)).toEqual(['waits a']);
    expect([due(9 * MINUTE), attention.nextAt(T0)]).toEqual([[], Number.POSITIVE_INFINITY]);
  });

  it('is reported once per wait, even if the start of the wait is known better later', () => {
    const { is, due } = stage();
    is('a', asks());
    expect(due(3 * MINUTE)).toEqual(['waits a']);
    is('a', asks(T0 + 1));
    expect(due(9 * MINUTE)).toEqual([]);
    is('a', {});
    is('a', asks(T0 + 10 * MINUTE));
    expect(due(11 * MINUTE)).toEqual([]);
    expect(due(12 * MINUTE)).toEqual(['waits a']);
  });

  it('is not reported if only silence suggests it, if its turn ended, or if notifications are off', () => {
    const { is, due } = stage();
    is('a', { ...asks(), probable: true });
    is('b', { kind: 'waiting', waitingFor: 'turn_end', since: T0 });
    expect(due(9 * MINUTE)).toEqual([]);
    const off = stage(null);
    off.is('a', asks());
    expect([off.due(9 * MINUTE), off.attention.nextAt(T0)]).toEqual([[], Number.POSITIVE_INFINITY]);
  });

  it('is not reported while its terminal is in front, but is once that is no longer so', () => {
    let inFront = true;
    const { is, due, attention } = stage(2 * MINUTE, () => inFront);
    is('a', asks());
    expect(due(3 * MINUTE)).toEqual([]);
    expect(attention.nextAt(T0 + 3 * MINUTE)).toBe(T0 + 3 * MINUTE + 10_000);
    inFront = false;
    expect(due(3 * MINUTE + 10_000)).toEqual(['waits a']);
  });

  it('is history if it asked before this window opened', () => {
    const { is, due } = stage();
    is('a', asks(), { history: true });
    expect(due(9 * MINUTE)).toEqual([]);
  });
});

describe('an agent that ends', () => {
  it('has died or finished; an end that a person caused is no news', () => {
    const { is } = stage();
    for (const session of ['a', 'b', 'c']) is(session, {});
    expect(is('a', died)).toEqual(['died a']);
    expect(is('a', died)).toEqual([]);
    expect(is('b', { kind: 'finished', ended: 'clean' })).toEqual(['finished b']);
    expect(is('c', { kind: 'finished', ended: 'interrupted' })).toEqual([]);
  });

  it('is no news if this window never saw it alive, or if it worked for another agent', () => {
    const { is } = stage();
    expect(is('a', died)).toEqual([]);
    is('b', {}, { parent: 'a' });
    expect(is('b', died, { parent: 'a' })).toEqual([]);
  });
});

describe('a usage limit', () => {
  const usageLimit = { since: T0 + 1, opensAt: T0 + 60 * MINUTE };
  const turnEnded = { kind: 'waiting', waitingFor: 'turn_end' } as const;

  // 5 hours │ the week is used up, too │ the 5 hours are over │ the week is over
  it('of a week that is reached within one of five hours decides when the agents may continue', () => {
    const { is, due } = stage();
    const turnEnded = { kind: 'waiting', waitingFor: 'limit', since: T0 } as const;
    expect(is('a', turnEnded, { usageLimit: { since: T0, opensAt: T0 + 60 * MINUTE } })).toEqual(['limit claude-code']);
    is('b', turnEnded, { usageLimit: { since: T0 + 1, opensAt: T0 + 3_000 * MINUTE } });
    expect([due(60 * MINUTE), due(3_000 * MINUTE)]).toEqual([[], ['limit_open claude-code']]);
  });

  it('is reported once for all agents that it holds', () => {
    const { is, attention } = stage();
    is('a', {});
    is('b', {});
    expect(is('a', turnEnded, { usageLimit })).toEqual(['limit claude-code']);
    expect(is('b', turnEnded, { usageLimit: { ...usageLimit, since: T0 + 2 } })).toEqual([]);
    expect(is('c', turnEnded, { usageLimit, agent: 'codex' })).toEqual(['limit codex']);
    expect([attention.held('claude-code'), attention.held('codex')]).toEqual([2, 1]);
  });

  it('is open when its time has come or when an agent is answered, whichever is first', () => {
    const { is, due, attention } = stage();
    is('a', turnEnded, { usageLimit });
    expect(attention.nextAt(T0)).toBe(usageLimit.opensAt);
    expect(due(59 * MINUTE)).toEqual([]);
    expect(due(60 * MINUTE)).toEqual(['limit_open claude-code']);
    expect(is('a', {})).toEqual([]);
    const early = stage();
    early.is('a', turnEnded, { usageLimit });
    expect(early.is('a', {})).toEqual(['limit_open claude-code']);
    expect(early.due(60 * MINUTE)).toEqual([]);
  });

  it('is open at the time that a later agent is told, if the first was told none', () => {
    const { is, due, attention } = stage();
    expect(is('a', turnEnded, { usageLimit: { since: T0 + 1 } })).toEqual(['limit claude-code']);
    expect(is('b', turnEnded, { usageLimit: { ...usageLimit, since: T0 + MINUTE } })).toEqual([]);
    expect(attention.nextAt(T0)).toBe(usageLimit.opensAt);
    expect([due(59 * MINUTE), due(60 * MINUTE)]).toEqual([[], ['limit_open claude-code']]);
  });

  it('may be reached again', () => {
    const { is, due } = stage();
    is('a', turnEnded, { usageLimit });
    due(60 * MINUTE);
    is('a', {});
    const again = { since: T0 + 70 * MINUTE };
    expect(is('a', turnEnded, { usageLimit: again })).toEqual(['limit claude-code']);
    expect(is('a', {})).toEqual(['limit_open claude-code']);
  });

  it('that opened is not reported again for an agent that has not been answered since', () => {
    const { is, due } = stage();
    is('a', turnEnded, { usageLimit });
    is('b', turnEnded, { usageLimit: { ...usageLimit, since: T0 + 1 } });
    expect(due(60 * MINUTE)).toEqual(['limit_open claude-code']);
    expect(is('b', turnEnded, { usageLimit, title: 'Another title' })).toEqual([]);
  });

  it('is open if the last agent that it held is gone', () => {
    const { is, gone } = stage();
    is('a', turnEnded, { usageLimit });
    expect(gone('a')).toEqual(['limit_open claude-code']);
    expect(gone('never')).toEqual([]);
  });

  it('is history if it was reached before this window opened', () => {
    const { is } = stage();
    expect(is('a', turnEnded, { usageLimit: { since: T0 - 1 } })).toEqual([]);
    expect(is('b', turnEnded, { usageLimit, history: true })).toEqual([]);
  });
});
