import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  age,
  ageInWords,
  clock,
  clockOn,
  clockSeconds,
  clockSpan,
  counted,
  cutWords,
  duration,
  percentDigits,
  short,
  whole,
} from '../../../../src/core/words';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

describe('ages', () => {
  it('are rounded down, so that nothing is said before it is true', () => {
    expect(age(40_999)).toBe('40 s');
    expect(age(MINUTE - 1)).toBe('59 s');
    expect(age(8 * MINUTE + 59 * SECOND)).toBe('8 min');
    expect(age(HOUR + 6 * MINUTE)).toBe('1 h 6 min');
    expect(age(3 * HOUR)).toBe('3 h');
    expect(age(DAY - 1)).toBe('23 h 59 min');
    expect(age(2 * DAY + 5 * HOUR)).toBe('2 d');
  });

  it('are 0 if the clocks of two machines differ', () => {
    expect(age(-5000)).toBe('0 s');
    expect(age(Number.NaN)).toBe('0 s');
  });

  it('have words for screen readers', () => {
    expect(ageInWords(1000)).toBe('1 second');
    expect(ageInWords(8 * MINUTE)).toBe('8 minutes');
    expect(ageInWords(HOUR + MINUTE)).toBe('1 hour 1 minute');
    expect(ageInWords(2 * HOUR)).toBe('2 hours');
    expect(ageInWords(3 * DAY)).toBe('3 days');
  });

  it('never grow smaller with time', () => {
    const value = (text: string) => {
      const units: Record<string, number> = { s: SECOND, min: MINUTE, h: HOUR, d: DAY };
      return [...text.matchAll(/(\d+) (s|min|h|d)/g)].reduce(
        (sum, [, n, unit]) => sum + Number(n) * (units[unit ?? ''] ?? 0),
        0,
      );
    };
    fc.assert(
      fc.property(fc.nat(10 * DAY), fc.nat(10 * DAY), (a, b) => {
        const [less, more] = a < b ? [a, b] : [b, a];
        expect(value(age(less))).toBeLessThanOrEqual(value(age(more)));
        expect(value(age(more))).toBeLessThanOrEqual(more);
      }),
    );
  });
});

it('durations keep their seconds below 10 minutes', () => {
  expect(duration(2 * MINUTE + 10 * SECOND)).toBe('2 min 10 s');
  expect(duration(10 * MINUTE)).toBe('10 min');
  expect(duration(12 * SECOND)).toBe('12 s');
  expect(duration(4)).toBe('4 ms');
});

describe('clocks', () => {
  const at = Date.UTC(2026, 10, 20, 17, 9, 38);

  it('have seconds in evidence, but not on axes', () => {
    expect(clockSeconds(at)).toBe('17:09:38');
    expect(clock(at)).toBe('17:09');
  });

  it('name the day only if it is a different one', () => {
    expect(clockOn(at, at + HOUR)).toBe('17:09');
    expect(clockOn(at, at + DAY)).toBe('20 Nov 17:09');
    expect(clockSpan(at - HOUR, at, at)).toBe('16:09 to 17:09');
  });
});

describe('counts', () => {
  it('are short for tokens', () => {
    expect(['0', '940', '1.5k', '118k', '200k', '1M', '1.9M', '12M']).toEqual(
      [0, 940, 1500, 118_000, 200_000, 1_000_000, 1_900_000, 12_000_000].map(short),
    );
  });

  it('carry over instead of saying 1000k', () => {
    expect(short(999.6)).toBe('1000');
    expect(short(9960)).toBe('10k');
    expect(short(999_499)).toBe('999k');
    expect(short(999_600)).toBe('1M');
  });

  it('are exact where they can be opened', () => {
    expect(whole(214)).toBe('214');
    expect(whole(12_345_678)).toBe('12,345,678');
    expect(counted(1, 'reply', 'replies')).toBe('1 reply');
    expect(counted(2, 'reply', 'replies')).toBe('2 replies');
  });

  it('say 100 % only for the whole', () => {
    expect(percentDigits(0.59)).toBe(59);
    expect(percentDigits(0.9999)).toBe(99);
    expect(percentDigits(1)).toBe(100);
  });
});

describe('titles', () => {
  it('are cut at a word boundary', () => {
    expect(cutWords('Fix the import error in the test suite', 26)).toBe('Fix the import error in…');
    expect(cutWords('Short', 26)).toBe('Short');
  });

  it('are cut within a word if there is no boundary', () => {
    expect(cutWords('a'.repeat(40), 26)).toBe(`${'a'.repeat(25)}…`);
  });

  it('never end in half a character, and never exceed their length', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 2, max: 40 }), (text, max) => {
        const cut = cutWords(text, max);
        expect(cut.length).toBeLessThanOrEqual(max);
        expect(cut.isWellFormed()).toBe(true);
      }),
    );
  });
});
