import { describe, expect, it } from 'vitest';
import { crashTest } from './support/crash';

describe('kill -9 at any moment', () => {
  it('loses nothing that was acknowledged, with two windows that save and compact', async () => {
    const result = await crashTest({
      root: process.cwd(),
      kills: 12,
      windows: 2,
      generations: 3,
      longestLife: 250,
      random: Math.random,
    });
    expect(result.lost).toEqual([]);
    expect(result.corrupt).toEqual([]);
    expect(result.kills).toBe(12);
    expect(result.acknowledged).toBeGreaterThan(50);
  });
});
