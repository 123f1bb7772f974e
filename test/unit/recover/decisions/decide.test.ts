import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DETECTOR_IDS, type DetectorId, type Incident, RECOVERY_ACTIONS } from '../../../../src/core/model';
import { decideAutomatic } from '../../../../src/recover/decisions/automatic';
import { decideClick } from '../../../../src/recover/decisions/click';
import { type AutomaticMode, REASON_TEXTS, type RecoveryFacts } from '../../../../src/recover/decisions/decision';
import { DEFAULT_LIMITS } from '../../../../src/recover/decisions/limits';
import { MINUTE, T0 } from '../../history/support/incidents';
import { NOW, attempt, automatic, facts, situation } from '../kit';

const auto = (of: RecoveryFacts, mode: Partial<AutomaticMode> = {}) => decideAutomatic(of, automatic(mode));
const story = (of: RecoveryFacts, mode: Partial<AutomaticMode> = {}) => {
  const { do: what, reason, rung } = auto(of, mode);
  return `${what}: ${reason}${rung ? `, rung ${rung.number}` : ''}`;
};

describe('automatic mode', () => {
  it.each<[string, Partial<RecoveryFacts>, Partial<Incident>, Partial<AutomaticMode>, string]>([
    ['it is off', {}, {}, { on: false }, 'nothing: automatic_off, rung 2'],
    ['the folder is not trusted', { agent: situation({ trusted: false }) }, {}, {}, 'nothing: untrusted, rung 2'],
    ['the agent works elsewhere', { agent: situation({ inFolder: false }) }, {}, {}, 'nothing: no_folder, rung 2'],
    ['it lay in the transcript before', {}, { history: true }, {}, 'nothing: history, rung 2'],
    ['it only warns', {}, { level: 'warn' }, {}, 'nothing: not_stuck_yet, rung 2'],
    ['it is a guess', {}, { certainty: 'guessed' }, {}, 'nothing: guessed, rung 2'],
    ['the person muted it', {}, { state: 'muted' }, {}, 'nothing: muted, rung 2'],
    ['the person was asked', {}, { state: 'escalated' }, {}, 'nothing: already_asked, rung 2'],
    ['it is over', {}, { state: 'unknown', resolvedAt: NOW }, {}, 'nothing: over, rung 2'],
    ['the person holds it', {}, {}, { held: true }, 'nothing: held, rung 2'],
    ['it was counted long ago', { now: T0 + 30 * MINUTE }, {}, {}, 'nothing: expired, rung 2'],
    [
      'the agent needs your permission',
      { agent: situation({ waitingFor: 'permission' }) },
      {},
      {},
      'nothing: waits_for_permission, rung 2',
    ],
    [
      'the agent is asking a question',
      { agent: situation({ waitingFor: 'question' }) },
      {},
      {},
      'nothing: waits_for_answer, rung 2',
    ],
    [
      'it probably waits for a permission',
      { agent: situation({ probablyWaits: true }) },
      {},
      {},
      'nothing: probably_waits, rung 2',
    ],
    ['its turn has ended', { agent: situation({ waitingFor: 'turn_end' }) }, {}, {}, 'nothing: turn_ended, rung 2'],
    ['its process is gone', { agent: situation({ liveness: 'gone' }) }, {}, {}, 'nothing: finished, rung 2'],
    ['the service refuses requests', {}, { detector: 'rate_limited' }, {}, 'nothing: outage, rung 2'],
  ])('does nothing when %s, and says so', (_, changes, of, mode, expected) => {
    expect(story(facts(changes, of), mode)).toBe(expected);
  });

  it('counts down, then gives feedback; a format reminder goes at once', () => {
    const early = { now: T0 + 10 * MINUTE + 5_000 };
    expect(auto(facts(early))).toMatchObject({ do: 'wait', reason: 'countdown', until: T0 + 10 * MINUTE + 30_000 });
    expect(story(facts())).toBe('nudge: first_feedback, rung 2');
    expect(story(facts(early, { detector: 'validation_failure' }))).toBe('nudge: first_feedback, rung 2');
  });

  it('waits while a message is on its way or being watched', () => {
    const { takenAt: _, outcome: __, ...fresh } = attempt();
    expect(story(facts({}, { attempts: [{ ...fresh, state: 'queued' }] }))).toBe('wait: in_delivery, rung 2');
    expect(story(facts({}, { attempts: [{ ...fresh, state: 'seen', takenAt: NOW }] }))).toBe('wait: watching, rung 2');
  });

  it('sends no second message for a streak that does not grow', () => {
    const changed = attempt({ outcome: 'changed' });
    expect(story(facts({}, { attempts: [changed] }))).toBe('nothing: frozen_streak, rung 2');
    const lost = attempt({ state: 'expired' });
    expect(story(facts({}, { attempts: [lost] }))).toBe('nothing: frozen_streak, rung 2');
  });

  it.each<[DetectorId, string]>([
    ['repeating_action', 'reassign: strategy, rung 3'],
    ['repeating_outcome', 'reassign: strategy, rung 3'],
    ['action_error_alternation', 'escalate: strategy, rung 3'],
    ['cycle', 'escalate: strategy, rung 3'],
    ['monologue', 'nudge: strategy, rung 2'],
    ['text_loop', 'nudge: strategy, rung 2'],
    ['condensation_loop', 'escalate: strategy, rung 3'],
    ['token_exhaustion', 'escalate: strategy, rung 3'],
    ['consecutive_failures', 'nudge: strategy, rung 2'],
    ['validation_failure', 'nudge: strategy, rung 2'],
    ['gate_blocked', 'nudge: strategy, rung 2'],
    ['context_pollution', 'nudge: strategy, rung 2'],
  ])('takes the strategy of %s when feedback did not help', (detector, expected) => {
    const agent = situation({ supervised: true });
    expect(story(facts({ agent }, { detector, attempts: [attempt()] }))).toBe(expected);
  });

  it('starts nothing on its own without a supervisor: the person is asked', () => {
    expect(story(facts({}, { detector: 'cycle', attempts: [attempt()] }))).toBe('ask: start_needs_person, rung 5');
    const agent = situation({ supervised: true });
    expect(story(facts({ agent, tiers: [] }, { detector: 'cycle', attempts: [attempt()] }))).toBe(
      'ask: no_models, rung 5',
    );
  });

  it('asks after two attempts that did not help, whether made by it or by a person', () => {
    const two = [
      attempt(),
      attempt({ attempt: 2, message: 'M2', at: NOW - 60_000, takenAt: NOW - 50_000, automated: false }),
    ];
    expect(story(facts({}, { attempts: two }))).toBe('ask: two_failures, rung 5');
  });

  it('asks when a limit is reached: incident, plan item, agent, all', () => {
    const entry = { at: NOW - 60_000, incident: 'other', session: 'session-1', planItem: '2' };
    const plan = [{ id: '2', title: 'Fix add()', status: 'in_progress' as const }];
    const reach = (limits: object, ledger = [entry]) =>
      story(facts({ agent: situation({ plan }), limits: { ...DEFAULT_LIMITS, ...limits } }), { ledger });
    expect(reach({})).toBe('nudge: first_feedback, rung 2');
    expect(reach({ perIncident: 0 })).toBe('ask: limit_incident, rung 5');
    expect(reach({ perPlanItem: 1 })).toBe('ask: limit_plan_item, rung 5');
    expect(reach({ perAgent: 1 })).toBe('ask: limit_agent, rung 5');
    expect(reach({ global: 1 }, [{ ...entry, session: 'another' }])).toBe('ask: limit_global, rung 5');
    expect(reach({ perAgent: 1 }, [{ ...entry, at: NOW - 2 * 3_600_000 }])).toBe('nudge: first_feedback, rung 2');
  });

  it('asks when its plan is blocked and nothing in it can continue', () => {
    const plan = [
      { id: '1', title: 'Fix', status: 'blocked' as const },
      { id: '2', title: 'Release', status: 'pending' as const, blockedBy: ['1'] },
    ];
    expect(story(facts({ agent: situation({ plan }) }))).toBe('ask: no_independent_work, rung 5');
  });

  it('never acts on a guess, a warning or an agent that waits, never makes more than two attempts, and always has a reason', () => {
    const made = fc.array(fc.constantFrom('same', 'changed', undefined), { maxLength: 4 });
    fc.assert(
      fc.property(
        fc.constantFrom(...DETECTOR_IDS),
        fc.constantFrom('counted', 'guessed'),
        fc.constantFrom('warn', 'stuck'),
        fc.constantFrom(null, 'permission', 'question', 'turn_end'),
        fc.boolean(),
        made,
        (detector, certainty, level, waitingFor, supervised, outcomes) => {
          const attempts = outcomes.map((outcome, index) => {
            const { outcome: _, ...rest } = attempt({ attempt: index + 1, message: `M${index}`, takenAt: T0 + index });
            return outcome ? { ...rest, outcome } : rest;
          });
          const agent = situation({ waitingFor, supervised });
          const decision = auto(facts({ agent }, { detector, certainty, level, attempts }));
          const acts = !['nothing', 'wait', 'ask'].includes(decision.do);
          if (certainty === 'guessed' || level === 'warn' || waitingFor !== null) expect(decision.do).toBe('nothing');
          if (outcomes.length >= 2) expect(acts).toBe(false);
          expect(decision.text).not.toBe('');
        },
      ),
    );
  });
});

describe('clicks', () => {
  const click = (of: RecoveryFacts, action: (typeof RECOVERY_ACTIONS)[number]) => decideClick(of, { action });

  it('send no second nudge while the first waits, whichever window sent it', () => {
    const waiting = attempt({ state: 'queued', automated: false, at: NOW - MINUTE });
    const of = (changes: Partial<typeof waiting>) => facts({}, { attempts: [{ ...waiting, ...changes }] });
    for (const action of ['nudge', 'split'] as const)
      expect(click(of({}), action)).toMatchObject({ do: 'nothing', reason: 'nudge_queued' });
    expect(click(of({ state: 'withdrawn' }), 'nudge').do).toBe('nudge');
    expect(click(of({ state: 'expired' }), 'nudge').do).toBe('nudge');
    expect(click(of({ kind: 'block' }), 'nudge').do).toBe('nudge');
    // It is no longer checked whether it was taken.
    expect(click(of({ at: NOW - 11 * MINUTE }), 'nudge').do).toBe('nudge');
  });

  it('start an agent again as the ladder says, once its process is gone', () => {
    const agent = situation({ liveness: 'gone', state: { kind: 'finished', since: NOW } });
    expect(click(facts({ agent }), 'resume')).toMatchObject({
      do: 'restart',
      start: { mode: 'resume' },
      via: 'terminal',
    });
    expect(click(facts({ agent }), 'next_model')).toMatchObject({
      do: 'escalate',
      start: { mode: 'fresh', model: 'opus' },
    });
    expect(click(facts({ agent }), 'top_model').start).toEqual({ mode: 'fresh', model: 'opus', thinking: 'high' });
  });

  it('never open a terminal over a living process', () => {
    for (const action of RECOVERY_ACTIONS) {
      const decision = click(facts({ agent: situation({ takes: [] }) }), action);
      // If no message ends it, its person does.
      expect([undefined, 'terminal_after_stop']).toContain(decision.via);
    }
    expect(click(facts(), 'fresh')).toMatchObject({ via: 'terminal_after_stop', savesWork: true });
    expect(click(facts({ agent: situation({ supervised: true }) }), 'fresh').via).toBe('supervisor');
  });

  it('write nothing to an agent that asks its user, and say why', () => {
    const agent = situation({ waitingFor: 'permission' });
    expect(click(facts({ agent }), 'nudge')).toMatchObject({ do: 'nothing', text: REASON_TEXTS.waits_for_permission });
    expect(click(facts({ agent: situation({ waitingFor: 'turn_end' }) }), 'nudge').do).toBe('nudge');
  });

  it('split the work only if the plan names a smaller step', () => {
    expect(click(facts(), 'split').reason).toBe('no_smaller_step');
    const plan = [
      { id: '2', title: 'Fix', status: 'in_progress' as const },
      { id: '2.1', title: 'Reproduce', status: 'pending' as const },
    ];
    expect(click(facts({ agent: situation({ plan }) }), 'split')).toMatchObject({ do: 'nudge', split: true });
  });

  it('say why a way does not exist', () => {
    const agent = situation({ liveness: 'gone' });
    const ways = { resume: null, fork: 'It cannot be copied.', fresh: null };
    expect(click(facts({ agent, ways }), 'fork')).toMatchObject({ do: 'nothing', text: 'It cannot be copied.' });
    expect(click(facts({ agent, tiers: [] }), 'next_model').reason).toBe('no_models');
    expect(click(facts({ callKnown: false }), 'block').reason).toBe('no_call');
  });
});
