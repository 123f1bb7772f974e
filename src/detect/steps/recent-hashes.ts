/** Remembers the newest hashes: at least `least` of them, at most twice as many. */
export class RecentHashes {
  private young = new Set<number>();
  private old = new Set<number>();

  constructor(private readonly least: number) {}

  has(hash: number): boolean {
    return this.young.has(hash) || this.old.has(hash);
  }

  add(hash: number): void {
    this.young.add(hash);
    if (this.young.size < this.least) return;
    this.old = this.young;
    this.young = new Set();
  }
}
