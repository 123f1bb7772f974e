import { describe, expect, it } from 'vitest';
import { createVocabulary } from '../../../../src/history/catalogue/vocabulary';

const meaning = (words: readonly (readonly [string, number])[], asked: string) => {
  const vocabulary = createVocabulary();
  for (const [word, times] of words) vocabulary.add(word, times);
  return vocabulary.meaningOf(asked);
};
const meant = (words: readonly string[], asked: string) =>
  meaning(
    words.map((word) => [word, 1] as const),
    asked,
  ).variants.map(({ phrase }) => phrase);

describe('a word of a query', () => {
  it('means itself, and to a lesser degree the words that begin with it', () => {
    expect(
      meaning(
        [
          ['repeat', 3],
          ['repeater', 2],
          ['repeats', 1],
          ['rep', 9],
          ['other', 9],
        ],
        'repeat',
      ),
    ).toEqual({
      variants: [
        { phrase: 'repeat', weight: 1 },
        { phrase: 'repeat*', weight: 0.6 },
      ],
      count: 6,
    });
  });

  it('means the words that begin with it, to the same degree, if it is only the beginning of words', () => {
    expect(meaning([['kubernetes', 4]], 'kube')).toEqual({ variants: [{ phrase: 'kube*', weight: 1 }], count: 4 });
    expect(meant(['abcd'], 'abc')).toEqual(['abc*']);
    expect(meant(['kubernetes'], 'ku')).toEqual([]);
  });

  it('means the words it is nearest to if it is in no document', () => {
    expect(meant(['stuck', 'stack', 'other'], 'stuk')).toEqual(['stuck']);
    expect(meant(['repeat', 'report'], 'repeatng')).toEqual(['repeat']);
    expect(meant(['playtest', 'pytest'], 'pytset')).toEqual(['pytest']);
    expect(meant(['tests', 'toast'], 'texts')).toEqual(['tests']);
    expect(meant(['parses', 'parser'], 'parsex')).toEqual(['parses', 'parser']);
  });

  it('may have one error when it has four letters, two when it has more', () => {
    expect(meant(['abcx'], 'abcd')).toEqual(['abcx']);
    expect(meant(['abxx'], 'abcd')).toEqual([]);
    expect(meant(['abcxx'], 'abcde')).toEqual(['abcxx']);
    expect(meant(['abxxx'], 'abcde')).toEqual([]);
    expect(meant(['abcdefg'], 'abcde')).toEqual(['abcde*']);
    expect(meant(['xabcdex'], 'abcde')).toEqual(['xabcdex']);
    expect(meant(['xabcdexx'], 'abcde')).toEqual([]);
  });

  it('that is in a document is not taken for another one', () => {
    expect(meant(['stuck', 'stack'], 'stack')).toEqual(['stack']);
  });

  it('of three letters is not corrected: too many words would be near it', () => {
    expect(meant(['npm', 'npx'], 'npn')).toEqual([]);
  });

  it('that is mistyped means the more frequent ones if many are as near', () => {
    const words = Array.from({ length: 9 }, (_, n) => [`test${n}`, n] as const);
    const { variants, count } = meaning(words, 'testx');
    expect(variants.map(({ phrase }) => phrase)).toEqual(['test8', 'test7', 'test6', 'test5', 'test4', 'test3']);
    expect(variants.every(({ weight }) => weight === 1)).toBe(true);
    expect(count).toBe(8 + 7 + 6 + 5 + 4 + 3);
  });

  it('is counted over all documents it was added with', () => {
    expect(
      meaning(
        [
          ['stuck', 2],
          ['stuck', 3],
        ],
        'stuck',
      ).count,
    ).toBe(5);
  });
});

it('a word with an error means only the nearest words, and a short one nothing else', () => {
  expect(meant(['repeal', 'retreat', 'repeat'], 'repeet')).toEqual(['repeat']);
  expect(meant(['cat'], 'car')).toEqual([]);
});
