import { performance } from 'node:perf_hooks';

/** Time and turns of the event loop, passed in so that tests need not sleep. */
export interface TailClock {
  /** Milliseconds of a clock that never goes back, with fractions. */
  now(): number;
  /** Runs once after this many milliseconds. */
  after(milliseconds: number, run: () => void): Timer;
  /** Runs after other callbacks that are ready had their turn. */
  soon(run: () => void): void;
}

export interface Timer {
  cancel(): void;
}

export const monotonicClock: TailClock = {
  now: () => performance.now(),
  after(milliseconds, run) {
    const timer = setTimeout(run, milliseconds);
    return { cancel: () => clearTimeout(timer) };
  },
  soon: (run) => void setImmediate(run),
};
