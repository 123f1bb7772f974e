/** The newest entries of something that would grow without end. */
export interface Recent<K, V> {
  get(key: K): V | undefined;
  has(key: K): boolean;
  /** Adds or replaces; returns what fell out because the limit was reached. */
  set(key: K, value: V): V | undefined;
  delete(key: K): void;
  values(): IterableIterator<V>;
  clear(): void;
  readonly size: number;
}

export function createRecent<K, V>(limit: number): Recent<K, V> {
  const entries = new Map<K, V>();
  return {
    get: (key) => entries.get(key),
    has: (key) => entries.has(key),
    set(key, value) {
      entries.delete(key);
      entries.set(key, value);
      if (entries.size <= limit) return undefined;
      const oldest = entries.entries().next().value;
      if (!oldest) return undefined;
      entries.delete(oldest[0]);
      return oldest[1];
    },
    delete: (key) => void entries.delete(key),
    values: () => entries.values(),
    clear: () => entries.clear(),
    get size() {
      return entries.size;
    },
  };
}
