import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { PATIENCE } from '../../../support/patience';
import type { TailClock } from '../../../../src/base/tail/pace/clock';
import { type TailFs, systemFs } from '../../../../src/base/tail/file-system';

/** Waits until `check` no longer throws. When the test's timeout is reached, throws what `check` throws. */
export async function eventually(check: () => void): Promise<void> {
  const end = performance.now() + PATIENCE.timeout;
  for (;;) {
    try {
      check();
      return;
    } catch (error) {
      if (performance.now() > end) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** The real file system, with every call made through a thread and open to overriding. */
export function threadedFs(overrides: Partial<TailFs> = {}): TailFs {
  const { local: _, ...threaded } = systemFs;
  return { ...threaded, ...overrides };
}

let underWay = 0;

/** A file system whose calls `settle` waits for. */
export function tracked(fs: TailFs = systemFs): TailFs {
  const track = async <T>(call: Promise<T>): Promise<T> => {
    underWay++;
    try {
      return await call;
    } finally {
      underWay--;
    }
  };
  return {
    status: (path) => track(fs.status(path)),
    open: (path) => track(fs.open(path)),
    statusOf: (descriptor) => track(fs.statusOf(descriptor)),
    read: (...read) => track(fs.read(...read)),
    close: (descriptor) => track(fs.close(descriptor)),
    entries: (folder) => track(fs.entries(folder)),
    exists: (path) => fs.exists(path),
    watch: (...watch) => fs.watch(...watch),
  };
}

/** Lets everything run that waits for a turn of the loop or for a tracked file system, but not for time. */
export async function settle(): Promise<void> {
  for (let quiet = 0; quiet < 10; quiet++) {
    await new Promise((resolve) => setImmediate(resolve));
    if (underWay > 0) quiet = 0;
  }
}

/** A clock that stands still until it is moved. */
export class FakeClock implements TailClock {
  time = 1_000;
  readonly timers = new Set<{ readonly at: number; readonly run: () => void }>();

  readonly now = (): number => this.time;

  after(milliseconds: number, run: () => void): { dispose(): void } {
    const timer = { at: this.time + milliseconds, run };
    this.timers.add(timer);
    return { dispose: () => void this.timers.delete(timer) };
  }

  soon(run: () => void): void {
    setImmediate(run);
  }

  /** Runs the timers that are due, in order, and lets each settle. */
  async advance(milliseconds: number): Promise<void> {
    const end = this.time + milliseconds;
    for (;;) {
      await settle();
      const [next] = [...this.timers].filter((timer) => timer.at <= end).sort((one, other) => one.at - other.at);
      if (!next) break;
      this.timers.delete(next);
      this.time = Math.max(this.time, next.at);
      next.run();
    }
    this.time = end;
    await settle();
  }
}

/** A folder for this test alone; removed after it. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'unstuck-tail-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
