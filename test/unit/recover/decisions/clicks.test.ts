import { describe, expect, it } from 'vitest';
import { type Incident, RECOVERY_ACTIONS, type RecoveryAction } from '../../../../src/core/model';
import { type RecoveryFacts, REASON_TEXTS } from '../../../../src/recover/decisions/decision';
import { decideClick } from '../../../../src/recover/decisions/click';
import { MINUTE } from '../../history/support/incidents';
import { NOW, attempt, facts, situation } from '../kit';

type Agent = Parameters<typeof situation>[0];

/** A click in one line: what it does, why, on which rung. */
function click(
  action: RecoveryAction,
  agent: Agent = {},
  more: Partial<RecoveryFacts> = {},
  of: Partial<Incident> = {},
) {
  const decision = decideClick(facts({ ...more, agent: situation(agent) }, of), { action });
  const what = decision.do === 'nothing' ? decision.reason : decision.do;
  return `${what}${decision.rung ? `, rung ${decision.rung.number}` : ''}${decision.savesWork ? ', saves work' : ''}`;
}

const all = (agent: Agent, of: Partial<Incident> = {}) =>
  Object.fromEntries(RECOVERY_ACTIONS.map((action) => [action, click(action, agent, {}, of)]));
const gone = { liveness: 'gone' } as const;

describe('a click', () => {
  it('takes the rung of its action, if it has one', () => {
    expect(all({})).toEqual({
      nudge: 'nudge, rung 2',
      split: 'no_smaller_step, rung 2',
      resume: 'restart, rung 2, saves work',
      fresh: 'restart, saves work',
      next_model: 'escalate, rung 3, saves work',
      top_model: 'escalate, rung 4, saves work',
      fork: 'restart, saves work',
      reassign: 'reassign, rung 3',
      stop: 'stop',
      checkpoint: 'checkpoint',
      block: 'block, rung 2',
      ask: 'ask, rung 5',
    });
  });

  it('does nothing in a folder that is not trusted', () => {
    for (const action of RECOVERY_ACTIONS) expect(click(action, { trusted: false })).toMatch(/^untrusted/);
  });

  it('writes no message outside the open folders', () => {
    expect(all({ inFolder: false })).toMatchObject({
      nudge: 'no_folder, rung 2',
      split: 'no_folder, rung 2',
      reassign: 'no_folder, rung 3',
      stop: 'no_folder',
      checkpoint: 'no_folder',
      block: 'no_folder, rung 2',
    });
  });

  it('stops only what runs, and what accepts a stop or has a supervisor', () => {
    expect(click('stop', gone)).toBe('finished');
    expect(click('stop', { state: { kind: 'finished', since: NOW, ended: 'clean' } })).toBe('finished');
    expect(click('stop', { takes: ['nudge'] })).toBe('not_connected');
    expect(click('stop', { takes: [], supervised: true })).toBe('stop');
    expect(click('stop', { liveness: 'unknown' })).toBe('stop');
  });

  it('refuses only a call that was counted, is known word by word, and reaches an agent that accepts it', () => {
    expect(click('block', {}, {}, { certainty: 'guessed' })).toBe('only_counted_loops, rung 2');
    expect(click('block', {}, { callKnown: false })).toBe('no_call, rung 2');
    expect(click('block', { takes: ['nudge'] })).toBe('not_connected, rung 2');
    expect(click('block', { waitingFor: 'question' })).toBe('waits_for_answer, rung 2');
  });

  it('asks the person once, about what is active', () => {
    expect(click('ask', {}, {}, { state: 'escalated' })).toBe('already_asked, rung 5');
    expect(click('ask', {}, {}, { state: 'recovered' })).toBe('over, rung 5');
  });

  it('says why a model cannot be chosen, or the agent cannot be started', () => {
    expect(click('next_model', {}, { tiers: [] })).toBe('no_models, rung 3');
    const ways = { resume: null, fork: 'it cannot fork', fresh: null };
    const decision = decideClick(facts({ agent: situation(gone), ways }), { action: 'fork' });
    expect(decision).toMatchObject({ do: 'nothing', reason: 'no_way_to_start', text: 'it cannot fork' });
  });

  it('saves work before a start unless the process is gone and its rule does not ask for it', () => {
    expect(click('fresh', gone)).toBe('restart');
    expect(click('fresh', gone, {}, { detector: 'token_exhaustion' })).toBe('restart, saves work');
  });

  it('sends a second nudge only once the first can no longer be taken', () => {
    const queued = (at: number) => ({ attempts: [attempt({ state: 'queued', at })] });
    expect(click('nudge', {}, {}, queued(NOW - 10 * MINUTE + 1))).toBe('nudge_queued, rung 2');
    expect(click('nudge', {}, {}, queued(NOW - 10 * MINUTE))).toBe('nudge, rung 2');
    const gate = { attempts: [attempt({ state: 'queued', kind: 'gate', at: NOW })] };
    expect(click('nudge', {}, {}, gate)).toBe('nudge, rung 2');
  });

  it('gives its reason in words', () => {
    expect(decideClick(facts(), { action: 'nudge' })).toMatchObject({ reason: 'clicked', text: REASON_TEXTS.clicked });
    expect(decideClick(facts(), { action: 'nudge' })).not.toHaveProperty('split');
  });
});

describe('a click on a rung', () => {
  const on = (rung: number) => {
    const { do: what, reason, rung: taken } = decideClick(facts(), { rung });
    return [what, reason, taken?.number];
  };

  it('does what the rung does', () => {
    expect([1, 2, 3, 4, 5, 6].map(on)).toEqual([
      ['nothing', 'as_is', 1],
      ['nudge', 'clicked', 2],
      ['escalate', 'clicked', 3],
      ['escalate', 'clicked', 4],
      ['ask', 'clicked', 5],
      ['nothing', 'no_such_rung', undefined],
    ]);
  });
});
