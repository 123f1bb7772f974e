import { defineConfig } from 'vitest/config';

/** Real message servers, relays and clients on this machine. One file after the other: each starts servers of its own. */
export default defineConfig({
  test: {
    include: ['test/fleet/**/*.test.mjs'],
    pool: 'forks',
    fileParallelism: false,
    maxWorkers: 1,
    testTimeout: 300_000,
    hookTimeout: 120_000,
    teardownTimeout: 30_000,
    reporters: ['verbose'],
  },
});
