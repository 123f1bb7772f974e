import { describe, expect, test } from 'vitest';
import { Periods } from '../../../../src/detect/streaks/periods';
import { sessionOf } from './past';

/** Returns the repeat at the end of a run; each letter is one outcome. */
function found(letters: string) {
  const periods = new Periods();
  for (const [index, letter] of letters.split('').entries()) periods.add(letter.charCodeAt(0), index);
  const period = periods.find();
  return period && `${period.period} × ${period.laps}`;
}

describe('steps that take turns', () => {
  test.each([
    ['abab', '2 × 2'],
    ['ababa', '2 × 2'],
    ['ababab', '2 × 3'],
    ['xyababab', '2 × 3'],
    ['abcabc', '3 × 2'],
    ['aabaab', '3 × 2'],
    ['abcdefghijklabcdefghijkl', '12 × 2'],
  ])('%s are rounds: %s', (letters, rounds) => {
    expect(found(letters)).toBe(rounds);
  });

  test.each([
    ['ab', 'one round'],
    ['aba', 'a round and a half'],
    ['ababx', 'the last one broke it'],
    ['aaaa', 'one thing in a row is no round: another rule counts it'],
    ['abababbb', 'nor is it after rounds'],
    ['abcdefghijklmabcdefghijklm', 'rounds of thirteen are not looked for'],
  ])('%s are not: %s', (letters) => {
    expect(found(letters)).toBeNull();
  });

  test('of several lengths, the shortest counts', () => {
    expect(found('abababab')).toBe('2 × 4');
  });

  test('one thing twice at the end of a round is part of it', () => {
    expect(found('abbabb')).toBe('3 × 2');
  });

  test('are looked for up to twelve steps', () => {
    expect(found('abcdefghijklmabcdefghijklm')).toBeNull();
  });

  test('are counted over a run of any length', () => {
    expect(found('ab'.repeat(500))).toBe('2 × 500');
    expect(found(`${'xyz'.repeat(100)}${'ab'.repeat(10)}`)).toBe('2 × 10');
  });

  test('start again after a reset', () => {
    const periods = new Periods();
    for (const token of [1, 2, 1]) periods.add(token, token);
    periods.reset();
    for (const token of [2, 1, 2]) periods.add(token, token);
    expect(periods.find()).toBeNull();
    periods.add(1, 1);
    expect(periods.find()).toEqual({ period: 2, laps: 2 });
  });
});

describe('the newest entries', () => {
  test('come oldest first: steps by their index, and entries that are not steps as they are', () => {
    const { newest, context } = sessionOf([{}, {}, {}]);
    const error = { ...newest, subject: 'an error' };
    const periods = new Periods();
    for (const entry of [0, 1, error, 2]) periods.add(1, entry);
    expect(periods.newest(3, context).map(({ subject }) => subject)).toEqual(['step 1', 'an error', 'step 2']);
    expect(periods.newest(99, context)).toHaveLength(4);
  });

  test('are limited to what is remembered, by the session and here', () => {
    const { context } = sessionOf(Array.from({ length: 600 }, () => ({})));
    const periods = new Periods();
    for (let index = 0; index < 600; index++) periods.add(1, index);
    const steps = periods.newest(200, context);
    expect([steps.length, steps[0]?.index, steps.at(-1)?.index]).toEqual([128, 472, 599]);
    periods.reset();
    expect(periods.newest(5, context)).toEqual([]);
    // The session has forgotten step 2.
    periods.add(1, 2);
    expect(periods.newest(5, context)).toEqual([]);
  });
});
