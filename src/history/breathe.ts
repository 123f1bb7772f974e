/** Uninterrupted work in the extension host stays under 8 ms (ARCHITECTURE.md, invariant 6); this leaves room for one item too many. */
const BUDGET_MS = 5;

/** Cuts long work into slices: awaited between items, it lets the event loop continue once the slice is used up. */
export interface Breather {
  /** Returns undefined while there is time left, so that most calls cost no turn of the loop. */
  breathe(): Promise<void> | undefined;
  /** The longest slice so far, milliseconds. */
  readonly longestMs: number;
  /** Starts a new slice after a wait for something else. */
  restart(): void;
  /** Counts the work since the last slice began. */
  note(): void;
}

export function createBreather(budgetMs = BUDGET_MS): Breather {
  let started = performance.now();
  let longest = 0;
  const note = (): number => {
    const spent = performance.now() - started;
    if (spent > longest) longest = spent;
    return spent;
  };
  return {
    breathe() {
      if (note() < budgetMs) return undefined;
      return new Promise((resolve) => {
        setImmediate(() => {
          started = performance.now();
          resolve();
        });
      });
    },
    get longestMs() {
      return longest;
    },
    restart() {
      started = performance.now();
    },
    note() {
      note();
    },
  };
}

/** Lets the event loop continue. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
