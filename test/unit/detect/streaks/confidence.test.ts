import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import {
  type Alerted,
  calibrationError,
  isMeasured,
  leaveOneOutError,
  shares,
} from '../../../bench/support/calibration.mjs';
import { CONFIDENCE } from '../../../../src/detect/streaks/confidence';

/** This many runs with this level, the first `right` of which were stuck. */
function runs(level: Alerted['level'], right: number, all: number): Alerted[] {
  return Array.from({ length: all }, (_, index) => ({ level, stuck: index < right }));
}

describe('the two values of confidence', () => {
  test('are the shares that docs/evaluation.md has, in hundredths', () => {
    const row = /^\| all \| (\d+) of (\d+) \| (\d+) of (\d+) \|/m.exec(readFileSync('docs/evaluation.md', 'utf8'));
    const [stuckRight = 0, stuckAll = 0, warnRight = 0, warnAll = 0] = (row ?? []).slice(1).map(Number);
    const measured = [...runs('stuck', stuckRight, stuckAll), ...runs('warn', warnRight, warnAll)];
    expect(measured.length).toBeGreaterThan(20);
    expect(isMeasured(CONFIDENCE, shares(measured))).toBe(true);
  });
});

describe('npm run bench -- calibrate', () => {
  test('takes the share of runs that were stuck at each level', () => {
    expect(shares([...runs('stuck', 9, 10), ...runs('warn', 1, 4)])).toEqual({ stuck: 0.9, warn: 0.25 });
  });

  test('knows nothing about a level that no run has', () => {
    expect(shares(runs('stuck', 1, 1))).toEqual({ stuck: 1, warn: 0.5 });
  });

  test('finds no error if predictions came true as often as predicted', () => {
    expect(calibrationError(runs('warn', 1, 4).map(({ stuck }) => ({ said: 0.25, stuck })))).toBe(0);
  });

  test('adds up the errors of the bins, overconfident and underconfident alike', () => {
    const said = [
      { said: 0.95, stuck: false },
      { said: 0.15, stuck: true },
    ];
    expect(calibrationError(said)).toBeCloseTo(0.9);
  });

  test('does not use the outcome of a run when it leaves it out', () => {
    // each of two that differ is predicted from the other one's outcome, and both are wrong
    expect(leaveOneOutError(runs('stuck', 1, 2))).toBe(1);
    expect(leaveOneOutError(runs('stuck', 30, 30))).toBe(0);
    const some = runs('stuck', 1, 1);
    expect(leaveOneOutError(some, [...some, ...runs('stuck', 9, 10)])).toBeCloseTo(0.1);
  });

  test('fails if the constants differ by more than rounding', () => {
    const measured = { stuck: 20 / 21, warn: 2 / 15 };
    expect(isMeasured({ stuck: 0.95, warn: 0.13 }, measured)).toBe(true);
    expect(isMeasured({ stuck: 0.94, warn: 0.13 }, measured)).toBe(false);
    expect(isMeasured({ stuck: 0.95, warn: 0.14 }, measured)).toBe(false);
  });
});
