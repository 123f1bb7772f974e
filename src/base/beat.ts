import { type Clock, systemClock } from './clock';
import type { Disposable } from './util/disposable';

/** Timers alone, as looks need them. */
export type Timers = Pick<Clock, 'after'>;

const BEAT_MS = 1_000;
/** Interval of looks while nothing happens, milliseconds. Waits of this long or longer end with every tenth beat only. */
export const CALM_MS = 10_000;

/**
 * One timer for all that only looks whether something changed: a program at rest wakes seldom, and then looks at everything at once. A wait ends
 * at the nearest full second, one of ten seconds or more at the nearest full ten, so up to half of that early or late.
 */
export class Beat implements Timers {
  private readonly waiting = new Set<{ readonly due: number; readonly run: () => void }>();
  private timer: Disposable | null = null;
  private next = Number.POSITIVE_INFINITY;

  /** @param clock one that never goes back */
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
      // Some end others.
      for (const one of due) if (this.waiting.delete(one)) one.run();
    } finally {
      this.next = Number.NaN;
      this.arm();
    }
  };
}

/** The beat of a program, made once. */
export function systemBeat(): Beat {
  return new Beat({ ...systemClock, now: () => performance.now() });
}

/** Is it time for what is due at `at`, each so many milliseconds? A quarter early is: a beat may come before its time. */
export function isDue(at: number, intervalMs: number, now: number): boolean {
  return now >= at - intervalMs / 4;
}
