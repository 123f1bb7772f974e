import { expect, it } from 'vitest';
import { EarliestTimer, Gatherer } from '../../../../src/engine/follow/earliest-timer';
import { FakeClock } from '../../history/support/fake-clock';

it('reports what was gathered soon, even when the clock was set back by an hour', () => {
  let now = 10_000_000;
  const timers: { readonly at: number; readonly run: () => void }[] = [];
  const clock = {
    now: () => now,
    after: (milliseconds: number, run: () => void) => {
      timers.push({ at: milliseconds, run });
      return { dispose: () => undefined };
    },
  };
  const told: (readonly string[])[] = [];
  const gatherer = new Gatherer<string>(clock, 100, (keys) => told.push(keys));
  gatherer.add('one');
  timers.pop()?.run();
  expect(told).toEqual([['one']]);
  now -= 3_600_000;
  gatherer.add('two');
  expect(timers.at(-1)?.at).toBe(100);
});

it('reports the first change at once, those after it together, and nothing if nothing changed', () => {
  const clock = new FakeClock(10_000);
  const told: (readonly string[])[] = [];
  const gatherer = new Gatherer<string>(clock, 100, (keys) => told.push(keys));
  gatherer.add('one');
  clock.pass(0);
  expect(told).toEqual([['one']]);
  for (const key of ['two', 'three', 'two']) gatherer.add(key);
  clock.pass(99);
  expect(told).toHaveLength(1);
  clock.pass(1);
  expect(told.at(-1)).toEqual(['two', 'three']);
  clock.pass(10_000);
  expect(told).toHaveLength(2);
});

it('reports nothing after its end, and leaves no timer', () => {
  const clock = new FakeClock(0);
  const told: (readonly string[])[] = [];
  const gatherer = new Gatherer<string>(clock, 100, (keys) => told.push(keys));
  gatherer.add('one');
  gatherer.dispose();
  expect(clock.waiting).toBe(0);
  clock.pass(1_000);
  expect(told).toEqual([]);
});

it('rings once, at the earliest requested time, and early if that is weeks away', () => {
  const clock = new FakeClock(0);
  const rang: number[] = [];
  const timer = new EarliestTimer(clock, () => rang.push(clock.now()));
  timer.at(Number.POSITIVE_INFINITY);
  expect(clock.waiting).toBe(0);
  timer.at(2_000);
  timer.at(1_000);
  timer.at(3_000);
  clock.pass(10_000);
  expect(rang).toEqual([1_000]);
  timer.at(5_000);
  clock.pass(0);
  expect(rang).toEqual([1_000, 10_000]);
  timer.at(60 * 86_400_000);
  clock.pass(86_400_000);
  expect(rang).toHaveLength(3);
});
