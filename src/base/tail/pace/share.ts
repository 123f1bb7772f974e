import type { TailClock } from './clock';

/** Limits on the amount of work. */
export interface ShareLimits {
  /** Milliseconds of work after a long rest, before the share counts. */
  readonly allowance: number;
  /** Work in the time after that: 0.25 is a quarter. */
  readonly share: number;
}

/** Keeps work whose amount others decide to a share of the time. What is used of the allowance comes back with the time, by the share. */
export class TimeShare {
  private used = 0;
  private countedAt: number;

  constructor(
    private readonly clock: TailClock,
    private readonly limits: ShareLimits,
  ) {
    this.countedAt = clock.now();
  }

  /** Records work, milliseconds. */
  spend(milliseconds: number): void {
    this.used = this.usedNow() + milliseconds;
    this.countedAt = this.clock.now();
  }

  /** Milliseconds of rest before more may be done; 0: none. */
  rest(): number {
    return Math.max(0, this.usedNow() - this.limits.allowance) / this.limits.share;
  }

  private usedNow(): number {
    return Math.max(0, this.used - (this.clock.now() - this.countedAt) * this.limits.share);
  }
}
