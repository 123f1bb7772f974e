import { defineConfig } from 'vitest/config';

/** Real agents in terminals of a real VS Code, one VS Code for each file. The tests of a file build on each other. */
export default defineConfig({
  test: {
    include: ['test/vscode-agents/**/*.test.mjs'],
    pool: 'forks',
    fileParallelism: false,
    maxWorkers: 1,
    testTimeout: 330_000,
    hookTimeout: 600_000,
    teardownTimeout: 30_000,
    reporters: ['verbose'],
  },
});
