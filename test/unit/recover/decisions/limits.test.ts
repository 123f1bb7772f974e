import { describe, expect, it } from 'vitest';
import { DEFAULT_LIMITS, type LedgerEntry, limitReached, readLimits } from '../../../../src/recover/decisions/limits';
import { MINUTE } from '../../history/support/incidents';
import { NOW } from '../kit';

const HOUR = 60 * MINUTE;
const WHAT = { incident: 'I', session: 'S', planItem: 'P', now: NOW };

function entries(count: number, changes: Partial<LedgerEntry> = {}): LedgerEntry[] {
  return Array.from({ length: count }, (_, index) => ({
    at: NOW - MINUTE,
    incident: `other ${index}`,
    session: 'other',
    planItem: null,
    ...changes,
  }));
}

const reached = (ledger: readonly LedgerEntry[], what = WHAT) => limitReached(ledger, what, DEFAULT_LIMITS);

describe('a limit', () => {
  it('is reached by the last attempt that it allows', () => {
    expect(reached(entries(1, { incident: 'I' }))).toBeNull();
    expect(reached(entries(2, { incident: 'I' }))).toBe('limit_incident');
    const ofItem = { session: 'S', planItem: 'P' };
    expect(reached(entries(2, ofItem))).toBeNull();
    expect(reached(entries(3, ofItem))).toBe('limit_plan_item');
    expect(reached(entries(5, { session: 'S' }))).toBeNull();
    expect(reached(entries(6, { session: 'S' }))).toBe('limit_agent');
    expect(reached(entries(19))).toBeNull();
    expect(reached(entries(20))).toBe('limit_global');
  });

  it('of an incident has no window; all others forget what is older, and what other clocks put into the future', () => {
    expect(reached(entries(2, { incident: 'I', at: NOW - 50 * HOUR }))).toBe('limit_incident');
    expect(reached(entries(20, { at: NOW - HOUR }))).toBeNull();
    expect(reached(entries(20, { at: NOW - HOUR + 1 }))).toBe('limit_global');
    expect(reached(entries(20, { at: NOW }))).toBe('limit_global');
    expect(reached(entries(20, { at: NOW + 1 }))).toBeNull();
  });

  it('of a plan item counts in its own session, and only if there is a plan', () => {
    expect(reached(entries(3, { planItem: 'P' }))).toBeNull();
    expect(reached(entries(3, { session: 'S', planItem: null }), { ...WHAT, planItem: null as never })).toBeNull();
    expect(reached(entries(3, { session: 'S', planItem: 'Q' }))).toBeNull();
  });

  it('that is the narrowest is named', () => {
    const all = entries(30, { incident: 'I', session: 'S', planItem: 'P' });
    expect(reached(all)).toBe('limit_incident');
    expect(reached(entries(30, { session: 'S', planItem: 'P' }))).toBe('limit_plan_item');
    expect(reached(entries(30, { session: 'S' }))).toBe('limit_agent');
  });
});

describe('limits as a setting', () => {
  it('are the defaults if nothing usable is written', () => {
    for (const value of [undefined, null, 7, [], { perAgent: '6', delaySeconds: Number.NaN }])
      expect(readLimits(value)).toEqual(DEFAULT_LIMITS);
  });

  it('are kept inside their ranges', () => {
    const names = [
      'perIncident',
      'perPlanItem',
      'perAgent',
      'global',
      'windowMinutes',
      'delaySeconds',
      'expiryMinutes',
    ];
    const all = (value: number) => readLimits(Object.fromEntries(names.map((name) => [name, value])));
    expect(all(-5)).toEqual({
      perIncident: 0,
      perPlanItem: 0,
      perAgent: 0,
      global: 0,
      windowMs: MINUTE,
      delayMs: 0,
      expiryMs: MINUTE,
    });
    expect(all(1e6)).toEqual({
      perIncident: 2,
      perPlanItem: 50,
      perAgent: 100,
      global: 1000,
      windowMs: 24 * HOUR,
      delayMs: 600_000,
      expiryMs: 4 * HOUR,
    });
    expect(all(1.5)).toMatchObject({ perIncident: 1, perPlanItem: 1, perAgent: 1, global: 1, windowMs: 90_000 });
  });
});
