import { defineConfig } from 'vitest/config';

/** Large input and whole builds: what takes seconds and space on the disk. `npm run test:input`. */
export default defineConfig({
  test: {
    include: ['test/slow/**/*.test.ts'],
    pool: 'forks',
    maxWorkers: 1,
    testTimeout: 180_000,
    hookTimeout: 600_000,
    env: { TZ: 'UTC' },
  },
});
