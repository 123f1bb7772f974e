import { describe, expect, test } from 'vitest';
import type { PastStep } from '../../../../src/detect/steps/step';
import { equalSteps, saidInAll } from '../../../../src/detect/streaks/equal-steps';
import { sessionOf } from './past';

type Drawn = Partial<PastStep>;

/** The call that repeats, by weight: an act is plain and succeeds. */
const act: Drawn = { signature: 1, outcome: 1 };
const plain: Drawn = { ...act, failed: true };
const suite: Drawn = { ...act, check: true };
const look: Drawn = { ...act, weight: 'look' };
const wait: Drawn = { ...act, weight: 'wait' };
const change: Drawn = { ...act, weight: 'change', changes: true };

/** Steps that can lie in between. */
const edit: Drawn = { weight: 'change', changes: true };
const news: Drawn = { isNew: true };
const read: Drawn = { weight: 'look', isNew: true };
const knownRead: Drawn = { weight: 'look' };
const check: Drawn = { check: true };
const better: Drawn = { check: true, failed: true, isNew: true };
const moved: Drawn = { movesHead: true };
const nothing: Drawn = { outcome: -2 };

/** Counts the steps that are equal to the newest of them. */
const count = (steps: readonly Drawn[], window = 20, user = 0): number => {
  const { newest, context } = sessionOf(steps, user);
  return equalSteps(newest, context, window).length;
};

describe('what restarts the count of equal steps', () => {
  test.each<[string, Drawn, Drawn, boolean]>([
    ['of a failure no edit does: that is the loop', plain, edit, false],
    ['of a failure nothing new of another call does', plain, news, false],
    ['of a failure no passing check does', plain, check, false],
    ['of a failure another commit under the work tree does', plain, moved, true],
    ['of a check no edit does', suite, edit, false],
    ['of a check nothing new of another call does', suite, news, false],
    ['of a check another commit under the work tree does', suite, moved, true],
    ['of an act anything new does', act, news, true],
    ['of an act a check that got better does', act, better, true],
    ['of an act no edit does by itself', act, edit, false],
    ['of an act no known check does', act, check, false],
    ['of a look another commit under the work tree does', look, moved, true],
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

  test('a message from a person', () => {
    expect(count([plain, plain, plain, plain], 20, 2)).toBe(2);
    expect(count([wait, wait, wait], 20, 3)).toBe(0);
  });
});

describe('what counts', () => {
  test('an exempt step is skipped', () => {
    expect(count([plain, { ...plain, counted: false }, plain])).toBe(2);
  });

  test('the same words of another call are not a repeat', () => {
    expect(count([{ signature: 2, outcome: 2 }, plain, plain])).toBe(2);
  });

  test('within the window; for waits, over all that is remembered', () => {
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

  test('a window of messages, however many steps each has', () => {
    const round = (message: number): Drawn[] =>
      [plain, ...Array.from({ length: 7 }, () => knownRead)].map((one) => ({
        ...one,
        message,
      }));
    const rounds = (length: number): Drawn[] => Array.from({ length }, (_, message) => round(message)).flat();
    expect(count([...rounds(12), { ...plain, message: 12 }], 20)).toBe(13);
    expect(count([...rounds(30), { ...plain, message: 30 }], 20)).toBe(20);
  });

  test('the oldest comes first', () => {
    const { newest, context } = sessionOf([plain, edit, plain, plain]);
    expect(equalSteps(newest, context, 20).map(({ index }) => index)).toEqual([0, 2, 3]);
  });
});

describe('whatever is in between', () => {
  test('all that are remembered count', () => {
    const { newest, context } = sessionOf(Array.from({ length: 40 }, () => [edit, check, news, look]).flat());
    expect(equalSteps(newest, context, 20)).toHaveLength(1);
    // 128 messages are remembered, every fourth is the look
    expect(saidInAll(newest, context)).toHaveLength(32);
  });

  test('but those before a message from a person do not', () => {
    const { newest, context } = sessionOf(
      Array.from({ length: 10 }, () => look),
      4,
    );
    expect(saidInAll(newest, context)).toHaveLength(6);
  });
});
