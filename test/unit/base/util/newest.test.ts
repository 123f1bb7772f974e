import { expect, test } from 'vitest';
import { putNewest } from '../../../../src/base/util/newest';

test('a map of the newest entries drops the oldest, and what is put in again is new', () => {
  const map = new Map<string, number>();
  for (const [place, key] of ['a', 'b', 'c', 'a', 'd'].entries()) putNewest(map, key, place, 3);
  expect([...map]).toEqual([
    ['c', 2],
    ['a', 3],
    ['d', 4],
  ]);
  putNewest(map, 'd', 5, 3);
  expect([...map.keys()]).toEqual(['c', 'a', 'd']);
});
