import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { RecencyTable } from '../../../../src/detect/steps/recency-table';

test('keeps the newest numbers, like a map that forgets the one not asked for longest', () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof(fc.nat(40), fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER })), { maxLength: 400 }),
      (keys) => {
        const table = new RecencyTable(16);
        const model = new Map<number, number>();
        for (const key of keys) {
          const expected = model.get(key);
          expect(table.find(key)).toBe(expected ?? -1);
          model.delete(key);
          if (expected !== undefined) {
            model.set(key, expected);
            continue;
          }
          const place = table.add(key);
          if (model.size === 16) {
            const [oldest, itsPlace] = [...model][0] ?? [-1, -1];
            expect(place).toBe(itsPlace);
            model.delete(oldest);
          } else {
            expect([...model.values()]).not.toContain(place);
          }
          model.set(key, place);
        }
      },
    ),
    { numRuns: 300 },
  );
});

test('a full table gives up the oldest first, and one that was asked for stays', () => {
  const table = new RecencyTable(4);
  expect([10, 20, 30, 40].map((key) => table.add(key))).toEqual([0, 1, 2, 3]);
  expect(table.find(10)).toBe(0);
  expect(table.find(30)).toBe(2);
  // The oldest now: 20, 40, 10, 30.
  expect(table.add(50)).toBe(1);
  expect(table.find(20)).toBe(-1);
  expect(table.add(60)).toBe(3);
  expect(table.find(40)).toBe(-1);
  expect([10, 30, 50, 60].map((key) => table.find(key))).toEqual([0, 2, 1, 3]);
  expect([70, 80, 90, 100].map((key) => table.add(key))).toEqual([0, 2, 1, 3]);
  expect([10, 30, 50, 60].map((key) => table.find(key))).toEqual([-1, -1, -1, -1]);
});

test('a number that is asked for again and again is the newest, the only one as well', () => {
  const table = new RecencyTable(2);
  table.add(1);
  for (let n = 0; n < 3; n++) expect(table.find(1)).toBe(0);
  expect(table.add(2)).toBe(1);
  expect(table.find(1)).toBe(0);
  expect(table.add(3)).toBe(1);
  expect(table.find(2)).toBe(-1);
  expect(table.find(1)).toBe(0);
});

test('numbers are found whatever was forgotten between them, in a table that is crowded', () => {
  const table = new RecencyTable(64);
  const kept: number[] = [];
  for (let n = 0; n < 2_000; n++) {
    const key = (n * 7_919) % 5_003;
    if (kept.includes(key)) continue;
    table.add(key);
    kept.push(key);
    if (kept.length > 64) expect(table.find(kept.shift() ?? -1)).toBe(-1);
    if (n % 50 === 0) for (const one of kept) expect(table.find(one)).toBeGreaterThanOrEqual(0);
  }
});
