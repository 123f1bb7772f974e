/** Entries that are remembered: more than a machine has in a day. */
const MOST = 10_000;

/** A map that forgets what was not set for the longest time, so that it cannot grow for as long as a process lives. */
export class RecentMap<T> {
  private readonly entries = new Map<string, T>();

  constructor(private readonly most = MOST) {}

  get(key: string): T | undefined {
    return this.entries.get(key);
  }

  set(key: string, value: T): void {
    this.entries.delete(key);
    this.entries.set(key, value);
    if (this.entries.size <= this.most) return;
    const [oldest] = this.entries.keys();
    if (oldest !== undefined) this.entries.delete(oldest);
  }
}
