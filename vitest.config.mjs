import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/unit/**/*.test.ts', 'test/stories/**/*.test.ts', 'test/golden/**/*.test.ts'],
    pool: 'threads',
    maxWorkers: 2,
    // Long, because a busy machine is no fault: it stops a test that hangs and says nothing about speed.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    env: { TZ: 'UTC' },
  },
});
