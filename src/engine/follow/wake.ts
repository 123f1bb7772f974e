import type { Disposable } from '../../base/util/disposable';
import { CALM_MS, type Timers } from '../../base/beat';
import type { Clock } from '../../base/clock';

/** A longer pause between two checks is no longer explained by a busy machine. */
const LONGEST_PAUSE_MS = 60_000;

/**
 * Reports that the machine slept, or that its clock was set ahead: the clock was not checked for much longer than the interval. That agents wrote
 * nothing meanwhile means nothing.
 */
export class WakeWatch implements Disposable {
  private seenAt: number;
  private beat: Disposable;

  /** @param woke called with the time, milliseconds since the epoch */
  constructor(
    private readonly clock: Clock,
    private readonly woke: (at: number) => void,
    private readonly timers: Timers = clock,
  ) {
    this.seenAt = clock.now();
    this.beat = this.next();
  }

  /** Checks the clock. Call it before judging by the time: after a sleep the beat may come later than other timers. */
  look(): void {
    const now = this.clock.now();
    const hasSlept = now - this.seenAt > LONGEST_PAUSE_MS;
    this.seenAt = now;
    if (hasSlept) this.woke(now);
  }

  dispose(): void {
    this.beat.dispose();
  }

  private next(): Disposable {
    return this.timers.after(CALM_MS, () => {
      this.look();
      this.beat = this.next();
    });
  }
}
