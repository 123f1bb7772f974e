import { describe, expect, it } from 'vitest';
import type { Incident, RecoveryAttempt } from '../../../src/core/model';
import { countedSince, lastCountedAt, madeAttempts, attemptResult } from '../../../src/recover/attempts';
import { MINUTE, T0, incident } from '../history/support/incidents';
import { attempt } from './kit';

/** The result of the first of these attempts. */
function result(attempts: RecoveryAttempt[], of: Partial<Incident> = {}): string {
  return attemptResult(incident({ ...of, attempts }), attempts[0] as RecoveryAttempt);
}

const TAKEN = T0 + 11 * MINUTE;
/** Evidence that the rule counted once more at this time. */
const countedAt = (at: number, role: 'repeat' | 'between' = 'repeat'): Partial<Incident> => ({
  evidence: [...incident().evidence, { ...incident().evidence[0], at, role } as Incident['evidence'][number]],
});

describe('the result of an attempt', () => {
  it('is unknown to the agent while it waits, was withdrawn, or did not arrive', () => {
    expect(result([attempt({ state: 'queued' })])).toBe('waiting');
    expect(result([attempt({ state: 'withdrawn' })])).toBe('withdrawn');
    expect(result([attempt({ state: 'expired' })])).toBe('not_delivered');
    expect(result([attempt({ state: 'failed' })])).toBe('not_delivered');
  });

  it('is failure if the next calls gave the same result, or another attempt followed', () => {
    expect(result([attempt({ outcome: 'same' })])).toBe('failed');
    expect(result([attempt({ outcome: 'changed' }), attempt({ message: 'M2' })])).toBe('failed');
  });

  it('is watched while the next calls are new', () => {
    const taken = attempt({ state: 'taken', takenAt: TAKEN, outcome: 'changed' });
    expect(result([taken])).toBe('watching');
    expect(result([taken], countedAt(TAKEN))).toBe('watching');
    expect(result([taken, attempt({ message: 'M2', state: 'queued', takenAt: undefined as never })])).toBe('watching');
  });

  it('is failure if the loop came back after new calls', () => {
    const taken = attempt({ state: 'seen', takenAt: TAKEN, outcome: 'changed' });
    expect(result([taken], countedAt(TAKEN + 1))).toBe('failed');
    expect(result([taken], countedAt(TAKEN + 1, 'between'))).toBe('watching');
  });

  it('is recovery only if progress followed', () => {
    expect(result([attempt()], { resolvedAt: T0, state: 'recovered' })).toBe('recovered');
    expect(result([attempt()], { resolvedAt: T0, state: 'unknown' })).toBe('unknown');
  });
});

describe('attempts that count', () => {
  it('leave out what was withdrawn before it was taken', () => {
    const attempts = [attempt({ state: 'withdrawn' }), attempt({ message: 'M2' })];
    expect(madeAttempts(incident({ attempts })).map(({ message }) => message)).toEqual(['M2']);
  });
});

describe('a restart by the supervisor that started no agent', () => {
  it('is not an attempt that counts; a message that did not arrive is', () => {
    const failed = (kind: RecoveryAttempt['kind']) => attempt({ kind, message: kind, state: 'failed' });
    const attempts = [failed('restart'), failed('escalate'), failed('nudge')];
    expect(madeAttempts(incident({ attempts })).map(({ kind }) => kind)).toEqual(['nudge']);
  });
});

describe('the last time that a rule counted', () => {
  it('is the newest of its evidence, and never before it turned stuck', () => {
    const bare = incident({ evidence: [] });
    expect(lastCountedAt(bare)).toBe(bare.stuckAt);
    expect(lastCountedAt({ ...bare, stuckAt: null })).toBe(bare.openedAt);
    expect(lastCountedAt(incident(countedAt(TAKEN)))).toBe(TAKEN);
    expect(lastCountedAt(incident(countedAt(TAKEN, 'between')))).toBe(lastCountedAt(incident()));
  });

  it('is after a given moment or not', () => {
    const at = lastCountedAt(incident());
    expect([countedSince(incident(), at - 1), countedSince(incident(), at)]).toEqual([true, false]);
  });
});
