import { type Timers, isDue } from '../../beat';
import type { Disposable } from '../../util/disposable';
import type { Log } from '../../util/log';
import { type Budget, Priority } from '../pace/budget';
import type { TailClock } from '../pace/clock';
import type { Folders } from './folders';
import { inParallel } from './parallel';
import type { Root } from './root';

/** Interval at which files that are being written are checked even though they are watched. */
const SWEEP_MS = 2_000;
/** Interval at which all roots are walked. Quiet files are checked less and less often, but at least this often. */
const WALK_MS = 60_000;

export interface SweptReader {
  /** Compares the file with what was read, and reads it where it differs. Returns true if it has changed without a report from a watcher. */
  sweep(): Promise<boolean>;
  /** Does the same synchronously for a file on a local disk; undefined for others. */
  sweepAtOnce?(): boolean | undefined;
  /** Called when another file may have taken its name: it must be checked before it is opened. */
  mayBeAnother?(): void;
}

interface Swept {
  readonly reader: SweptReader;
  readonly folder: string;
  intervalMs: number;
  dueAt: number;
  sweptAt: number;
  reportedAt: number;
  /** True if no watcher reports changes of this file: it is checked as often as possible. */
  deaf: boolean;
}

/**
 * Checks files in addition to watching them, because every watcher misses something. It wakes only when a check is due, and never while there is
 * nothing to check.
 */
export class Sweep implements Disposable {
  private readonly swept = new Set<Swept>();
  private timer: Disposable | null = null;
  private wakesAt = Number.POSITIVE_INFINITY;
  private running = false;
  private resting = true;
  private walkedAt = 0;

  constructor(
    private readonly clock: TailClock,
    private readonly beat: Timers,
    private readonly log: Log,
    private readonly budget: Budget,
    private readonly folders: Folders,
    private readonly roots: ReadonlySet<Root>,
  ) {}

  /**
   * @returns `changed`, to be called with true when a watcher reports a change of the file, and with false when the file may have changed without a
   * report
   */
  add(reader: SweptReader, folder: string): Disposable & { readonly changed: (isReported: boolean) => void } {
    const now = this.clock.now();
    const swept = {
      reader,
      folder,
      intervalMs: SWEEP_MS,
      dueAt: now + SWEEP_MS,
      sweptAt: now,
      reportedAt: now,
      deaf: false,
    };
    this.swept.add(swept);
    this.update();
    return {
      changed: (isReported) => {
        const at = this.clock.now();
        if (isReported) {
          swept.reportedAt = at;
          swept.deaf = false;
        }
        swept.intervalMs = SWEEP_MS;
        swept.dueAt = Math.min(swept.dueAt, at + SWEEP_MS);
        this.wakeBy(swept.dueAt);
      },
      dispose: () => {
        this.swept.delete(swept);
        this.update();
      },
    };
  }

  /** Called when files or roots were added or removed, or a folder is no longer watched. */
  update(): void {
    if (this.swept.size === 0 && this.roots.size === 0) {
      this.rest();
      this.resting = true;
      return;
    }
    const now = this.clock.now();
    if (this.resting) this.walkedAt = now;
    this.resting = false;
    this.wakeBy(now + SWEEP_MS);
  }

  dispose(): void {
    this.swept.clear();
    this.rest();
  }

  private rest(): void {
    this.timer?.dispose();
    this.timer = null;
    this.wakesAt = Number.POSITIVE_INFINITY;
  }

  /** Wakes at this time at the latest. A run in progress sets the time of the next one itself. */
  private wakeBy(at: number): void {
    if (this.running || at >= this.wakesAt) return;
    this.timer?.dispose();
    this.wakesAt = at;
    this.timer = this.beat.after(Math.max(0, at - this.clock.now()), () => void this.run());
  }

  private async run(): Promise<void> {
    this.rest();
    this.running = true;
    try {
      await this.sweep(this.clock.now());
    } catch (error) {
      this.log.error(`sweep: ${String(error)}`);
    }
    this.running = false;
    if (this.swept.size === 0 && this.roots.size === 0) return;
    const next = [...this.swept].reduce((at, { dueAt }) => Math.min(at, dueAt), this.walkedAt + WALK_MS);
    this.wakeBy(Math.min(next, this.folders.nextPollAt()));
  }

  private async sweep(now: number): Promise<void> {
    const due = [...this.swept].filter((one) => isDue(one.dueAt, one.intervalMs, now));
    const others: Swept[] = [];
    for (const one of due) {
      while (!this.budget.begin()) await this.budget.turn(Priority.idle);
      const missed = one.reader.sweepAtOnce?.();
      if (missed === undefined) others.push(one);
      else this.looked(one, now, missed);
    }
    await inParallel(others, async (one) => this.looked(one, now, await one.reader.sweep()));
    await this.folders.poll();
    for (const root of this.roots) await root.poll();
    if (!isDue(this.walkedAt + WALK_MS, WALK_MS, now)) return;
    this.walkedAt = now;
    await this.folders.verify();
    for (const root of this.roots) await root.walk();
  }

  private looked(swept: Swept, now: number, missed: boolean): void {
    if (missed && swept.reportedAt < swept.sweptAt) swept.deaf = true;
    const isWatched = !swept.deaf && this.folders.isWatched(swept.folder);
    swept.intervalMs = missed || !isWatched ? SWEEP_MS : Math.min(2 * swept.intervalMs, WALK_MS);
    swept.sweptAt = now;
    swept.dueAt = now + swept.intervalMs;
  }
}
