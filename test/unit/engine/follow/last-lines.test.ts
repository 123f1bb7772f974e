import { expect, it } from 'vitest';
import { LastLines } from '../../../../src/engine/follow/last-lines';

const line = (number: number, text: string, offset = (number - 1) * 100) => ({ line: number, offset, text });

function read(...lines: ReturnType<typeof line>[]): LastLines {
  const read = new LastLines();
  for (const one of lines) read.take(one);
  return read;
}

it('a file continues a known one only if the same line ends at the same place', () => {
  const known = read(line(1, 'one'), line(2, 'two')).note();
  if (!known) throw new Error('nothing is known');
  expect(read(line(1, 'one')).isAt(known)).toBeNull();
  expect(read(line(1, 'one'), line(2, 'two')).isAt(known)).toBe(true);
  expect(read(line(1, 'one'), line(2, 'TWO')).isAt(known)).toBe(false);
  // The same line, in a file that was rewritten with more before it.
  expect(read(line(1, 'more'), line(2, 'two', 150)).isAt(known)).toBe(false);
  // A longer line that ends like it.
  const end = 'x'.repeat(64);
  const long = read(line(1, end)).note();
  expect(long && read(line(1, `more ${end}`)).isAt(long)).toBe(false);
});

it('nothing is known before the first line', () => {
  expect(read().note()).toBeUndefined();
});

it('what an earlier reading knew begins where that did, and ends with the last line', () => {
  const before = read(line(1, 'one'), line(2, 'two')).note();
  if (!before) throw new Error('nothing is known');
  const after = read(line(2, 'two'));
  after.adopt(before);
  expect(after.note()).toEqual(before);
  after.take(line(3, 'three'));
  expect(after.note()).toMatchObject({ from: before.from, last: [200, expect.any(Number)] });
});

it('of two readings, the one that began earlier says where to begin', () => {
  const known = read(line(2, 'two')).note();
  if (!known) throw new Error('nothing is known');
  const more = read(line(1, 'one'), line(2, 'two'));
  more.adopt(known);
  expect(more.note()?.from).toEqual({ offset: 0, lines: 0 });
});

it('reading begins again at a line shortly before the end, not at the first one', () => {
  const read = new LastLines(1_000);
  for (let number = 1; number <= 100; number++) read.take(line(number, 'x'));
  const { from } = read.note() ?? {};
  expect(from?.offset).toBeGreaterThan(9_900 - 1_000 - 250);
  expect(from?.offset).toBeLessThanOrEqual(9_900 - 1_000);
  expect(from?.lines).toBe((from?.offset ?? 0) / 100);
});
