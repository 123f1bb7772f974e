import { expect, test } from 'vitest';
import { fill, fillSentence } from '../../../../src/core/words/fill';

test('values and plural forms', () => {
  expect(fill('{call} ran {count:# time|# times}', { call: 'make', count: 1 })).toBe('make ran 1 time');
  expect(fill('{call} ran {count:# time|# times}', { call: 'make', count: 1200 })).toBe('make ran 1,200 times');
  expect(fill('with {edits:one edit|# edits}', { edits: 1 })).toBe('with one edit');
});

test('a value is never read as a template', () => {
  expect(fill('{call} and {count}', { call: '{count} $& #', count: 2 })).toBe('{count} $& # and 2');
});

test('a missing value leaves nothing', () => {
  expect(fill('silent{time}', {})).toBe('silent');
});

test('a value between back quotes is code, whatever it holds', () => {
  expect(fillSentence('Before it, `{call}` failed {count:# time|# times}.', { call: 'a `b`', count: 2 })).toEqual([
    { text: 'Before it, ' },
    { text: 'a `b`', code: true },
    { text: ' failed 2 times.' },
  ]);
});
