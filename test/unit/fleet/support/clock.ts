import type { Clock } from '../../../../src/base/clock';
import { T0 } from '../../history/support/incidents';

/** A clock that advances when a test says so. */
export class FakeClock implements Clock {
  private at = T0;
  private timers: { readonly at: number; readonly run: () => void }[] = [];

  now(): number {
    return this.at;
  }

  after(milliseconds: number, run: () => void) {
    const timer = { at: this.at + milliseconds, run };
    this.timers.push(timer);
    return { dispose: () => void (this.timers = this.timers.filter((one) => one !== timer)) };
  }

  /** Runs what is due within this many milliseconds, in order, and lets promises settle in between. */
  async pass(milliseconds: number): Promise<void> {
    const end = this.at + milliseconds;
    await settle();
    for (;;) {
      const next = this.timers.filter(({ at }) => at <= end).sort((one, other) => one.at - other.at)[0];
      if (!next) break;
      this.timers = this.timers.filter((one) => one !== next);
      this.at = Math.max(this.at, next.at);
      next.run();
      await settle();
    }
    this.at = end;
  }
}

/** Lets settled promises continue. */
export async function settle(): Promise<void> {
  for (let i = 0; i < 20; i++) await Promise.resolve();
}
