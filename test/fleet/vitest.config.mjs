import { defineConfig } from 'vitest/config';

/** Real message servers, relays and clients on this machine. One file after the other: each starts servers of its own. */
export default defineConfig({
  test: {
    include: ['test/fleet/**/*.test.mjs'],
    pool: 'forks',
    fileParallelism: false,
    maxWorkers: 1,
    // Ends a test that hangs; the waits in it end with what they wait for.
    testTimeout: 900_000,
    hookTimeout: 120_000,
    teardownTimeout: 30_000,
    reporters: ['verbose'],
  },
});
