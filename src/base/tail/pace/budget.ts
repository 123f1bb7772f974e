import type { TailClock } from './clock';

/** Order of work: lower numbers go first. */
export const Priority = { live: 0, seed: 1, idle: 2 } as const;
export type Priority = (typeof Priority)[keyof typeof Priority];

/** Milliseconds by which a step may overrun its slice, if the slice would otherwise end very early. */
const OVERTIME_MS = 1;

/**
 * One time budget for all reading: all work in one turn of the event loop ends after a slice of a few milliseconds, whichever reader does it. A slice
 * starts with the first work of a turn and ends with that turn.
 */
export class Budget {
  private begun = false;
  private beganAt = 0;
  private readonly waiting: { readonly priority: Priority; readonly resume: () => void }[] = [];

  constructor(
    private readonly clock: TailClock,
    private readonly sliceMs: number,
  ) {}

  /**
   * Starts or continues work. False if the slice is used up: await `turn` and call again. The caller must start its work before it awaits anything
   * else, or others use up the slice in the meantime.
   */
  begin(): boolean {
    if (this.spent(0)) return false;
    if (this.begun) return true;
    this.begun = true;
    this.beganAt = this.clock.now();
    // Scheduled after the first work, which is the reason for this turn of the loop and therefore urgent.
    void Promise.resolve().then(this.endsWithTurn);
    return true;
  }

  private readonly endsWithTurn = (): void =>
    this.clock.soon(() => {
      this.begun = false;
      // They continue in this order; one that finds the slice used up waits again.
      for (const { resume } of this.waiting.splice(0)) resume();
    });

  /** Waits for the next turn of the event loop. */
  turn(priority: Priority): Promise<void> {
    if (!this.begun) return Promise.resolve();
    return new Promise((resume) => {
      let at = this.waiting.length;
      while (at > 0 && (this.waiting[at - 1] as { priority: Priority }).priority > priority) at--;
      this.waiting.splice(at, 0, { priority, resume });
    });
  }

  /** Returns whether the slice is used up, or a step of this many milliseconds would use it up. A fresh slice never is. */
  spent(milliseconds: number): boolean {
    if (!this.begun) return false;
    const used = this.clock.now() - this.beganAt;
    return used >= this.sliceMs || (used > OVERTIME_MS && used + milliseconds > this.sliceMs + OVERTIME_MS);
  }
}
