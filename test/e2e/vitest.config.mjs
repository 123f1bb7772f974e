import { defineConfig } from 'vitest/config';

/** Each file starts a VS Code of its own: one file at a time, in a process of its own that signals reach. */
export default defineConfig({
  test: {
    include: ['test/e2e/**/*.test.mjs'],
    pool: 'forks',
    fileParallelism: false,
    maxWorkers: 1,
    testTimeout: 180_000,
    hookTimeout: 300_000,
    teardownTimeout: 30_000,
    reporters: ['verbose'],
    // The tests of a file build on each other.
    bail: 1,
  },
});
