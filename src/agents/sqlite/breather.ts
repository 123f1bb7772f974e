/** Milliseconds of work before the event loop gets its turn (ARCHITECTURE.md, invariant 6 allows 8). */
const SLICE_MS = 4;

/** Creates a function to call between two small pieces of work: it yields to the event loop once the time is up. */
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
