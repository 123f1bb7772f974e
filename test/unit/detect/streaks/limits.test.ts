import { describe, expect, test } from 'vitest';
import type { PastStep, Weight } from '../../../../src/detect/steps/step';
import { levelOf, limitsFor } from '../../../../src/detect/streaks/limits';
import type { Level } from '../../../../src/core/model';
import { presetOptions } from '../../../../src/core/rules/options';
import { sessionOf } from './past';

const OPTIONS = presetOptions('repeating_action', 'balanced');

/** This many equal steps, this many seconds apart. `requested`: seconds that each wait was asked to last. */
function steps(count: number, seconds: number, requested = 0): PastStep[] {
  const { newest } = sessionOf([{ requestedWait: requested * 1000 }]);
  return Array.from({ length: count }, (_, index) => ({ ...newest, index, at: index * seconds * 1000 }));
}

const level = (weight: Weight, count: number, seconds: number, requested = 0): Level | null =>
  levelOf(count, weight, steps(count, seconds, requested), OPTIONS);

describe('steps that are not waits', () => {
  test.each<Weight>(['plain', 'look', 'change'])('%s: 3 warn, 4 are stuck, however fast', (weight) => {
    expect([1, 2, 3, 4, 5].map((count) => level(weight, count, 0))).toEqual([null, null, 'warn', 'stuck', 'stuck']);
  });

  test('follow the preset', () => {
    const patient = presetOptions('repeating_action', 'patient');
    expect(patient.warn).toBeGreaterThan(OPTIONS.warn);
    for (const weight of ['plain', 'look'] as const)
      expect(limitsFor(weight, patient)).toMatchObject({ warn: patient.warn, stuck: patient.stuck });
  });
});

describe('waits', () => {
  test('need ten equal ones to warn and twenty to be stuck', () => {
    expect([9, 10, 19, 20].map((count) => level('wait', count, 60))).toEqual([null, 'warn', 'warn', 'stuck']);
  });

  test('need two minutes to be stuck, one to warn', () => {
    const lasting = (seconds: number): Level | null => {
      const all = steps(20, 0).map((step, index) => ({ ...step, at: (index * seconds * 1000) / 19 }));
      return levelOf(20, 'wait', all, OPTIONS);
    };
    expect([59, 60, 119, 120].map(lasting)).toEqual([null, 'warn', 'warn', 'stuck']);
  });

  test('need twenty times the requested time, half of that to warn', () => {
    // twenty waits of a minute each: 20 min, and 10 min to warn
    const lasting = (minutes: number): Level | null => {
      const all = steps(20, 0, 60).map((step, index) => ({ ...step, at: (index * minutes * 60_000) / 19 }));
      return levelOf(20, 'wait', all, OPTIONS);
    };
    expect([9, 10, 19, 20].map(lasting)).toEqual([null, 'warn', 'warn', 'stuck']);
  });

  test('go by the longest requested wait', () => {
    const all = steps(25, 60, 10).map((step, index) => (index === 3 ? { ...step, requestedWait: 600_000 } : step));
    expect(levelOf(25, 'wait', all, OPTIONS)).toBeNull();
  });

  test('are counted by their number, not by how many are kept', () => {
    const all = steps(200, 60);
    expect(levelOf(20, 'wait', [...all.slice(0, 3), ...all.slice(-3)], OPTIONS)).toBe('stuck');
    expect(levelOf(9, 'wait', all, OPTIONS)).toBeNull();
  });
});
