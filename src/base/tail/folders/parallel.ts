/** Limit of concurrent system calls. */
export const MOST_CALLS = 16;

/** Runs `work` for each item, at most `MOST_CALLS` at a time. Rejects with the first rejection and starts no more. */
export async function inParallel<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  let next = 0;
  const run = async (): Promise<void> => {
    while (next < items.length) await work(items[next++] as T);
  };
  await Promise.all(Array.from({ length: Math.min(MOST_CALLS, items.length) }, run));
}

/** Limits the number of concurrent calls across all callers, because all calls that end together are handled in one turn of the event loop. */
export class AtOnce {
  private running = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(private readonly most: number) {}

  async run<T>(call: () => Promise<T>): Promise<T> {
    if (this.running < this.most) this.running++;
    else await new Promise<void>((resume) => this.waiting.push(resume));
    try {
      return await call();
    } finally {
      const next = this.waiting.shift();
      if (next) next();
      else this.running--;
    }
  }
}
