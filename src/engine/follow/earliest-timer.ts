import type { Disposable } from '../../base/util/disposable';
import type { Timers } from '../../base/beat';
import type { Clock } from '../../base/clock';

/** Longer timers fire at once (their time is a 32-bit number): the alarm rings early instead, and is set again. */
const LONGEST_MS = 86_400_000;

/** Runs one function at the earliest time that was requested; without a request there is no timer. */
export class EarliestTimer implements Disposable {
  private timer: Disposable | null = null;
  private due = Number.POSITIVE_INFINITY;

  constructor(
    private readonly clock: Clock,
    private readonly ring: () => void,
    private readonly timers: Timers = clock,
  ) {}

  /** Rings at `at` (milliseconds since the epoch) or before. */
  at(at: number): void {
    if (at >= this.due || !Number.isFinite(at)) return;
    this.timer?.dispose();
    this.due = at;
    this.timer = this.timers.after(Math.min(LONGEST_MS, Math.max(0, at - this.clock.now())), () => {
      this.timer = null;
      this.due = Number.POSITIVE_INFINITY;
      this.ring();
    });
  }

  dispose(): void {
    this.timer?.dispose();
    this.timer = null;
    this.due = Number.POSITIVE_INFINITY;
  }
}

/** Gathers keys and reports them together: the first at once, then at most once every `intervalMs`. */
export class Gatherer<K> implements Disposable {
  private keys = new Set<K>();
  private reportedAt = Number.NEGATIVE_INFINITY;
  private readonly alarm: EarliestTimer;

  constructor(
    private readonly clock: Clock,
    private readonly intervalMs: number,
    private readonly report: (keys: readonly K[]) => void,
  ) {
    this.alarm = new EarliestTimer(clock, () => this.flush());
  }

  add(key: K): void {
    this.keys.add(key);
    const now = this.clock.now();
    // A clock that was set back is no reason to wait that long.
    this.alarm.at(Math.min(now + this.intervalMs, Math.max(now, this.reportedAt + this.intervalMs)));
  }

  dispose(): void {
    this.alarm.dispose();
  }

  private flush(): void {
    if (this.keys.size === 0) return;
    const keys = [...this.keys];
    this.keys = new Set();
    this.reportedAt = this.clock.now();
    this.report(keys);
  }
}
