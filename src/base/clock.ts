import type { Disposable } from './util/disposable';

/** The time of day and timers, passed in so that tests need not sleep. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  after(milliseconds: number, run: () => void): Disposable;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  after(milliseconds, run) {
    const timer = setTimeout(run, milliseconds);
    return { dispose: () => clearTimeout(timer) };
  },
};

/** Waits by the clock of the system, milliseconds, and keeps no process alive for it. */
export function pause(milliseconds: number): Promise<void> {
  return new Promise((done) => {
    setTimeout(done, milliseconds).unref();
  });
}
