import { defineConfig } from 'vitest/config';

/** The built command line is counted by a real Prometheus and by a collector of the test's own, all on the loopback interface. */
export default defineConfig({
  test: {
    include: ['test/counting/**/*.test.mjs'],
    pool: 'forks',
    fileParallelism: false,
    maxWorkers: 1,
    testTimeout: 180_000,
    hookTimeout: 300_000,
    reporters: ['verbose'],
    // The tests of a file build on each other.
    bail: 1,
  },
});
