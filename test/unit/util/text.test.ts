import { describe, expect, test } from 'vitest';
import { copied, firstLine } from '../../../src/util/text';

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

test.each([[''], ['short'], ['x'.repeat(12)], ['x'.repeat(13)], ['\u{1F600} a longer text than thirteen']])(
  'a copy of %j has the same characters',
  (text) => {
    expect(copied(text)).toBe(text);
  },
);
