import { performance } from 'node:perf_hooks';
import { systemClock } from '../../clock';
import type { Disposable } from '../../util/disposable';

/** Time and turns of the event loop, passed in so that tests need not sleep. */
export interface TailClock {
  /** Milliseconds of a clock that never goes backwards, with fractions. */
  now(): number;
  /** Runs once after this many milliseconds. */
  after(milliseconds: number, run: () => void): Disposable;
  /** Runs after the other callbacks that are ready. */
  soon(run: () => void): void;
}

export const monotonicClock: TailClock = {
  ...systemClock,
  now: () => performance.now(),
  soon: (run) => void setImmediate(run),
};
