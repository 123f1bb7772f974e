import type { Clock } from '../../../../src/base/clock';
import type { Disposable } from '../../../../src/base/util/disposable';

/** This many timers at one moment mean one that is due immediately, forever. */
const MOST_AT_ONCE = 10_000;

/** Time that passes when the test says so. */
export class FakeClock implements Clock {
  private timers: { readonly at: number; readonly run: () => void }[] = [];

  constructor(private time: number) {}

  now(): number {
    return this.time;
  }

  after(milliseconds: number, run: () => void): Disposable {
    const timer = { at: this.time + milliseconds, run };
    this.timers.push(timer);
    return { dispose: () => void (this.timers = this.timers.filter((one) => one !== timer)) };
  }

  /** Lets time pass and runs the timers that are due, in order. */
  pass(milliseconds: number): void {
    const end = this.time + milliseconds;
    for (let atOnce = 0; ; atOnce++) {
      if (atOnce > MOST_AT_ONCE) throw new Error('a timer sets itself again and again');
      const next = this.timers.filter((timer) => timer.at <= end).sort((a, b) => a.at - b.at)[0];
      if (!next) break;
      if (next.at > this.time) atOnce = 0;
      this.timers = this.timers.filter((timer) => timer !== next);
      this.time = Math.max(this.time, next.at);
      next.run();
    }
    this.time = end;
  }

  get waiting(): number {
    return this.timers.length;
  }
}
