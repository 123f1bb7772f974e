/** Numbers of the smallest table; it grows as it fills. */
const SMALLEST = 64;

/**
 * The newest hashes that were added: at least `least` of them, at most twice as many, in 12 bytes each. A set of the language takes four
 * times as much. When the table is full it becomes a sorted list, and the list before it is forgotten.
 */
export class RecentHashes {
  private young: Int32Array = new Int32Array(SMALLEST);
  private old: Int32Array = new Int32Array(0);
  private count = 0;

  constructor(private readonly least: number) {}

  has(hash: number): boolean {
    const key = hash | 0 || 1;
    return find(this.young, key) < 0 || isIn(this.old, key);
  }

  add(hash: number): void {
    const key = hash | 0 || 1;
    const place = find(this.young, key);
    if (place < 0) return;
    this.young[place] = key;
    this.count++;
    if (this.count >= this.least) {
      this.old = this.young.filter((one) => one !== 0).sort();
      this.young = new Int32Array(SMALLEST);
      this.count = 0;
    } else if (this.count * 4 > this.young.length * 3) this.young = grown(this.young);
  }
}

/** Where a key has its free place; -1 where it is there already. At most three quarters of the places are taken, so that the search ends. */
function find(table: Int32Array, key: number): number {
  const mask = table.length - 1;
  let at = Math.imul(key, 0x9e3779b1) >>> 7;
  for (at &= mask; table[at] !== 0; at = (at + 1) & mask) if (table[at] === key) return -1;
  return at;
}

/** Is a key in an ascending list? */
function isIn(list: Int32Array, key: number): boolean {
  let from = 0;
  let to = list.length;
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((list[middle] as number) < key) from = middle + 1;
    else to = middle;
  }
  return list[from] === key;
}

function grown(table: Int32Array): Int32Array {
  const larger = new Int32Array(table.length * 2);
  for (const key of table) if (key !== 0) larger[find(larger, key)] = key;
  return larger;
}
