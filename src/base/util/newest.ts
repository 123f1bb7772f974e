/** Puts an entry into a map as its newest; beyond `most` entries the one that was put in longest ago goes. */
export function putNewest<Key, Value>(map: Map<Key, Value>, key: Key, value: Value, most: number): void {
  map.delete(key);
  map.set(key, value);
  if (map.size <= most) return;
  const [oldest] = map.keys();
  map.delete(oldest as Key);
}
