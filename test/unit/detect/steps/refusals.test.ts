import { describe, expect, test } from 'vitest';
import { Refusals } from '../../../../src/detect/steps/refusals';

describe('one long answer of an editing tool to different arguments', () => {
  test('is a refusal at the third of them, and from then on', () => {
    const refusals = new Refusals();
    expect([1, 2, 3, 4].map((call) => refusals.isRefusal(77, call))).toEqual([false, false, true, true]);
  });

  test('is not one while only one call gets it', () => {
    const refusals = new Refusals();
    for (let round = 0; round < 9; round++) expect(refusals.isRefusal(77, 1)).toBe(false);
    expect(refusals.isRefusal(77, 2)).toBe(false);
    expect(refusals.isRefusal(77, 3)).toBe(true);
  });

  test('is another answer if the texts differ', () => {
    const refusals = new Refusals();
    expect([1, 2, 3, 4].map((call) => refusals.isRefusal(70 + call, call))).toEqual([false, false, false, false]);
  });

  test('a short answer explains nothing, so it is never a refusal', () => {
    const refusals = new Refusals();
    expect([1, 2, 3, 4].map((call) => refusals.isRefusal(0, call))).toEqual([false, false, false, false]);
  });

  test('of many answers, the least recently seen is forgotten', () => {
    const refusals = new Refusals();
    refusals.isRefusal(1, 1);
    refusals.isRefusal(1, 2);
    for (let answer = 2; answer <= 17; answer++) refusals.isRefusal(answer, 1);
    expect(refusals.isRefusal(1, 3)).toBe(false);
  });
});
