/** Work in one go before the event loop gets its turn, milliseconds (ARCHITECTURE.md, invariant 6 allows 8). */
const SLICE_MS = 4;

/** Call between two small pieces of work: yields to the event loop where that is due. */
export function createBreather(): () => Promise<void> | undefined {
  let began = performance.now();
  return () => {
    if (performance.now() - began < SLICE_MS) return undefined;
    return new Promise((resolve) => {
      setImmediate(() => {
        began = performance.now();
        resolve();
      });
    });
  };
}
