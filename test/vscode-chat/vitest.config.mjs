import { defineConfig } from 'vitest/config';

/** One VS Code with its own chat agent. The tests build on each other, and a busy machine takes minutes. */
export default defineConfig({
  test: {
    include: ['test/vscode-chat/**/*.test.mjs'],
    pool: 'forks',
    fileParallelism: false,
    maxWorkers: 1,
    testTimeout: 300_000,
    hookTimeout: 600_000,
    teardownTimeout: 30_000,
    reporters: ['verbose'],
    bail: 1,
  },
});
