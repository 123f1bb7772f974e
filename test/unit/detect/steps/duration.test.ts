import { expect, test } from 'vitest';
import { spanWords, inMinutes } from '../../../../src/detect/steps/duration';

test.each([
  [0, '0 s'],
  [40_900, '40 s'],
  [59_999, '59 s'],
  [60_000, '1 min'],
  [12 * 60_000 + 59_999, '12 min'],
  [59 * 60_000, '59 min'],
  [60 * 60_000, '1 h'],
  [120 * 60_000 + 1, '2 h'],
  [125 * 60_000, '2 h 5 min'],
])('%i ms are shown as %s', (ms, said) => {
  expect(spanWords(ms)).toBe(said);
});

test('a near miss is shown in tenths of a minute', () => {
  expect([0, 3_000, 2_999, 90_000, 600_000].map(inMinutes)).toEqual([0, 0.1, 0, 1.5, 10]);
});
