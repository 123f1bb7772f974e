import { describe, expect, it } from 'vitest';
import { ScheduledCalls } from '../../../../src/detect/steps/scheduled-calls';

/** True or false: the call failed or passed the last time; null: it was never made. */
const call = (signature: number, failedBefore: boolean | null = true) => ({ signature, failedBefore }) as never;

describe('the calls of a turn that a schedule opened', () => {
  it('are the first of their kind once in each turn', () => {
    const calls = new ScheduledCalls();
    expect([calls.isFirst(call(1), 10), calls.isFirst(call(1), 10)]).toEqual([true, false]);
    expect([calls.isFirst(call(1), 20), calls.isFirst(call(1), 20)]).toEqual([true, false]);
  });

  it('are no repeat of an earlier turn if they are new, or if a person opened the turn', () => {
    const calls = new ScheduledCalls();
    expect([calls.isFirst(call(1, null), 10), calls.isFirst(call(1), null)]).toEqual([false, false]);
    // After the turn of a person, the schedule starts again.
    calls.isFirst(call(2), 10);
    calls.isFirst(call(3), null);
    expect(calls.isFirst(call(2), 10)).toBe(true);
  });
});
