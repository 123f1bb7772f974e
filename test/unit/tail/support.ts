/** Waits until `check` does not throw any more, at most so many milliseconds; then throws what it throws. */
export async function eventually(check: () => void, milliseconds: number): Promise<void> {
  const end = performance.now() + milliseconds;
  for (;;) {
    try {
      check();
      return;
    } catch (error) {
      if (performance.now() > end) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
