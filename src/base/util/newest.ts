/** Puts an entry into a map as its newest; beyond `most` entries the oldest one is removed. */
export function putNewest<Key, Value>(map: Map<Key, Value>, key: Key, value: Value, most: number): void {
  map.delete(key);
  map.set(key, value);
  if (map.size <= most) return;
  const [oldest] = map.keys();
  map.delete(oldest as Key);
}
