import { Priority } from './budget';
import type { Disposable } from '../../util/disposable';
import type { TailClock } from './clock';
import type { Job, Lane, Lanes } from './lanes';

/**
 * Reads a file at once when it changes, then at most once per interval, and always once more after the last change: a change during a read
 * may not be part of that read.
 */
export class Pacer {
  private timer: Disposable | null = null;
  private due = 0;
  private queued: Job | null = null;
  private running = false;
  private again = false;
  private startedAt = Number.NEGATIVE_INFINITY;
  private disposed = false;

  constructor(
    private readonly clock: TailClock,
    private readonly lanes: Lanes,
    public intervalMs: number,
    private readonly read: (lane: Lane) => Promise<void>,
  ) {}

  get isRunning(): boolean {
    return this.running;
  }

  /** Requests the first read of a file. Newer files go first. */
  seed(modifiedAt: number): void {
    this.enqueue(Priority.seed, -modifiedAt);
  }

  wake(): void {
    if (this.queued?.priority === Priority.seed) {
      // It is being written, so it leaves the queue of first reads.
      this.lanes.remove(this.queued);
      this.enqueue(Priority.live, 0);
    } else if (this.running) this.again = true;
    else this.readAt(Math.max(this.clock.now(), this.startedAt + this.intervalMs));
  }

  /** Reads after this many milliseconds unless something triggers a read earlier. */
  wakeAfter(milliseconds: number): void {
    this.readAt(this.clock.now() + milliseconds);
  }

  dispose(): void {
    this.disposed = true;
    this.timer?.dispose();
    this.timer = null;
    if (this.queued) this.lanes.remove(this.queued);
    this.queued = null;
  }

  private readAt(due: number): void {
    if (this.disposed || this.queued || (this.timer && this.due <= due)) return;
    this.timer?.dispose();
    this.timer = null;
    const wait = due - this.clock.now();
    if (wait <= 0 && !this.running) {
      this.enqueue(Priority.live, 0);
      return;
    }
    this.due = due;
    this.timer = this.clock.after(Math.max(0, wait), () => {
      this.timer = null;
      this.wake();
    });
  }

  private enqueue(priority: Priority, order: number): void {
    const job: Job = { priority, order, run: (lane) => this.run(lane) };
    this.queued = job;
    this.lanes.add(job);
  }

  private async run(lane: Lane): Promise<void> {
    this.queued = null;
    if (this.disposed) return;
    this.timer?.dispose();
    this.timer = null;
    this.running = true;
    this.again = false;
    this.startedAt = this.clock.now();
    await this.read(lane);
    this.running = false;
    if (this.again) this.wake();
  }
}
