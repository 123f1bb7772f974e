import { describe, expect, it } from 'vitest';
import type { AgentState } from '../../../../src/model';
import { compareRows, groupOf, isListed } from '../../../../src/ui/trees/order';
import { agentView } from '../support/views';

const group = (state: Partial<AgentState>) => groupOf(agentView('a', state));

describe('the group of an agent', () => {
  it('needs you while it is stuck, asks, or died', () => {
    expect(group({ kind: 'stuck' })).toBe('needs_you');
    expect(group({ kind: 'escalated' })).toBe('needs_you');
    expect(group({ kind: 'waiting', waitingFor: 'permission' })).toBe('needs_you');
    expect(group({ kind: 'waiting', waitingFor: 'question' })).toBe('needs_you');
    expect(group({ kind: 'finished', ended: 'died' })).toBe('needs_you');
  });

  it('is quiet once its turn or its session ended', () => {
    expect(group({ kind: 'waiting', waitingFor: 'turn_end' })).toBe('your_turn');
    expect(group({ kind: 'finished', ended: 'clean' })).toBe('finished');
    expect(group({ kind: 'finished', ended: 'error' })).toBe('finished');
  });

  it('is watched while nobody knows whether it gets on', () => {
    expect(group({ kind: 'stalled' })).toBe('watch');
    expect(group({ kind: 'not_monitored' })).toBe('watch');
    expect(group({ kind: 'recovering' })).toBe('watch');
    expect(group({ kind: 'working' })).toBe('working');
  });
});

describe('the order of rows', () => {
  const sorted = (...rows: [string, Partial<AgentState>][]) =>
    rows
      .map(([session, state]) => agentView(session, state))
      .sort(compareRows)
      .map(({ session }) => session);

  it('is by group: what needs a person, what is watched, work, ended turns, ended sessions', () => {
    expect(
      sorted(
        ['ended', { kind: 'finished', ended: 'clean' }],
        ['turn', { kind: 'waiting', waitingFor: 'turn_end' }],
        ['works', { kind: 'working' }],
        ['silent', { kind: 'stalled' }],
        ['stuck', { kind: 'stuck' }],
      ),
    ).toEqual(['stuck', 'silent', 'works', 'turn', 'ended']);
  });

  it('calls nobody to an agent of which only silence says that it waits: it is watched', () => {
    expect(
      sorted(
        ['silent', { kind: 'stalled' }],
        ['probably', { kind: 'waiting', waitingFor: 'permission', probable: true }],
        ['asks', { kind: 'waiting', waitingFor: 'permission' }],
      ),
    ).toEqual(['asks', 'probably', 'silent']);
    expect(groupOf(agentView('a', { kind: 'waiting', waitingFor: 'permission', probable: true }))).toBe('watch');
  });

  it('is by state inside a group', () => {
    expect(
      sorted(
        ['died', { kind: 'finished', ended: 'died' }],
        ['asks', { kind: 'waiting', waitingFor: 'question' }],
        ['stuck', { kind: 'stuck' }],
        ['escalated', { kind: 'escalated' }],
      ),
    ).toEqual(['escalated', 'stuck', 'asks', 'died']);
    expect(
      sorted(
        ['recovers', { kind: 'recovering' }],
        ['blind', { kind: 'not_monitored' }],
        ['silent', { kind: 'stalled' }],
      ),
    ).toEqual(['silent', 'blind', 'recovers']);
  });

  it('puts what lasts longest first, but the session that ended last', () => {
    expect(sorted(['late', { since: 2 }], ['early', { since: 1 }])).toEqual(['early', 'late']);
    const ended = { kind: 'finished', ended: 'clean' } as const;
    expect(sorted(['early', { ...ended, since: 1 }], ['late', { ...ended, since: 2 }])).toEqual(['late', 'early']);
    const died = { kind: 'finished', ended: 'died' } as const;
    expect(sorted(['late', { ...died, since: 2 }], ['early', { ...died, since: 1 }])).toEqual(['early', 'late']);
  });

  it('is the same for equal rows, whatever order they come in', () => {
    expect(sorted(['b', {}], ['a', {}])).toEqual(['a', 'b']);
    expect(sorted(['a', {}], ['b', {}])).toEqual(['a', 'b']);
    expect(compareRows(agentView('a'), agentView('a'))).toBe(0);
  });
});

describe('the lists', () => {
  const ended = { kind: 'finished', ended: 'clean' } as const;

  it('leave out what ended before this window watched, until a person asks for it', () => {
    const before = agentView('a', ended, { history: true });
    expect(isListed(before, false)).toBe(false);
    expect(isListed(before, true)).toBe(true);
    const unread = { ...before, history: false, coverage: { ...before.coverage, seen: 0 } };
    expect(isListed(unread, false)).toBe(false);
  });

  it('keep what ended before the person’s eyes, what died, and what goes on', () => {
    expect(isListed(agentView('a', ended), false)).toBe(true);
    expect(isListed(agentView('a', { kind: 'finished', ended: 'died' }, { history: true }), false)).toBe(true);
    expect(isListed(agentView('a', { kind: 'working' }, { history: true }), false)).toBe(true);
  });
});
