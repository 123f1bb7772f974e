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

  it('is the person where nothing else can be done', () => {
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

  it('stands on the first rung before anything was tried', () => {
    expect(rows()).toEqual([
      'as_is: current, no change',
      'feedback: coming',
      'next_model: coming, opus',
      'top_model: coming, opus, high',
      'ask: coming',
    ]);
  });

  it('counts the nudges that were used', () => {
    expect(rows({}, { attempts: [failed('feedback', 'A')] }).slice(0, 2)).toEqual([
      'as_is: done, no change',
      'feedback: current, 1 of 2 nudges used',
    ]);
  });

  it('says what came of a rung, and which one was skipped', () => {
    expect(rows({ agent: DONE }, { attempts: [failed('next_model', 'A')] })).toEqual([
      'as_is: done, no change',
      'feedback: off',
      'next_model: current, no change',
      'top_model: coming, opus, high',
      'ask: coming',
    ]);
  });

  it('says why a rung cannot be taken', () => {
    expect(rows({ tiers: [] }).slice(2, 4)).toEqual([
      'next_model: off, no models set',
      'top_model: off, no models set',
    ]);
    const ways = { resume: null, fork: null, fresh: 'its command is not known' };
    expect(rows({ ways }).slice(2, 4)).toEqual([
      'next_model: off, cannot be started',
      'top_model: off, cannot be started',
    ]);
    expect(rows({ ways, agent: situation({ supervised: true }) })[2]).toBe('next_model: coming, opus');
  });

  it('stands on the last rung once the person is asked', () => {
    expect(rows({}, { state: 'escalated' }).at(-1)).toBe('ask: current');
  });
});
