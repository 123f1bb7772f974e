import { defineConfig } from 'vitest/config';
import { mutation } from './test/mutation/config.mjs';

/**
 * A suite that starts programs: one file at a time, in a process of its own that signals reach. The limits, in seconds, end what hangs; they
 * say nothing about speed. `bail`: the tests of a file build on each other, so the first failure ends the run.
 */
const programs = (/** @type {string} */ name, testSeconds = 180, hookSeconds = 300, bail = 1) => ({
  test: {
    name,
    include: [`test/${name}/**/*.test.mjs`],
    pool: /** @type {const} */ ('forks'),
    fileParallelism: false,
    maxWorkers: 1,
    testTimeout: testSeconds * 1000,
    hookTimeout: hookSeconds * 1000,
    bail,
  },
});

const suites = {
  teardownTimeout: 30_000,
  projects: [
    {
      test: {
        name: 'unit',
        include: ['test/unit/**/*.test.ts', 'test/stories/**/*.test.ts', 'test/golden/**/*.test.ts'],
        pool: /** @type {const} */ ('threads'),
        maxWorkers: 2,
        testTimeout: 180_000,
        hookTimeout: 180_000,
        env: { TZ: 'UTC' },
      },
    },
    {
      // Large input and whole builds.
      test: {
        name: 'slow',
        include: ['test/slow/**/*.test.ts'],
        pool: /** @type {const} */ ('forks'),
        maxWorkers: 1,
        testTimeout: 180_000,
        hookTimeout: 600_000,
        env: { TZ: 'UTC' },
      },
    },
    programs('e2e'),
    programs('faults', 300),
    programs('fleet', 900, 120, 0),
    programs('counting'),
    programs('vscode-chat', 300, 600),
    programs('vscode-agents', 330, 600, 0),
  ],
};

/** `npm run mutate` starts vitest itself, with the tests of one room. */
export default defineConfig(process.env.UNSTUCK_MUTATE === undefined ? { test: suites } : mutation());
