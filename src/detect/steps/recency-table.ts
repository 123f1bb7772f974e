/** Slots of the index: a power of two, at least twice the places, so that probes stay short. */
const LOAD = 2;

/**
 * Places 0 to `capacity - 1` for numbers; when all are taken, the number that was not asked for longest gives up its place.
 *
 * A hash table with linear probing and a list by recency in typed arrays: 20 bytes a place, where a Map takes 90.
 */
export class RecencyTable {
  private readonly keys: Float64Array;
  private readonly index: Int16Array;
  private readonly mask: number;
  /** Neighbours by recency. Place `capacity` stands for both ends: after it the newest, before it the oldest. */
  private readonly newer: Int16Array;
  private readonly older: Int16Array;
  private size = 0;

  /** @param capacity a power of two, at most 16,384 */
  constructor(private readonly capacity: number) {
    this.keys = new Float64Array(capacity);
    this.index = new Int16Array(capacity * LOAD).fill(-1);
    this.mask = capacity * LOAD - 1;
    this.newer = new Int16Array(capacity + 1);
    this.older = new Int16Array(capacity + 1);
    this.newer[capacity] = capacity;
    this.older[capacity] = capacity;
  }

  /** The place of a number that is there, now the newest; -1 where it is not. */
  find(key: number): number {
    const slot = this.slotOf(key);
    const place = this.index[slot] ?? -1;
    if (place < 0) return -1;
    this.unlink(place);
    this.link(place);
    return place;
  }

  /** A place for a number that is not there: a free one, or the one of the oldest, which is forgotten. */
  add(key: number): number {
    let place = this.size;
    if (place < this.capacity) {
      this.size++;
    } else {
      place = this.older[this.capacity] ?? 0;
      this.unlink(place);
      this.remove(this.slotOf(this.keys[place] ?? 0));
    }
    this.keys[place] = key;
    this.index[this.slotOf(key)] = place;
    this.link(place);
    return place;
  }

  /** The slot that holds a number, or the free one where it would go. */
  private slotOf(key: number): number {
    let slot = this.home(key);
    for (;;) {
      const place = this.index[slot] ?? -1;
      if (place < 0 || this.keys[place] === key) return slot;
      slot = (slot + 1) & this.mask;
    }
  }

  private home(key: number): number {
    return (Math.imul((key % 0x7fff_ffff) | 0, 0x9e37_79b1) >>> 16) & this.mask;
  }

  /** Frees a slot and moves what was pushed on behind it back, so that no probe ends too early. */
  private remove(slot: number): void {
    let free = slot;
    let next = slot;
    for (;;) {
      this.index[free] = -1;
      for (;;) {
        next = (next + 1) & this.mask;
        const place = this.index[next] ?? -1;
        if (place < 0) return;
        const home = this.home(this.keys[place] ?? 0);
        // may it move? not when its home lies between the free slot and where it is now
        if (free <= next ? home <= free || home > next : home <= free && home > next) break;
      }
      this.index[free] = this.index[next] ?? -1;
      free = next;
    }
  }

  private link(place: number): void {
    const end = this.capacity;
    const newest = this.newer[end] ?? end;
    this.newer[end] = place;
    this.older[place] = newest;
    this.newer[place] = end;
    if (newest === end) this.older[end] = place;
    else this.newer[newest] = place;
  }

  private unlink(place: number): void {
    const end = this.capacity;
    const newer = this.newer[place] ?? end;
    const older = this.older[place] ?? end;
    if (newer === end) this.newer[end] = older;
    else this.older[newer] = older;
    if (older === end) this.older[end] = newer;
    else this.newer[older] = newer;
  }
}
