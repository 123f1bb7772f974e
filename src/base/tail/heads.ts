import { Priority } from './pace/budget';
import { TimeShare, type ShareLimits } from './pace/share';
import type { ReaderParts } from './parts';
import { readHead } from './read-file';
import type { HeadOptions, InspectHead } from './types';

/** Number of bytes at the beginning of a file that show which agent it belongs to. */
export const HEAD_BYTES = 64 * 1024;
/** While one is inspected, the disk reads the next ones. */
const AT_ONCE = 3;
/**
 * Opening a folder with a few hundred sessions uses up the allowance, without waiting. A folder of files that are slow to read gets a quarter of the
 * time.
 */
const LIMITS: ShareLimits = { allowance: 200, share: 0.25 };

interface Waiting extends HeadOptions {
  readonly path: string;
  readonly look: InspectHead;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Reads the heads of files that are not followed yet: step by step, each within a slice of all reading, and all together within a share of the time.
 * Work that runs out of time continues later where it stopped. Expected files come first, the newest of them before the others.
 */
export class Heads {
  private readonly waiting: Waiting[] = [];
  private readonly share: TimeShare;
  private running = 0;
  private disposed = false;

  constructor(private readonly parts: Pick<ReaderParts, 'fs' | 'clock' | 'log' | 'budget' | 'lanes'>) {
    this.share = new TimeShare(parts.clock, LIMITS);
  }

  look(path: string, options: HeadOptions, look: InspectHead): Promise<void> {
    return new Promise((resolve, reject) => {
      const one = { path, ...options, look, resolve, reject };
      let at = this.waiting.length;
      while (at > 0 && goesBefore(one, this.waiting[at - 1] as Waiting)) at--;
      this.waiting.splice(at, 0, one);
      this.next();
    });
  }

  /** Drops all waiting work. */
  dispose(): void {
    this.disposed = true;
    for (const { resolve } of this.waiting.splice(0)) resolve();
  }

  private next(): void {
    while (this.running < AT_ONCE) {
      const one = this.waiting.shift();
      if (!one) return;
      this.running++;
      void this.run(one)
        .then(one.resolve, one.reject)
        .finally(() => {
          this.running--;
          this.next();
        });
    }
  }

  private async run({ path, look }: Waiting): Promise<void> {
    const { fs, budget, lanes, clock, log } = this.parts;
    const head = await lanes.run(Priority.live, (lane) => readHead(fs, budget, path, HEAD_BYTES, lane));
    const steps = look(head);
    for (let done = false; !done && !this.disposed; ) {
      const rest = this.share.rest();
      // Nothing may wait between the last check of the budget and the step, or others use up the slice.
      if (rest > 0) await new Promise<void>((resolve) => clock.after(rest, resolve));
      else if (!budget.begin()) await budget.turn(Priority.live);
      else {
        const from = clock.now();
        try {
          done = steps.next().done === true;
        } catch (error) {
          log.error(`${path}: ${String(error)}`);
          done = true;
        }
        this.share.spend(clock.now() - from);
      }
    }
  }
}

function goesBefore(one: HeadOptions, other: HeadOptions): boolean {
  if (one.isExpected !== other.isExpected) return one.isExpected;
  return one.modifiedAt > other.modifiedAt;
}
