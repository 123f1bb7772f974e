/**
 * The newest entries of something that would grow without end.
 *
 * A class, as what decoders ask for each line: an object with a getter made by a function has a shape of its own each time, half a
 * kilobyte of it, and no property of it is found quickly.
 */
export class Recent<K, V> {
  private readonly entries = new Map<K, V>();

  constructor(private readonly limit: number) {}

  get size(): number {
    return this.entries.size;
  }

  get(key: K): V | undefined {
    return this.entries.get(key);
  }

  has(key: K): boolean {
    return this.entries.has(key);
  }

  /** Adds or replaces; returns what fell out because the limit was reached. */
  set(key: K, value: V): V | undefined {
    const { entries } = this;
    entries.delete(key);
    entries.set(key, value);
    if (entries.size <= this.limit) return undefined;
    const oldest = entries.entries().next().value;
    if (!oldest) return undefined;
    entries.delete(oldest[0]);
    return oldest[1];
  }

  delete(key: K): void {
    this.entries.delete(key);
  }

  values(): IterableIterator<V> {
    return this.entries.values();
  }

  clear(): void {
    this.entries.clear();
  }
}
