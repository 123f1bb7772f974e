/** Numbers of the smallest table; it grows as it fills. */
const SMALLEST = 64;

/**
 * The newest hashes that were added: at least `least` of them, at most twice as many, in 16 bytes each. A set of the language takes four
 * times as much. Two tables: when the younger is full it becomes the older, which is forgotten.
 */
export class RecentHashes {
  private young: Int32Array = new Int32Array(SMALLEST);
  private old: Int32Array = new Int32Array(0);
  private count = 0;

  constructor(private readonly least: number) {}

  has(hash: number): boolean {
    const key = hash | 0 || 1;
    return find(this.young, key) < 0 || (this.old.length > 0 && find(this.old, key) < 0);
  }

  add(hash: number): void {
    const key = hash | 0 || 1;
    const place = find(this.young, key);
    if (place < 0) return;
    this.young[place] = key;
    this.count++;
    if (this.count >= this.least) {
      this.old = this.young;
      this.young = new Int32Array(SMALLEST);
      this.count = 0;
    } else if (this.count * 2 > this.young.length) this.young = grown(this.young);
  }
}

/** Where a key has its free place; -1 where it is there already. At most half of the places are taken, so that the search ends. */
function find(table: Int32Array, key: number): number {
  const mask = table.length - 1;
  let at = Math.imul(key, 0x9e3779b1) >>> 7;
  for (at &= mask; table[at] !== 0; at = (at + 1) & mask) if (table[at] === key) return -1;
  return at;
}

function grown(table: Int32Array): Int32Array {
  const larger = new Int32Array(table.length * 2);
  for (const key of table) if (key !== 0) larger[find(larger, key)] = key;
  return larger;
}
