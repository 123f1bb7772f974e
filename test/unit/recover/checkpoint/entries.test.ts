import { expect, it } from 'vitest';
import { entriesIn, isAsSeen } from '../../../../src/recover/checkpoint/entries';
import type { FoundEntry } from '../../../../src/recover/checkpoint/files';

const OBJECT = '78981922613b2afb6025042ff6bd878ac1994e85';
const debug = (size: number, flags = '0') =>
  `  ctime: 20:5\n  mtime: 10:7\n  dev: 65024\tino: 2220579\n  uid: 0\tgid: 0\n  size: ${size}\tflags: ${flags}\n`;

it('reads what git lists of the index, with names that have line breaks', () => {
  const listed = `H 100644 ${OBJECT} 0\ta\n  ctime: 1\0${debug(2)}h 100755 ${OBJECT} 0\tb\0${debug(3, '8000')}S 120000 ${OBJECT} 2\tc\xff\0${debug(0, '20004000')}`;
  const entries = entriesIn(listed);
  expect(entries?.map(({ path, mode }) => [path, mode])).toEqual([
    ['a\n  ctime: 1', '100644'],
    ['b', '100755'],
    ['c\xff', '120000'],
  ]);
  expect(
    entries?.map(({ isAssumed, isSkipped, isUnmerged, isAnnounced }) => [
      isAssumed,
      isSkipped,
      isUnmerged,
      isAnnounced,
    ]),
  ).toEqual([
    [false, false, false, false],
    [true, false, false, false],
    [false, true, true, true],
  ]);
  expect(entries?.[0]?.seen).toEqual({ statusAt: 20_000_000_005n, contentAt: 10_000_000_007n, size: 2 });
});

it('has no times if git lists none, and nothing from an unknown form', () => {
  expect(entriesIn(`H 100644 ${OBJECT} 0\ta\0H 100644 ${OBJECT} 0\tb\0`)?.map(({ seen }) => seen)).toEqual([
    null,
    null,
  ]);
  expect(entriesIn(`H 100644 ${OBJECT} 0\ta\0  ctime: yesterday\n`)).toBeNull();
  expect(entriesIn('')).toEqual([]);
});

const found: FoundEntry = { kind: 'file', isExecutable: false, size: 2, contentAt: 10n, statusAt: 20n };
const seen = { contentAt: 10n, statusAt: 20n, size: 2 };

it.each([
  ['with the same size and times', seen, found, true],
  ['with another size', seen, { ...found, size: 3 }, false],
  ['of more than 4 GB', seen, { ...found, size: 2 ** 32 + 2 }, true],
  ['with a later content', seen, { ...found, contentAt: 11n }, false],
  ['whose time was put back', seen, { ...found, statusAt: 21n }, false],
  ['where no time of the status is known', seen, { ...found, statusAt: null }, true],
  [
    'that changed in the moment in which the index was written',
    { ...seen, contentAt: 30n },
    { ...found, contentAt: 30n },
    false,
  ],
  ['that git never saw', null, found, false],
] as const)('a file %s is the one that git saw: %#', (_, before, now, is) => {
  expect(isAsSeen(before, now, 30n)).toBe(is);
});
