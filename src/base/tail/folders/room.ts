/** Limit for all roots of a window together: each folder costs 2 KB of memory and a check every minute. */
export const MOST_FOLDERS = 20_000;

/** Counts the folders that all roots hold, and decides whether there is room for another. */
export class FolderRoom {
  private inAll = 0;

  constructor(private readonly limit: number) {}

  /** Number of folders that one root may hold: half of the limit, so that one large tree does not crowd out the stores of agents. */
  get ofARoot(): number {
    return this.limit / 2;
  }

  /**
   * Returns whether there is room. `held`: folders that this root holds. The first walk leaves a tenth free for folders that appear later: agents
   * write into those.
   */
  hasRoom(held: number, isFirstWalk: boolean): boolean {
    const share = isFirstWalk ? 0.9 : 1;
    return held < this.ofARoot * share && this.inAll < this.limit * share;
  }

  take(): void {
    this.inAll++;
  }

  give(): void {
    this.inAll--;
  }
}
