import { describe, expect, it } from 'vitest';
import { type FindCount, RULES, findInPlain } from '../../../../src/util/secrets/find';
import { NAMED, TOKENS } from '../../../../src/util/secrets/gitleaks.data';

const looksFor = (text: string): number => {
  const count: FindCount = { looks: 0 };
  findInPlain(text, count);
  return count.looks;
};

/** Each rule looks at a bounded piece of text, so looks are a measure of the whole cost. */
describe('the cost of looking for secrets', () => {
  it.each([
    'token=',
    'password="',
    '-----BEGIN PRIVATE KEY-----\n',
    '://a:',
    'key: { token: ',
    '-eyJ',
    'sk-',
    'curl ',
    'A',
    '\n',
  ])('grows with the length of the text only: %j', (piece) => {
    const short = piece.repeat(2000);
    expect(looksFor(short.repeat(4))).toBeLessThanOrEqual(looksFor(short) * 4 + RULES.length * 4);
  });

  it('is a few looks for text without any words of secrets', () => {
    expect(looksFor('The quick brown fox jumps over the lazy dog\n'.repeat(1000))).toBe(0);
  });

  it('has no rule of gitleaks that repeats without a bound', () => {
    for (const { id, pattern } of [...TOKENS, ...NAMED.map(({ id, name, value }) => ({ id, pattern: name + value }))]) {
      const outside = pattern.replace(/\\./g, 'x').replace(/\[(?:[^\]])*\]/g, 'x');
      expect(outside, id).not.toMatch(/[*+]|\{\d+,\}/);
    }
  });
});
