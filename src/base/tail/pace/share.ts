import type { TailClock } from './clock';

/** Limits on the amount of work. */
export interface ShareLimits {
  /** Milliseconds of work after a long rest, before the share counts. */
  readonly allowance: number;
  /** Share of the later time: 0.25 is a quarter. */
  readonly share: number;
}

/**
 * Limits work whose amount is decided elsewhere to a share of the time. The used part of the allowance is restored over time, at the rate of the
 * share.
 */
export class TimeShare {
  private used = 0;
  private countedAt: number;

  constructor(
    private readonly clock: TailClock,
    private readonly limits: ShareLimits,
  ) {
    this.countedAt = clock.now();
  }

  /** Records work, in milliseconds. */
  spend(milliseconds: number): void {
    this.used = this.usedNow() + milliseconds;
    this.countedAt = this.clock.now();
  }

  /** Returns the milliseconds to rest before more work may be done; 0 if none. */
  rest(): number {
    return Math.max(0, this.usedNow() - this.limits.allowance) / this.limits.share;
  }

  private usedNow(): number {
    return Math.max(0, this.used - (this.clock.now() - this.countedAt) * this.limits.share);
  }
}
