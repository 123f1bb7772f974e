import { describe, expect, it } from 'vitest';
import type { Incident } from '../../../../src/core/model';
import { decideAutomatic } from '../../../../src/recover/decisions/automatic';
import { DEFAULT_LIMITS } from '../../../../src/recover/decisions/limits';
import { MINUTE, T0 } from '../../history/support/incidents';
import { NOW, attempt, automatic, facts, situation } from '../kit';

/** Returns the decision of automatic mode about an incident, in one line. */
function decide(
  of: Partial<Incident>,
  more: Parameters<typeof facts>[0] = {},
  mode: Parameters<typeof automatic>[0] = {},
) {
  const { do: what, reason, rung, until } = decideAutomatic(facts(more, of), automatic(mode));
  return `${what}: ${reason}${rung ? `, rung ${rung.number}` : ''}${until === undefined ? '' : `, in ${until - (more?.now ?? NOW)} ms`}`;
}

/** A nudge that did not help: taken a minute ago. */
const failed = (changes: Parameters<typeof attempt>[0] = {}) =>
  attempt({ takenAt: NOW - MINUTE, outcome: 'same', ...changes });
const SUPERVISED = situation({ supervised: true });

describe('after a failed nudge', () => {
  it('the countdown runs from when it was taken, or from when this window opened', () => {
    const attempts = [failed({ takenAt: NOW - 10_000 })];
    expect(decide({ detector: 'monologue', attempts })).toBe('wait: countdown, rung 2, in 20000 ms');
    expect(decide({ detector: 'monologue', attempts }, {}, { since: NOW })).toBe(
      'wait: countdown, rung 2, in 30000 ms',
    );
    expect(decide({ detector: 'monologue', attempts: [failed({ takenAt: NOW - 30_000 })] })).toBe(
      'nudge: strategy, rung 2',
    );
  });

  it('the person is asked if a rung may not be tried again, without a countdown', () => {
    const ladder = facts().ladder.map((rung) => (rung.kind === 'feedback' ? { ...rung, tries: 1 } : rung));
    expect(decide({ detector: 'monologue', attempts: [failed()] }, { ladder })).toBe('ask: two_failures, rung 5');
    const none = ladder.filter((rung) => rung.kind !== 'feedback');
    expect(decide({ detector: 'monologue', attempts: [failed()] }, { ladder: none })).toBe('ask: two_failures, rung 5');
  });

  it('the supervisor starts the agent again, with work saved; a larger model is an escalation', () => {
    const of = { detector: 'cycle', attempts: [failed()] } as const;
    expect(decide(of, { agent: SUPERVISED })).toBe('escalate: strategy, rung 3');
    const fresh = { detector: 'condensation_loop', attempts: [failed()] } as const;
    expect(decideAutomatic(facts({ agent: SUPERVISED }, fresh), automatic())).toMatchObject({ savesWork: true });
    expect(decide(of, { agent: SUPERVISED, tiers: [] })).toBe('ask: no_models, rung 5');
    expect(decide(of)).toBe('ask: start_needs_person, rung 5');
    expect(decide(of, { ways: { resume: null, fork: null, fresh: 'unknown' } })).toBe('ask: no_way_to_start, rung 5');
    expect(decide(of, { agent: situation({ takes: [] }) })).toBe('ask: start_needs_person, rung 5');
    expect(decide(of, { agent: situation({ supervised: true, liveness: 'gone' }) })).toMatch(/^nothing: finished/);
  });

  it('the task goes to another agent, or the person stops it, as its rule says', () => {
    expect(decide({ attempts: [failed()] })).toMatch(/^reassign: strategy/);
    expect(decide({ detector: 'token_exhaustion', attempts: [failed()] })).toBe('ask: start_needs_person, rung 5');
  });
});

describe('automatic mode does nothing', () => {
  it('in a folder that is not trusted or not open, whatever else is known', () => {
    expect(decide({ history: true }, { agent: situation({ trusted: false }) })).toMatch(/^nothing: untrusted/);
    expect(decide({ history: true }, { agent: situation({ inFolder: false }) })).toMatch(/^nothing: no_folder/);
    expect(decide({ history: true }, { agent: situation({ waitingFor: 'question' }) })).toMatch(/^nothing: history/);
  });

  it('when the incident is over', () => {
    expect(decide({ resolvedAt: T0 })).toMatch(/^nothing: over/);
    expect(decide({ state: 'recovered' })).toMatch(/^nothing: over/);
  });

  it('when the last count is too long ago, unless something was tried already', () => {
    const limits = { ...DEFAULT_LIMITS, expiryMs: MINUTE };
    const stuckAt = NOW - MINUTE;
    const of = { stuckAt, evidence: [] };
    expect(decide(of, { limits })).not.toMatch(/expired/);
    expect(decide({ ...of, stuckAt: stuckAt - 1 }, { limits })).toMatch(/^nothing: expired/);
    expect(decide({ ...of, stuckAt: stuckAt - 1, attempts: [failed()] }, { limits })).not.toMatch(/expired/);
  });

  it('while a message is on its way or watched, and checks again in 5 s', () => {
    expect(decide({ attempts: [attempt({ state: 'queued' })] })).toMatch(/^wait: in_delivery.*in 5000 ms$/);
    const { outcome: _outcome, ...taken } = attempt({ state: 'taken' });
    expect(decide({ attempts: [taken] })).toMatch(/^wait: watching.*in 5000 ms$/);
  });

  it('beyond its limits, for its own actions', () => {
    const one = { ...DEFAULT_LIMITS, perIncident: 1 };
    expect(decide({ detector: 'monologue', attempts: [failed()] }, { limits: one })).toBe('ask: two_failures, rung 5');
    const byHand = [failed({ automated: false })];
    expect(decide({ detector: 'monologue', attempts: byHand }, { limits: one })).toBe('nudge: strategy, rung 2');
    const ledger = Array.from({ length: 20 }, () => ({ at: NOW, incident: 'x', session: 'y', planItem: null }));
    expect(decide({ detector: 'monologue', attempts: [failed()] }, {}, { ledger })).toBe('ask: limit_global, rung 5');
  });
});
