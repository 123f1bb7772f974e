import { describe, expect, it } from 'vitest';
import { findEscaped } from '../../../../src/base/secrets/escaped';
import { type FindCount, RULES, findInPlain } from '../../../../src/base/secrets/find';
import type { TextRange } from '../../../../src/base/secrets/rule';
import { findInRuns } from '../../../../src/base/secrets/runs';
import { findWrapped } from '../../../../src/base/secrets/wrapped';

/** Each rule searches a bounded piece of text, so the number of searches measures the whole cost. */
const looksFor = (text: string): number => {
  const count: FindCount = { looks: 0 };
  findInPlain(text, count);
  return count.looks;
};

/** Counts the characters that are searched, repeatedly if lines are joined or something is decoded. */
function charactersLookedAt(text: string): number {
  let characters = 0;
  const plain = (piece: string): readonly TextRange[] => {
    characters += piece.length;
    return findInPlain(piece);
  };
  const look = (piece: string, depth: number): readonly TextRange[] => {
    const found = plain(piece);
    const deeper = (inner: string) => look(inner, depth + 1);
    const hidden = depth < 2 ? [...findEscaped(piece, deeper), ...findInRuns(piece, deeper)] : [];
    return [...found, ...findWrapped(piece, found, plain), ...hidden];
  };
  look(text, 0);
  return characters;
}

describe('the cost of searching for secrets', () => {
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
  ])('grows linearly with the length of the text: %j', (piece) => {
    const short = piece.repeat(2000);
    expect(looksFor(short.repeat(4))).toBeLessThanOrEqual(looksFor(short) * 4 + RULES.length * 4);
  });

  it.each([
    'a1b2c\n',
    'xyzAb12345678\\n',
    '"a1b2c3d4e5f6" +\n',
    '\u2502 a1b2c3d4e5 \u2502\n',
    '%41',
    'token%3Da1b2c3d4+',
    '\\u0041',
    '&#x41;',
    'cGFzc3dvcmQ9',
    'cGFzc3dvcmQ9dHIwdWI0ZG9y\n',
    Buffer.from('token=%41%42c1%3D '.repeat(40)).toString('base64'),
  ])('of joining and decoding grows linearly with the length: %j', (piece) => {
    const short = piece.repeat(Math.ceil(8192 / piece.length));
    const few = charactersLookedAt(short);
    expect(few).toBeGreaterThan(short.length);
    expect(charactersLookedAt(short.repeat(4))).toBeLessThanOrEqual(few * 4.5);
    expect(few).toBeLessThanOrEqual(short.length * 100);
  });

  it('is a few searches for text without any words of secrets', () => {
    expect(looksFor('The quick brown fox jumps over the lazy dog\n'.repeat(1000))).toBe(0);
  });
});
