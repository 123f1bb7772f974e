import { describe, expect, test } from 'vitest';
import { type Known, Outcomes, type ResultIdentity } from '../../../../src/detect/steps/outcomes';

const identity = (raw: number, masked = raw): ResultIdentity => ({ raw, masked: () => masked });

/** What is known of an outcome as it comes in. A copy: `known` is one object for all answers. */
function seen(outcomes: Outcomes, call: number, raw: number, step: number, masked = raw, failed = false): Known {
  outcomes.see(call, identity(raw, masked), failed, step, false);
  return { ...outcomes.known };
}

/** The same for a call whose result says nothing. */
function passed(outcomes: Outcomes, call: number): Known {
  outcomes.pass(call);
  return { ...outcomes.known };
}

describe('outcomes of calls', () => {
  test('the first is new, its repeat is known', () => {
    const outcomes = new Outcomes(() => 0);
    const first = seen(outcomes, 7, 100, 0);
    expect(first).toMatchObject({ occurrence: 1, previous: -1, changed: false, failedBefore: null });
    expect(first.outcome).toBeGreaterThan(0);
    expect(seen(outcomes, 7, 100, 5)).toMatchObject({
      outcome: first.outcome,
      signature: first.signature,
      occurrence: 2,
      previous: 0,
      changed: false,
    });
  });

  test('another result of the same call is another outcome, the same result of another call too', () => {
    const outcomes = new Outcomes(() => 0);
    const first = seen(outcomes, 7, 100, 0);
    const other = seen(outcomes, 7, 200, 1);
    expect(other).toMatchObject({ occurrence: 1, previous: -1, changed: true, signature: first.signature });
    expect(other.outcome).not.toBe(first.outcome);
    const elsewhere = seen(outcomes, 8, 100, 2);
    expect(elsewhere.outcome).not.toBe(first.outcome);
    expect(elsewhere.signature).not.toBe(first.signature);
    expect(seen(outcomes, 7, 100, 3)).toMatchObject({ outcome: first.outcome, occurrence: 2, changed: true });
  });

  test('a first result is masked only when its call comes back', () => {
    const asked: number[] = [];
    const outcomes = new Outcomes((step) => {
      asked.push(step);
      return 555;
    });
    const first = seen(outcomes, 7, 100, 3, 555);
    expect(asked).toEqual([]);
    expect(seen(outcomes, 7, 101, 4, 555)).toMatchObject({ outcome: first.outcome, occurrence: 2 });
    expect(asked).toEqual([3]);
    expect(seen(outcomes, 7, 102, 5, 555)).toMatchObject({ outcome: first.outcome, occurrence: 3 });
    expect(asked).toEqual([3]);
  });

  test('a result that will be gone is masked at once', () => {
    const outcomes = new Outcomes(() => 0);
    outcomes.see(7, identity(100, 555), false, 0, true);
    const first = outcomes.known.outcome;
    expect(seen(outcomes, 7, 101, 1, 555)).toMatchObject({ outcome: first, occurrence: 2 });
  });

  test('a result that is gone is compared as it was', () => {
    const outcomes = new Outcomes(() => 0);
    const first = seen(outcomes, 7, 100, 3, 555);
    expect(seen(outcomes, 7, 101, 4, 555).outcome).not.toBe(first.outcome);
    expect(seen(outcomes, 7, 100, 5, 555).outcome).toBe(first.outcome);
  });

  test('whether the call failed the last time', () => {
    const outcomes = new Outcomes(() => 0);
    seen(outcomes, 7, 1, 0, 1, true);
    expect(seen(outcomes, 7, 2, 1)).toMatchObject({ failedBefore: true });
    expect(seen(outcomes, 7, 3, 2)).toMatchObject({ failedBefore: false });
  });

  test('eight outcomes of a call are remembered, the oldest of the others is forgotten first', () => {
    const outcomes = new Outcomes(() => 0);
    for (let i = 1; i <= 9; i++) seen(outcomes, 7, i, i);
    expect(seen(outcomes, 7, 9, 10).occurrence).toBe(2);
    expect(seen(outcomes, 7, 2, 11).occurrence).toBe(1);
  });

  test('256 calls are remembered; the one not seen for longest is forgotten first', () => {
    const outcomes = new Outcomes(() => 0);
    for (let i = 0; i < 256; i++) seen(outcomes, i, 1, i);
    expect(seen(outcomes, 0, 1, 600).occurrence).toBe(2);
    seen(outcomes, 9999, 1, 601);
    expect(seen(outcomes, 0, 1, 602).occurrence).toBe(3);
    expect(seen(outcomes, 1, 1, 603).occurrence).toBe(1);
  });
});

describe('a result that says nothing', () => {
  test('is no outcome, however often it comes', () => {
    const outcomes = new Outcomes(() => 0);
    const first = passed(outcomes, 7);
    expect(first).toMatchObject({ outcome: 0, occurrence: 1, previous: -1, changed: false, failedBefore: null });
    expect(passed(outcomes, 7)).toEqual(first);
  });

  test('leaves what its call said before as it is', () => {
    const outcomes = new Outcomes(() => 0);
    const first = seen(outcomes, 7, 100, 0, 100, true);
    expect(passed(outcomes, 7)).toMatchObject({ signature: first.signature, outcome: 0, failedBefore: true });
    expect(seen(outcomes, 7, 100, 2)).toMatchObject({
      outcome: first.outcome,
      occurrence: 2,
      previous: 0,
      changed: false,
      failedBefore: true,
    });
  });

  test('keeps its call remembered', () => {
    const outcomes = new Outcomes(() => 0);
    for (let i = 0; i < 256; i++) seen(outcomes, i, 1, i);
    passed(outcomes, 0);
    seen(outcomes, 9999, 1, 601);
    expect(seen(outcomes, 0, 1, 602).occurrence).toBe(2);
    expect(seen(outcomes, 1, 1, 603).occurrence).toBe(1);
  });
});
