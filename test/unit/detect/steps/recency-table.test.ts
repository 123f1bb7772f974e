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
