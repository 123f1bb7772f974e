/** So many are given out before the first of them is taken, where several work: one of them may have a large one meanwhile. */
const AHEAD = 256;

/**
 * Deals work out to workers, each of which does one thing at a time, and gives the results in the order of the work. A single worker begins
 * when its result is asked for. Rejects with the first failure in that order.
 */
export async function* dealt<Work, Result>(
  all: readonly Work[],
  workers: readonly ((work: Work) => Promise<Result>)[],
): AsyncGenerator<Result> {
  const idle = [...workers];
  const ahead = workers.length === 1 ? 1 : AHEAD;
  const results = new Map<number, Promise<Result>>();
  let next = 0;
  let end = 0;
  const deal = (): void => {
    while (next < end) {
      const worker = idle.shift();
      if (!worker) return;
      const result = worker(all[next] as Work).finally(() => {
        idle.push(worker);
        deal();
      });
      // It is reported when its turn comes.
      result.catch(() => {});
      results.set(next, result);
      next++;
    }
  };
  try {
    for (let at = 0; at < all.length; at++) {
      end = Math.min(all.length, at + ahead);
      deal();
      // It was dealt out: all before it are done, so a worker was idle, and they are dealt in order.
      const result = results.get(at) as Promise<Result>;
      results.delete(at);
      yield await result;
    }
  } finally {
    end = 0;
  }
}
