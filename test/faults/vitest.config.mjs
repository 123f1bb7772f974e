import { defineConfig } from 'vitest/config';

/** What goes wrong around a real VS Code: one file at a time, in a process of its own that signals reach. */
export default defineConfig({
  test: {
    include: ['test/faults/**/*.test.mjs'],
    pool: 'forks',
    fileParallelism: false,
    maxWorkers: 1,
    testTimeout: 300_000,
    hookTimeout: 300_000,
    teardownTimeout: 30_000,
    reporters: ['verbose'],
    // The tests of a file build on each other.
    bail: 1,
  },
});
