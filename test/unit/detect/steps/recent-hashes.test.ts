import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { RecentHashes } from '../../../../src/detect/steps/recent-hashes';

test('what was added is there, and nothing else', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.integer(), { maxLength: 200 }), fc.array(fc.integer()), (added, others) => {
      const set = new RecentHashes(500);
      for (const hash of added) set.add(hash);
      for (const hash of added) expect(set.has(hash)).toBe(true);
      for (const hash of others) expect(set.has(hash)).toBe(added.includes(hash));
    }),
  );
});

test('the newest stay, the oldest go, and adding again changes nothing', () => {
  const set = new RecentHashes(100);
  for (let hash = 1; hash <= 1000; hash++) {
    set.add(hash);
    set.add(hash);
    for (let back = 0; back < Math.min(hash, 100); back++) expect(set.has(hash - back)).toBe(true);
  }
  expect(set.has(1)).toBe(false);
  expect(set.has(750)).toBe(false);
});

test('a small set holds at least as many as it was made for, at most twice as many', () => {
  const set = new RecentHashes(3);
  const known = () => [1, 2, 3, 4, 5, 6, 7].filter((hash) => set.has(hash));
  for (const hash of [1, 2, 3]) set.add(hash);
  expect(known()).toEqual([1, 2, 3]);
  for (const hash of [4, 5]) set.add(hash);
  expect(known()).toEqual([1, 2, 3, 4, 5]);
  // The list before that one is forgotten.
  set.add(3);
  expect(known()).toEqual([3, 4, 5]);
  set.add(6);
  expect(known()).toEqual([3, 4, 5, 6]);
});
