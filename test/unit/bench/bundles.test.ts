import { describe, expect, it } from 'vitest';
import { createRequire } from 'node:module';
import * as bundles from '../../bench/support/build.mjs';

const require = createRequire(import.meta.url);
const builders = Object.entries(bundles as Record<string, unknown>).filter(([name]) => name.startsWith('build')) as [
  string,
  () => Promise<string>,
][];

describe('what the benchmarks measure', () => {
  it.each(builders)('includes %s with its parts in their place', async (_name, build) => {
    const parts = Object.entries(require(await build()) as Record<string, unknown>);
    expect(parts.length).toBeGreaterThan(0);
    expect(parts.filter(([, part]) => part === undefined)).toEqual([]);
  });
});
