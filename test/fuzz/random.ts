/** Random numbers that are the same for the same seed (xorshift, 32 bits). */
export class Random {
  private state: number;

  constructor(seed: number) {
    // Zero would stay zero.
    this.state = seed | 0 || 0x9e3779b9;
  }

  private next(): number {
    this.state ^= this.state << 13;
    this.state ^= this.state >>> 17;
    this.state ^= this.state << 5;
    return this.state >>> 0;
  }

  /** A whole number from 0 up to but not including `limit`. */
  below(limit: number): number {
    return this.next() % Math.max(1, limit);
  }

  /** True once in `of` times. */
  once(of: number): boolean {
    return this.below(of) === 0;
  }

  pick<T>(from: readonly T[]): T {
    if (from.length === 0) throw new Error('nothing to pick from');
    return from[this.below(from.length)] as T;
  }
}
