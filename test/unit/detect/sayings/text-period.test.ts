import { describe, expect, test } from 'vitest';
import { isProse, periodAtEnd, sentencesIn } from '../../../../src/detect/sayings/text-period';

/** The period at the end, where three repeats are enough. */
const period = (text: string, needed = 3) => periodAtEnd(text, () => needed);

describe('what the end of a text repeats', () => {
  const sentence = 'I will now read the file again. ';

  test('is found with its length, however the text begins', () => {
    expect(period(sentence.repeat(3))).toEqual({ period: 32, length: 96 });
    expect(period(`Well. ${sentence.repeat(4)}`)).toEqual({ period: 32, length: 130 });
    expect(period(`Well! ${sentence.repeat(3)}`)).toEqual({ period: 32, length: 97 });
    expect(period(`Well!${sentence.repeat(3)}`)).toEqual({ period: 32, length: 96 });
  });

  test('counts the spaces that the last repeat lacks at its end', () => {
    expect(period(sentence.repeat(3).trimEnd())).toEqual({ period: 32, length: 96 });
    expect(period('Done now, all of it.\n\n'.repeat(3).trimEnd())).toEqual({ period: 22, length: 66 });
    expect(period('Done now, all of it.\t'.repeat(3).trimEnd())).toBeNull();
  });

  test('is its shortest period, even of one character', () => {
    expect(period('ab'.repeat(20))?.period).toBe(2);
    expect(period('a'.repeat(40))).toEqual({ period: 1, length: 40 });
    expect(period('abab')).toBeNull();
    expect(period('ababab')).toEqual({ period: 2, length: 6 });
    expect(period('aaa')).toBeNull();
    expect(period('aaaa', 4)).toEqual({ period: 1, length: 4 });
  });

  test('is enough or not depending on its length', () => {
    const text = sentence.repeat(3);
    const asked: number[] = [];
    expect(
      periodAtEnd(text, (length) => {
        asked.push(length);
        return 4;
      }),
    ).toBeNull();
    expect(asked).toEqual([32, 64]);
    expect(period(text, 4)).toBeNull();
    expect(period(`x${text}`, 3)?.length).toBe(96);
    expect(period(`${sentence}${sentence.replace('file', 'FILE')}${sentence}`)).toBeNull();
  });

  test('is null in a text that says new things', () => {
    expect(period('')).toBeNull();
    expect(period('a')).toBeNull();
    expect(period('ab')).toBeNull();
    expect(period('One sentence. Another sentence. A third one.')).toBeNull();
  });

  test('is looked for at eight earlier places, past ends that only look alike', () => {
    const like = (count: number) => Array.from({ length: count }, (_, n) => `${n} and so it goes on. `).join('');
    const lap = (count: number) => like(count).repeat(3);
    expect(period(lap(8))?.period).toBe(like(8).length);
    expect(period(lap(9))).toBeNull();
  });
});

describe('prose', () => {
  test.each(['I will go on.', 'да', 'a b cd', 'say | this'])('is “%s”', (text) => {
    expect(isProse(text)).toBe(true);
  });

  test.each(['-----', '1 2 3', 'a b c', '| name | size |', 'x\n  | ab |', '\t+ ab'])('is not “%s”', (text) => {
    expect(isProse(text)).toBe(false);
  });
});

test.each([
  ['', 1],
  ['one', 1],
  ['One. Two! Three?', 3],
  ['One.Two', 1],
  ['One\nTwo\n', 1],
  ['One.\nTwo.\n', 3],
  ['完成。 好！', 2],
  ['好？', 1],
  ['v1.2 is out.', 1],
])('in “%s” there are %i sentences or lines', (text, count) => {
  expect(sentencesIn(text)).toBe(count);
});
