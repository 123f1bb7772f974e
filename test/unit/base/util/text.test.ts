import { describe, expect, test } from 'vitest';
import { copied, firstLine, firstLines } from '../../../../src/base/util/text';

describe('first line', () => {
  test.each([
    ['', ''],
    ['one', 'one'],
    ['one\ntwo', 'one'],
    ['\ntwo', ''],
    ['one\r\ntwo', 'one\r'],
  ])('%j -> %j', (text, line) => {
    expect(firstLine(text)).toBe(line);
  });
});

describe('first lines', () => {
  test.each([
    ['', []],
    [' \n\t\r\n', []],
    ['one', ['one']],
    ['\n\n  one\n \ntwo  \n', ['one', 'two  ']],
    ['one\ntwo\nthree\nfour', ['one', 'two', 'three']],
  ])('%j -> %j', (text, lines) => {
    expect([...firstLines(text, 3)]).toEqual(lines);
  });
});

test.each([[''], ['short'], ['x'.repeat(12)], ['x'.repeat(13)], ['\u{1F600} a longer text than thirteen']])(
  'a copy of %j has the same characters',
  (text) => {
    expect(copied(text)).toBe(text);
  },
);
