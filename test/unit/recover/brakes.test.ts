import { describe, expect, it } from 'vitest';
import { canBrake, readBrakes } from '../../../src/recover/brakes';

describe('the brakes of a folder', () => {
  it('are off if nothing is set, or nothing that can be understood', () => {
    for (const value of [
      undefined,
      null,
      'block',
      4,
      [],
      {},
      { blockRepeat: '5' },
      { stopAtBudget: 'yes' },
      { stopAtBudget: 1 },
    ]) {
      const brakes = readBrakes(value);
      expect(brakes).toEqual({ blockRepeat: null, stopAtBudget: false });
      expect(canBrake(brakes)).toBe(false);
    }
  });

  it('never block one of the first three equal calls: a repeat is often right', () => {
    const blocked = [-1, 0, 3, 3.9, 4, 4.7, 1_000, 1_001, Number.NaN, Number.POSITIVE_INFINITY];
    expect(blocked.map((blockRepeat) => readBrakes({ blockRepeat }).blockRepeat)).toEqual([
      null,
      null,
      null,
      null,
      4,
      4,
      1_000,
      null,
      null,
      null,
    ]);
  });

  it('are independent of each other', () => {
    expect([readBrakes({ blockRepeat: 5 }), readBrakes({ stopAtBudget: true })].map(canBrake)).toEqual([true, true]);
    expect(readBrakes({ blockRepeat: 'often', stopAtBudget: true })).toEqual({ blockRepeat: null, stopAtBudget: true });
  });
});
