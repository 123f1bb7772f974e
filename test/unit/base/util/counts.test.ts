import { expect, test } from 'vitest';
import { counted, whole } from '../../../../src/base/util/counts';

test('a whole number has its thousands separated, and is never negative', () => {
  expect([0, 214, 12_345, 1_234_567.9, -3, Number.NaN].map(whole)).toEqual([
    '0',
    '214',
    '12,345',
    '1,234,567',
    '0',
    '0',
  ]);
});

test('a counted thing is plural unless there is one of it', () => {
  expect([1, 0, 1200].map((count) => counted(count, 'call'))).toEqual(['1 call', '0 calls', '1,200 calls']);
  expect(counted(2, 'agent is', 'agents are')).toBe('2 agents are');
});
