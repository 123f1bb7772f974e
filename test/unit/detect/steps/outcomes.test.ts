import { describe, expect, test } from 'vitest';
import { type KnownOutcome, Outcomes, type ResultIdentity } from '../../../../src/detect/steps/outcomes';

const identity = (raw: number, masked = raw): ResultIdentity => ({ raw, masked: () => masked });

/** Returns what is known about an outcome when it arrives. */
function seen(outcomes: Outcomes, call: number, raw: number, step: number, masked = raw, failed = false): KnownOutcome {
  return outcomes.see(call, identity(raw, masked), failed, step, false);
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

  test('another result of the same call is another outcome, and so is the same result of another call', () => {
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
    const first = outcomes.see(7, identity(100, 555), false, 0, true);
    expect(seen(outcomes, 7, 101, 1, 555)).toMatchObject({ outcome: first.outcome, occurrence: 2 });
  });

  test('a result that is gone is compared as it was', () => {
    const outcomes = new Outcomes(() => 0);
    const first = seen(outcomes, 7, 100, 3, 555);
    expect(seen(outcomes, 7, 101, 4, 555).outcome).not.toBe(first.outcome);
    expect(seen(outcomes, 7, 100, 5, 555).outcome).toBe(first.outcome);
  });

  test('whether the call failed the last time is known', () => {
    const outcomes = new Outcomes(() => 0);
    seen(outcomes, 7, 1, 0, 1, true);
    expect(seen(outcomes, 7, 2, 1)).toMatchObject({ failedBefore: true });
    expect(seen(outcomes, 7, 3, 2)).toMatchObject({ failedBefore: false });
  });

  test('eight outcomes of a call are remembered: the first, and the newest of the others', () => {
    const outcomes = new Outcomes(() => 0);
    for (let i = 1; i <= 9; i++) seen(outcomes, 7, i, i);
    expect(seen(outcomes, 7, 9, 10).occurrence).toBe(2);
    expect(seen(outcomes, 7, 2, 11).occurrence).toBe(1);
  });

  test('256 calls are remembered; the least recently seen is forgotten first', () => {
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
    const first = outcomes.pass(7);
    expect(first).toMatchObject({ outcome: 0, occurrence: 1, previous: -1, changed: false, failedBefore: null });
    expect(outcomes.pass(7)).toEqual(first);
  });

  test('leaves what its call said before as it is', () => {
    const outcomes = new Outcomes(() => 0);
    const first = seen(outcomes, 7, 100, 0, 100, true);
    expect(outcomes.pass(7)).toMatchObject({ signature: first.signature, outcome: 0, failedBefore: true });
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
    outcomes.pass(0);
    seen(outcomes, 9999, 1, 601);
    expect(seen(outcomes, 0, 1, 602).occurrence).toBe(2);
    expect(seen(outcomes, 1, 1, 603).occurrence).toBe(1);
  });
});

describe('many calls with many results', () => {
  /** Computes with plain lists what is known about a run: the first outcome of a call stays, and the newest seven of the others. */
  function told(visits: readonly (readonly [call: number, raw: number, failed: boolean])[]): KnownOutcome[] {
    interface One {
      raw: number;
      readonly masked: number;
      readonly outcome: number;
      count: number;
      step: number;
    }
    const calls = new Map<number, { readonly signature: number; readonly all: One[]; last: number; failed: boolean }>();
    let outcomes = 0;
    return visits.map(([call, raw, failed], step) => {
      const known = calls.get(call) ?? { signature: calls.size + 1, all: [], last: 0, failed: false };
      calls.set(call, known);
      const one = known.all.find((other) => other.masked === maskedOf(raw));
      const before = { signature: known.signature, failedBefore: known.last === 0 ? null : known.failed };
      const outcome = one?.outcome ?? ++outcomes;
      const answer = {
        ...before,
        outcome,
        occurrence: (one?.count ?? 0) + 1,
        previous: one?.step ?? -1,
        changed: known.last !== 0 && known.last !== outcome,
      };
      if (one) {
        one.count++;
        one.step = step;
      } else {
        known.all.push({ raw, masked: maskedOf(raw), outcome, count: 1, step });
        if (known.all.length > 8) known.all.splice(1, 1);
      }
      known.last = outcome;
      known.failed = failed;
      return answer;
    });
  }
  /** Ten texts are the same except for masked parts. */
  const maskedOf = (raw: number): number => Math.floor(raw / 10) + 1;
  /** Numbers in no order, the same in each run. */
  const shuffled = (n: number, most: number): number => (Math.imul(n + 1, 0x9e37_79b1) >>> 8) % most;

  test('are distinguished as in plain lists', () => {
    const visits = Array.from({ length: 3_000 }, (_, n) => {
      const call = shuffled(n, 36);
      return [call, shuffled(n * 7 + call, 10 + (call % 12) * 10), n % 3 === 0] as const;
    });
    const raws = new Map<number, number>();
    const outcomes = new Outcomes((step) => maskedOf(raws.get(step) ?? 0));
    const answers = visits.map(([call, raw, failed], step) => {
      raws.set(step, raw);
      return seen(outcomes, call, raw, step, maskedOf(raw), failed);
    });
    expect(answers).toEqual(told(visits));
  });

  test('a forgotten call frees its further results too', () => {
    const outcomes = new Outcomes(() => 0);
    for (const raw of [1, 2, 3]) seen(outcomes, 7, raw, raw);
    for (let call = 100; call < 400; call++) seen(outcomes, call, 1, call);
    for (const raw of [1, 2, 3, 2]) seen(outcomes, 399, raw, 500 + raw);
    expect(seen(outcomes, 7, 2, 600)).toMatchObject({ occurrence: 1, changed: false, failedBefore: null });
    expect(seen(outcomes, 399, 3, 601)).toMatchObject({ occurrence: 2, previous: 503 });
  });
});
