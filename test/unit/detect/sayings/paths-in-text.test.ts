import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hashOfName, nameOf, namesInText } from '../../../../src/detect/sayings/paths-in-text';

/** The intended rule, as a pattern. */
const FILE = /[\w.@~+-]*(?:\/[\w.@+-]+)+|[\w@+-][\w.@+-]*\.[A-Za-z]\w{0,7}\b/g;

function names(text: string): string[] {
  const found: string[] = [];
  namesInText(text, (hash, start, end) => {
    const name = text.slice(start, end);
    expect(hash).toBe(hashOfName(name));
    found.push(name);
  });
  return found;
}

describe('names of files in a text', () => {
  it('takes the last part of each path, and words with an extension', () => {
    expect(names('see ./src/calc.py, README.md and ~/notes; not 1.2 or this.')).toEqual([
      'calc.py',
      'README.md',
      'notes',
    ]);
  });

  it('reads the first 4,096 characters and takes 64 names at most', () => {
    expect(names(`${'x '.repeat(2048)}a.ts`)).toEqual([]);
    expect(names('a.ts '.repeat(100))).toHaveLength(64);
  });

  it.each([
    'a.abcdefgh b.abcdefghi',
    'a.b.abcdefghi',
    'a/b.c/d',
    '/ a/ /b //c',
    '~/x ~y/z a~b.c',
    '.env ..a.b .5 5.x x.5',
    'é.ts aé.ts a.é \u0080.ts',
    '@a/b+c-d.e',
    'a.b. a.',
    '',
  ])('finds in %j what the pattern finds', (text) => {
    expect(names(text)).toEqual([...text.matchAll(FILE)].map(([path]) => nameOf(path)));
  });

  it('finds what the pattern finds around the last character that is read', () => {
    for (const path of ['src/calc.py', 'README.md', 'a/b/c/d', 'x.longer~y.ts', '../up.js'])
      for (let before = 4_080; before <= 4_096; before++) {
        const text = `${' '.repeat(before)}${path} more.ts`;
        expect(names(text)).toEqual([...text.slice(0, 4_096).matchAll(FILE)].map(([one]) => nameOf(one)));
      }
  });

  it('finds what the pattern finds', () => {
    const piece = fc.constantFrom(
      'a',
      'b',
      '1',
      '_',
      '.',
      '@',
      '~',
      '+',
      '-',
      '/',
      ' ',
      ':',
      'é',
      '\n',
      '\\',
      'src/',
      '.py',
      'longextension',
      '..',
      '~/',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const text = pieces.join('');
        expect(names(text)).toEqual([...text.matchAll(FILE)].slice(0, 64).map(([path]) => nameOf(path)));
      }),
      { numRuns: 2000 },
    );
  });
});
