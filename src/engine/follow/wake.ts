import type { Disposable } from '../../base/util/disposable';
import { CALM_MS, type Timers } from '../../base/beat';
import type { Clock } from '../../base/clock';

/** A pause so much longer than a look is no busy machine any more. */
const LONGEST_PAUSE_MS = 60_000;

/**
 * Tells that the machine slept, or that its clock was set ahead: nobody looked at the clock for much longer than it takes. What agents did
 * not write meanwhile says nothing of them.
 */
export class WakeWatch implements Disposable {
  private seenAt: number;
  private beat: Disposable;

  /** @param woke told with the time, milliseconds since the epoch */
  constructor(
    private readonly clock: Clock,
    private readonly woke: (at: number) => void,
    private readonly timers: Timers = clock,
  ) {
    this.seenAt = clock.now();
    this.beat = this.next();
  }

  /** Whoever judges by the time looks first: after a sleep the beat may come later than what else is due. */
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
