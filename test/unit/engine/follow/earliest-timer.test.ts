import { expect, it } from 'vitest';
import { Gatherer } from '../../../../src/engine/follow/earliest-timer';

it('tells what was gathered soon, also when the clock was set back by an hour', () => {
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
