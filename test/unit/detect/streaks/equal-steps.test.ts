import { describe, expect, test } from 'vitest';
import type { PastStep } from '../../../../src/detect/steps/step';
import { equalSteps, saidInAll } from '../../../../src/detect/streaks/equal-steps';
import { sessionOf } from './past';

type Drawn = Partial<PastStep>;

/** The call that repeats, by weight. */
const plain: Drawn = { signature: 1, outcome: 1 };
const look: Drawn = { ...plain, weight: 'look' };
const wait: Drawn = { ...plain, weight: 'wait' };
const change: Drawn = { ...plain, weight: 'change', changes: true };

/** What can lie between. */
const edit: Drawn = { weight: 'change', changes: true };
const news: Drawn = { isNew: true };
const read: Drawn = { weight: 'look', isNew: true };
const knownRead: Drawn = { weight: 'look' };
const check: Drawn = { check: true };
const nothing: Drawn = { outcome: -2 };

/** How many are equal to the newest of them. */
const count = (steps: readonly Drawn[], window = 20, user = 0): number => {
  const { newest, context } = sessionOf(steps, user);
  return equalSteps(newest, context, window).length;
};

describe('what begins the count of equal steps anew', () => {
  test.each<[string, Drawn, Drawn, boolean]>([
    ['of a plain step no edit does: that is the loop', plain, edit, false],
    ['of a plain step nothing new of another call does', plain, news, false],
    ['of a plain step no passing check does', plain, check, false],
    ['of a look an edit does', look, edit, true],
    ['of a look a check does, whatever it says', look, check, true],
    ['of a look a new saying of what is no look does', look, news, true],
    ['of a look a new saying of another look does not', look, read, false],
    ['of a look nothing known does', look, knownRead, false],
    ['of a wait any new saying does, of a look too', wait, read, true],
    ['of a wait an edit does', wait, edit, true],
    ['of a wait nothing known does', wait, knownRead, false],
    ['of a wait no known check does', wait, check, false],
    ['of a change another change does: it was made again', change, edit, true],
    ['of a change no read does', change, read, false],
    ['what says nothing does not', look, nothing, false],
  ])('%s', (_, step, between, begins) => {
    expect(count([step, between, step, step])).toBe(begins ? 2 : 3);
  });

  test('a success of the same call that says something else', () => {
    expect(count([plain, { signature: 1, outcome: 2 }, plain, plain])).toBe(2);
  });

  test('but no other failure of it, nor a crash that is not flagged', () => {
    expect(count([plain, { signature: 1, outcome: 2, failed: true }, plain, plain])).toBe(3);
    expect(count([plain, { signature: 1, outcome: 2, crashed: true }, plain, plain])).toBe(3);
  });

  test('nor a result of it that says nothing', () => {
    expect(count([plain, { signature: 1, outcome: -7 }, plain])).toBe(2);
  });

  test('a message of a person', () => {
    expect(count([plain, plain, plain, plain], 20, 2)).toBe(2);
    expect(count([wait, wait, wait], 20, 3)).toBe(0);
  });
});

describe('what counts', () => {
  test('an exempt step is passed over', () => {
    expect(count([plain, { ...plain, counted: false }, plain])).toBe(2);
  });

  test('the same words of another call are no repeat', () => {
    expect(count([{ signature: 2, outcome: 2 }, plain, plain])).toBe(2);
  });

  test('within the window, and waits over all that is remembered', () => {
    expect(count(Array.from({ length: 60 }, () => plain))).toBe(20);
    expect(
      count(
        Array.from({ length: 60 }, () => plain),
        5,
      ),
    ).toBe(5);
    expect(count(Array.from({ length: 60 }, () => wait))).toBe(60);
    expect(count(Array.from({ length: 300 }, () => wait))).toBe(128);
  });

  test('the oldest comes first', () => {
    const { newest, context } = sessionOf([plain, edit, plain, plain]);
    expect(equalSteps(newest, context, 20).map(({ index }) => index)).toEqual([0, 2, 3]);
  });
});

describe('whatever lies between', () => {
  test('all that are remembered count', () => {
    const { newest, context } = sessionOf(Array.from({ length: 40 }, () => [edit, check, news, look]).flat());
    expect(equalSteps(newest, context, 20)).toHaveLength(1);
    // 128 steps are remembered, every fourth is the look
    expect(saidInAll(newest, context)).toHaveLength(32);
  });

  test('but those before a message of a person', () => {
    const { newest, context } = sessionOf(
      Array.from({ length: 10 }, () => look),
      4,
    );
    expect(saidInAll(newest, context)).toHaveLength(6);
  });
});
