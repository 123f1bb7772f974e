import { type Clock, systemClock } from './clock';
import type { Disposable } from './util/disposable';

/** The part of a clock that periodic checks need. */
export type Timers = Pick<Clock, 'after'>;

const BEAT_MS = 1_000;
/** Interval between checks while nothing happens, in milliseconds. Waits of this length or longer end only at every tenth beat. */
export const CALM_MS = 10_000;

/**
 * One timer for everything that periodically checks whether something changed, so that an idle program wakes seldom and then checks everything at
 * once. A wait ends at the nearest full second, and a wait of ten seconds or more at the nearest full ten, so it may end up to half of that early or
 * late.
 */
export class Beat implements Timers {
  private readonly waiting = new Set<{ readonly due: number; readonly run: () => void }>();
  private timer: Disposable | null = null;
  private next = Number.POSITIVE_INFINITY;

  /** @param clock one that never goes backwards */
  constructor(private readonly clock: Clock) {}

  after(milliseconds: number, run: () => void): Disposable {
    const every = milliseconds < CALM_MS ? BEAT_MS : CALM_MS;
    const now = this.clock.now();
    const beats = Math.max(Math.round((now + milliseconds) / every), Math.floor(now / every) + 1);
    const one = { due: beats * every, run };
    this.waiting.add(one);
    this.arm();
    return {
      dispose: () => {
        if (this.waiting.delete(one)) this.arm();
      },
    };
  }

  private arm(): void {
    const next = Math.min(...[...this.waiting].map(({ due }) => due));
    if (next === this.next) return;
    this.timer?.dispose();
    this.next = next;
    this.timer =
      next === Number.POSITIVE_INFINITY ? null : this.clock.after(Math.ceil(next - this.clock.now()), this.ring);
  }

  private readonly ring = (): void => {
    const due = [...this.waiting].filter((one) => one.due <= this.next);
    try {
      // Running one may dispose of others.
      for (const one of due) if (this.waiting.delete(one)) one.run();
    } finally {
      this.next = Number.NaN;
      this.arm();
    }
  };
}

/** The beat of the program, created once. */
export function systemBeat(): Beat {
  return new Beat({ ...systemClock, now: () => performance.now() });
}

/**
 * True if something that is due at `at`, and repeated every `intervalMs`, should run now. Up to a quarter of the interval early counts, since a beat
 * may come early.
 */
export function isDue(at: number, intervalMs: number, now: number): boolean {
  return now >= at - intervalMs / 4;
}

/**
 * Returns how many milliseconds are left of an interval that began at `from`: 0 once it is over, and never more than the interval, since the clock may
 * have been set back.
 */
export function restOf(intervalMs: number, from: number, now: number): number {
  return Math.min(intervalMs, Math.max(0, from + intervalMs - now));
}
