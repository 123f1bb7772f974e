/**
 * The newest entries of a collection that would otherwise grow without end.
 *
 * A class, since decoders use it for each line: V8 gives each closure-made object with a getter its own hidden class (about 0.5 KB, slow lookups).
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

  /** Adds or replaces an entry; returns the one that was dropped because the limit was reached. */
  set(key: K, value: V): V | undefined {
    const { entries } = this;
    const before = entries.size;
    entries.set(key, value);
    if (entries.size === before) {
      // It was already there, and is the newest from now on.
      entries.delete(key);
      entries.set(key, value);
    }
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
