import { describe, expect, it } from 'vitest';
import {
  type AgentState,
  type AgentView,
  STANDINGS,
  compareStanding,
  needOf,
  needsPerson,
  standingOf,
} from '../../../../src/core/model';
import { incident } from '../../history/support/incidents';
import { agentView } from '../../editor/support/views';

type Row = readonly [string, Partial<AgentState>, Partial<AgentView>?];
const sorted = (...rows: readonly Row[]) =>
  rows
    .map(([session, state, more]) => agentView(session, state, more))
    .sort(compareStanding)
    .map(({ session }) => session);
const standing = (state: Partial<AgentState>, more: Partial<AgentView> = {}) => standingOf(agentView('a', state, more));

describe('the order of all lists', () => {
  it('begins with agents that need a person and ends with those that have finished', () => {
    const overLimit = { incidents: [incident({ detector: 'max_runtime', level: 'warn' })] };
    expect(
      sorted(
        ['ended', { kind: 'finished', ended: 'clean' }],
        ['turn', { kind: 'waiting', waitingFor: 'turn_end' }],
        ['works', { kind: 'working' }],
        ['too long', { kind: 'working' }, overLimit],
        ['recovers', { kind: 'recovering' }],
        ['blind', { kind: 'not_monitored' }],
        ['silent', { kind: 'stalled' }],
        ['stuck', { kind: 'stuck' }],
        ['asks', { kind: 'waiting', waitingFor: 'permission' }],
      ),
    ).toEqual(['asks', 'stuck', 'recovers', 'blind', 'silent', 'works', 'too long', 'turn', 'ended']);
  });

  it('puts a permission before a question, and both before stopped agents', () => {
    expect(
      sorted(
        ['died', { kind: 'finished', ended: 'died' }],
        ['escalated', { kind: 'escalated' }],
        ['untold', { kind: 'waiting', waitingFor: 'missed_notice' }],
        ['opened', { kind: 'waiting', waitingFor: 'limit', until: 1 }],
        ['stopped', { kind: 'waiting', waitingFor: 'error' }],
        ['question', { kind: 'waiting', waitingFor: 'question' }],
        ['permission', { kind: 'waiting', waitingFor: 'permission' }],
      ),
    ).toEqual(['permission', 'question', 'escalated', 'stopped', 'opened', 'untold', 'died']);
  });

  it('puts the longest-lasting first, but the session that ended last', () => {
    expect(sorted(['late', { since: 2 }], ['early', { since: 1 }])).toEqual(['early', 'late']);
    const ended = { kind: 'finished', ended: 'clean' } as const;
    expect(sorted(['early', { ...ended, since: 1 }], ['late', { ...ended, since: 2 }])).toEqual(['late', 'early']);
    const died = { kind: 'finished', ended: 'died' } as const;
    expect(sorted(['late', { ...died, since: 2 }], ['early', { ...died, since: 1 }])).toEqual(['early', 'late']);
  });

  it('is the same for equal rows, whatever order they come in', () => {
    expect(sorted(['b', {}], ['a', {}])).toEqual(['a', 'b']);
    expect(sorted(['a', {}], ['b', {}])).toEqual(['a', 'b']);
    expect(compareStanding(agentView('a'), agentView('a'))).toBe(0);
  });
});

describe('an agent', () => {
  it('needs no one while only silence suggests that it asks', () => {
    const probably = { kind: 'waiting', waitingFor: 'permission', probable: true } as const;
    expect(standing(probably)).toBe('stalled');
    expect(needsPerson(agentView('a', probably))).toBe(false);
    expect(needsPerson(agentView('a', { kind: 'waiting', waitingFor: 'permission' }))).toBe(true);
    expect(needsPerson(agentView('a', { kind: 'stuck' }))).toBe(true);
  });

  it('needs a person when it died or failed, until that is long ago: a reload of the window changes nothing', () => {
    expect(standing({ kind: 'finished', ended: 'died' })).toBe('needs_you');
    expect(standing({ kind: 'finished', ended: 'died' }, { history: true })).toBe('needs_you');
    expect(standing({ kind: 'finished', ended: 'died' }, { history: true, isPast: true })).toBe('finished');
    expect(standing({ kind: 'finished', ended: 'error' })).toBe('needs_you');
    expect(standing({ kind: 'waiting', waitingFor: 'error' })).toBe('needs_you');
    expect(standing({ kind: 'waiting', waitingFor: 'error' }, { history: true, isPast: true })).toBe('your_turn');
  });

  it('is over a limit while its service refuses to answer, or while it is over a budget that is not muted', () => {
    const usageLimit = { since: 1 };
    expect(standing({ kind: 'waiting', waitingFor: 'turn_end' }, { usageLimit })).toBe('over_limits');
    expect(standing({ kind: 'waiting', waitingFor: 'limit', until: 1 })).toBe('needs_you');
    const full = incident({ detector: 'token_exhaustion', level: 'warn' });
    expect(standing({}, { incidents: [full] })).toBe('over_limits');
    expect(standing({}, { incidents: [{ ...full, state: 'muted' }] })).toBe('working');
    expect(standing({}, { incidents: [incident({ level: 'warn' })] })).toBe('working');
  });
});

it('there are fewer groups in a list than standings', () => {
  expect(STANDINGS.map(needOf)).toEqual([
    'needs_you',
    'stuck',
    'stuck',
    'working',
    'working',
    'working',
    'working',
    'your_turn',
    'finished',
  ]);
});
