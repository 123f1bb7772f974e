/** Runs `work` for each item, at most `most` at a time. Rejects with the first rejection, after which no further one begins. */
export async function inParallel<T>(
  most: number,
  items: readonly T[],
  work: (item: T) => Promise<void>,
): Promise<void> {
  let next = 0;
  const run = async (): Promise<void> => {
    while (next < items.length) await work(items[next++] as T);
  };
  await Promise.all(Array.from({ length: Math.min(most, items.length) }, run));
}
