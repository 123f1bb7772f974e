import { describe, expect, it } from 'vitest';
import { DEFAULT_LADDER } from '../../../../src/recover/ladder';
import { ladderView, proposedRung } from '../../../../src/recover/decisions/ladder-view';
import { T0 } from '../../history/support/incidents';
import { attempt, facts, situation } from '../kit';

const DONE = situation({ liveness: 'gone' });
const failed = (rung: NonNullable<Parameters<typeof attempt>[0]>['rung'], message: string) =>
  attempt({ message, kind: rung === 'feedback' ? 'nudge' : 'restart', ...(rung && { rung }), outcome: 'same' });

describe('the rung that is offered next', () => {
  it('is feedback while nothing was tried', () => {
    expect(proposedRung(facts())?.kind).toBe('feedback');
  });

  it('is none while a message is under way, or once the incident is over or with the person', () => {
    expect(proposedRung(facts({}, { attempts: [attempt({ state: 'queued' })] }))).toBeNull();
    expect(proposedRung(facts({}, { attempts: [attempt({ state: 'taken', outcome: 'changed' })] }))).toBeNull();
    expect(proposedRung(facts({}, { resolvedAt: T0 }))).toBeNull();
    expect(proposedRung(facts({}, { state: 'escalated' }))).toBeNull();
  });

  it('is a rung only as often as it may be tried', () => {
    const ladder = DEFAULT_LADDER.filter((rung) => rung.kind === 'feedback' || rung.kind === 'ask');
    const feedback = DEFAULT_LADDER.find((rung) => rung.kind === 'feedback');
    expect(feedback?.tries).toBe(2);
    expect(proposedRung(facts({ ladder }, { attempts: [failed('feedback', 'A')] }))?.kind).toBe('feedback');
    const twice = [failed('feedback', 'A'), failed('feedback', 'B')];
    expect(proposedRung(facts({ ladder }, { attempts: twice }))?.kind).toBe('ask');
  });

  it('never goes down again', () => {
    const attempts = [failed('next_model', 'A')];
    expect(proposedRung(facts({ agent: DONE }, { attempts }))?.kind).not.toBe('feedback');
  });

  it('is the person if nothing else can be done', () => {
    const none = { resume: 'no way', fork: 'no way', fresh: 'no way' };
    const attempts = [failed('feedback', 'A'), failed('feedback', 'B')];
    expect(proposedRung(facts({ tiers: [], ways: none }, { attempts }))?.kind).toBe('ask');
  });
});

describe('the ladder as the panel shows it', () => {
  const rows = (...args: Parameters<typeof facts>) =>
    ladderView(facts(...args)).rows.map(
      ({ kind, state, note }) => `${kind}: ${state}${note === '' ? '' : `, ${note}`}`,
    );

  it('lists what could be done before anything was tried, without continuing as it is', () => {
    expect(rows()).toEqual([
      'feedback: coming',
      'next_model: coming, opus',
      'top_model: coming, opus, --effort high',
      'ask: coming',
    ]);
  });

  it('says what was done on a step, when, and with what result', () => {
    const at = Date.parse('2026-01-01T17:09:00');
    const nudged = { ...failed('feedback', 'A'), at };
    expect(rows({}, { attempts: [nudged] })[0]).toBe('feedback: current, nudged 17:09, no change');
    const again = { ...failed('feedback', 'B'), at: at + 180_000 };
    expect(rows({}, { attempts: [nudged, again] })[0]).toBe('feedback: current, nudged 2 times, last 17:12, no change');
    const waiting = { ...attempt({ state: 'queued' }), at };
    expect(rows({}, { attempts: [waiting] })[0]).toBe('feedback: current, nudged 17:09, not delivered yet');
  });

  it('promises more thinking only if the agent has an option for it', () => {
    expect(rows({ moreThinking: null })).toContain('top_model: coming, opus');
  });

  it('names the reached limit of automatic actions, with its numbers, on the step that is left', () => {
    const ask = (limit: Parameters<typeof ladderView>[1]) => ladderView(facts(), limit).rows.at(-1)?.note;
    expect(ask(null)).toBe('');
    expect(ask('limit_incident')).toBe('limit reached: 2 for this incident');
    expect(ask('limit_plan_item')).toBe('limit reached: 3 in 60 min for this plan item');
    expect(ask('limit_agent')).toBe('limit reached: 6 in 60 min for this agent');
    expect(ask('limit_global')).toBe('limit reached: 20 in 60 min for all agents');
  });

  it('has no step that was skipped', () => {
    const restarted = { ...failed('next_model', 'A'), at: Date.parse('2026-01-01T17:20:00') };
    expect(rows({ agent: DONE }, { attempts: [restarted] })).toEqual([
      'next_model: current, restarted 17:20, no change',
      'top_model: coming, opus, --effort high',
      'ask: coming',
    ]);
  });

  it('has no step that cannot be taken: the menu says why', () => {
    expect(rows({ tiers: [] })).toEqual(['feedback: coming', 'ask: coming']);
    const ways = { resume: null, fork: null, fresh: 'its command is not known' };
    expect(rows({ ways })).toEqual(['feedback: coming', 'ask: coming']);
    expect(rows({ ways, agent: situation({ supervised: true }) })[1]).toBe('next_model: coming, opus');
  });

  it('is on the last rung once the person is asked', () => {
    expect(rows({}, { state: 'escalated' }).at(-1)).toBe('ask: current');
  });
});
