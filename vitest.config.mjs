import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { mutation } from './test/mutation/config.mjs';

/**
 * Configures a suite that starts programs: one file at a time, in a separate process that signals reach. The limits, in seconds, end what hangs; they
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

const FOLDERS = ['test/unit', 'test/stories', 'test/golden', 'test/matrix'];
const UNITS = FOLDERS.map((folder) => `${folder}/**/*.test.ts`);

/** Tests that replace a module. Others must not see the replacement, so each needs separate modules. */
const mocking = FOLDERS.flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => join(folder, name).replaceAll('\\', '/'))
    .filter((path) => /\bvi\.(?:mock|doMock|resetModules)\(/.test(readFileSync(path, 'utf8'))),
);

/** Configures small processes instead of threads: many tests start programs, which takes longer the more memory the starting process has. */
const units = (
  /** @type {string} */ name,
  /** @type {{ include: string[], exclude?: string[], isolate?: false }} */ which,
) => ({
  test: {
    name,
    ...which,
    pool: /** @type {const} */ ('forks'),
    maxWorkers: 2,
    testTimeout: 180_000,
    hookTimeout: 180_000,
    env: { TZ: 'UTC' },
  },
});

const suites = {
  teardownTimeout: 30_000,
  projects: [
    units('unit', { include: UNITS, exclude: mocking, isolate: false }),
    units('mocks', { include: mocking }),
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
    programs('truth', 60, 3_600, 0),
    programs('fleet', 900, 120, 0),
    programs('counting'),
    programs('vscode-chat', 300, 600),
    programs('vscode-agents', 330, 600, 0),
  ],
};

/** `npm run mutate` starts vitest itself, with the tests of one room. */
export default defineConfig(process.env.UNSTUCK_MUTATE === undefined ? { test: suites } : mutation());
