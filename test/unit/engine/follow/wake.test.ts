import { expect, it, vi } from 'vitest';
import { WakeWatch } from '../../../../src/engine/follow/wake';

/** A clock whose timers run only when a test says so, like those of a machine that sleeps. */
function sleeper() {
  let now = 1_000_000;
  let due: (() => void) | null = null;
  const clock = {
    now: () => now,
    after: (_: number, run: () => void) => {
      due = run;
      return { dispose: () => (due = null) };
    },
  };
  const beat = () => due?.();
  return { clock, beat, pass: (milliseconds: number) => void (now += milliseconds), isSet: () => due !== null };
}

it('reports nothing while its beats come as they should, or a little late', () => {
  const { clock, beat, pass } = sleeper();
  const woke = vi.fn();
  const watch = new WakeWatch(clock, woke);
  for (const late of [0, 500, 30_000, 0]) {
    pass(10_000 + late);
    beat();
  }
  expect(woke).not.toHaveBeenCalled();
  watch.dispose();
});

it('reports a sleep once, whichever check comes first after it', () => {
  const { clock, beat, pass } = sleeper();
  const woke = vi.fn();
  const watch = new WakeWatch(clock, woke);
  pass(8 * 3_600_000);
  watch.look();
  expect(woke.mock.calls).toEqual([[clock.now()]]);
  beat();
  expect(woke).toHaveBeenCalledTimes(1);
});

it('does not take a clock that is set back as a sleep, and sees the next one', () => {
  const { clock, beat, pass } = sleeper();
  const woke = vi.fn();
  const watch = new WakeWatch(clock, woke);
  pass(-3_600_000);
  beat();
  expect(woke).not.toHaveBeenCalled();
  pass(120_000);
  beat();
  expect(woke).toHaveBeenCalledTimes(1);
  watch.dispose();
});

it('stops beating once it is ended', () => {
  const { clock, isSet } = sleeper();
  const watch = new WakeWatch(clock, () => undefined);
  watch.dispose();
  expect(isSet()).toBe(false);
});
