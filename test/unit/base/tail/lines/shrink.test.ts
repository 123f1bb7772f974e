import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LINE_LIMIT_BYTES, Shrinker } from '../../../../../src/base/tail/lines/shrink';
import { CUT_OVER_BYTES, fullLength, isCut, readable } from '../../../../../src/base/util/cut';

function shrink(raw: Buffer | string, pieces: readonly number[] = [], limit?: number) {
  const bytes = Buffer.from(raw as string);
  const shrinker = new Shrinker(limit);
  let at = 0;
  for (const size of pieces) {
    if (at >= bytes.length) break;
    const end = Math.min(bytes.length, at + size);
    // A buffer of its own with bytes around it: nothing outside the piece may affect the result.
    const padded = Buffer.concat([Buffer.from('"\\'), bytes.subarray(at, end), Buffer.from('\\"\n"')]);
    shrinker.feed(padded, 2, 2 + end - at);
    at = end;
  }
  shrinker.feed(bytes, at, bytes.length);
  return shrinker.finish();
}

const LONG = CUT_OVER_BYTES;

/** Text full of what is dangerous to split: escapes, runs of backslashes, surrogate pairs as escapes and as bytes, quotes. */
const piece = fc.constantFrom(
  'a',
  'é',
  '漢',
  '😀',
  '"',
  '\\',
  '\\\\',
  '\n',
  '\u0000',
  '\ud800',
  '\udc00',
  '\u2028',
  '/',
  'u',
  'd83d',
  '0',
);
const wildText = fc
  .tuple(
    fc.array(piece, { minLength: 1, maxLength: 40 }),
    fc.integer({ min: 1, max: 1500 }),
    fc.array(piece, { maxLength: 40 }),
  )
  .map(([unit, times, end]) => unit.join('').repeat(times) + end.join(''));

/** JSON as different writers write it: some escape everything that is not ASCII. */
const asciiJson = (value: unknown) =>
  JSON.stringify(value).replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
const writer = fc.constantFrom<(value: unknown) => string>((value) => JSON.stringify(value), asciiJson);
const pieces = fc.array(fc.oneof(fc.integer({ min: 1, max: 50 }), fc.integer({ min: 1, max: 20_000 })), {
  maxLength: 300,
});

describe('shrinking a line', () => {
  test('leaves strings up to 16 KB as they are and cuts longer ones, whatever the line around them', () => {
    const short = 'x'.repeat(LONG);
    const long = 'x'.repeat(LONG + 1);
    const shrunk = JSON.parse(shrink(JSON.stringify({ short, long, list: [long, { long }] })).text);
    expect(shrunk.short).toBe(short);
    expect(isCut(shrunk.long)).toBe(true);
    expect(fullLength(shrunk.long)).toBe(long.length);
    expect(shrunk.list).toEqual([shrunk.long, { long: shrunk.long }]);
    expect(readable(shrunk.long)).toMatch(/^x{4096}\n… \d+ characters left out …\nx{4096}$/);
  });

  test('yields the same for any split of the bytes, and always JSON of the same structure', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string({ maxLength: 5 }), fc.oneof(wildText, fc.jsonValue())),
        writer,
        pieces,
        (value, write, split) => {
          const raw = write(value);
          const once = shrink(raw);
          expect(shrink(raw, split)).toEqual(once);
          expect(once.whole).toBe(true);
          expect(withoutCut(JSON.parse(once.text), JSON.parse(raw))).toEqual(JSON.parse(raw));
        },
      ),
      { numRuns: 150 },
    );
  });

  test('splits no escape, no character and no pair at head or tail', () => {
    fc.assert(
      fc.property(wildText, fc.integer({ min: 0, max: 14 }), writer, (text, shift, write) => {
        const full = `${'a'.repeat(shift)}${text.repeat(Math.ceil((3 * LONG) / text.length))}${'b'.repeat(shift)}`;
        const cut: string = JSON.parse(shrink(write([full])).text)[0];
        const [head, tail] = cut.split(/\u{F8F0}.*\u{F8F1}/su) as [string, string];
        const same: string = JSON.parse(write(full));
        expect(same.startsWith(head)).toBe(true);
        expect(same.endsWith(tail)).toBe(true);
        // Half a pair at an edge where the full text has the whole one.
        if (/[\ud800-\udbff]$/.test(head)) expect(/^[\udc00-\udfff]/.test(same.slice(head.length))).toBe(false);
        if (/^[\udc00-\udfff]/.test(tail))
          expect(/[\ud800-\udbff]$/.test(same.slice(0, same.length - tail.length))).toBe(false);
      }),
      { numRuns: 100 },
    );
  });

  test('keeps a tail of text that consists of escapes', () => {
    const text = '漢😀'.repeat(LONG);
    const cut: string = JSON.parse(shrink(asciiJson([text])).text)[0];
    expect(cut.endsWith('漢😀'.repeat(100))).toBe(true);
  });

  test('makes different strings different and equal ones equal', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 3 * LONG - 1 }),
        fc.integer({ min: 0, max: 3 * LONG }),
        fc.boolean(),
        (at, other, insert) => {
          const base = 'abcdefghij'.repeat(Math.ceil((3 * LONG) / 10)).slice(0, 3 * LONG);
          const changed = `${base.slice(0, at)}X${base.slice(insert ? at : at + 1)}`;
          const [first, second, again] = JSON.parse(
            shrink(JSON.stringify([base, changed, base, 'y'.repeat(other)])).text,
          );
          expect(first).toBe(again);
          expect(second).not.toBe(first);
        },
      ),
    );
  });

  test('cuts a line that is not JSON as one text', () => {
    const text = `level=info ${'ü'.repeat(LONG)} "end`;
    const { text: cut, whole } = shrink(text, [7, 5000, 1, 1, 1]);
    expect(whole).toBe(true);
    expect(cut.startsWith('level=info ü')).toBe(true);
    expect(cut.endsWith('ü "end')).toBe(true);
    expect(isCut(cut)).toBe(true);
    expect(Buffer.byteLength(cut)).toBeLessThan(9000);
  });

  test('survives broken JSON: a string that does not end, quotes out of place, brackets that close nothing', () => {
    const cut = shrink(`{"a": "${'z'.repeat(LONG * 2)}`);
    expect(isCut(cut.text)).toBe(true);
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('"', '\\', '{', '}', '[', ']', ',', 'a', '\u0000') }),
        pieces,
        (text, split) => {
          const raw = `{${text.repeat(2000)}`;
          expect(shrink(raw, split)).toEqual(shrink(raw));
        },
      ),
    );
  });

  test('yields the same for any split of any bytes', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 1, maxLength: 60 }),
        fc.integer({ min: 300, max: 2000 }),
        pieces,
        (unit, times, split) => {
          const raw = Buffer.concat([Buffer.from('["'), ...Array.from({ length: times }, () => Buffer.from(unit))]);
          expect(shrink(raw, split)).toEqual(shrink(raw));
        },
      ),
    );
  });
});

describe('shrinking a line that is still too large', () => {
  const patch = Array.from({ length: 40_000 }, (_, index) => `+ line ${index} of a generated file`);

  test('leaves out the end of the longest list and keeps the fields after it', () => {
    const value = { type: 'user', result: { patch, old: { patch } }, message: { content: [{ id: 'call' }] }, at: 7 };
    const raw = JSON.stringify(value);
    const { text, whole } = shrink(raw);
    const parsed = JSON.parse(text);
    expect(whole).toBe(false);
    expect(text.length).toBeLessThan(LINE_LIMIT_BYTES);
    expect(parsed).toMatchObject({ type: 'user', message: { content: [{ id: 'call' }] }, at: 7 });
    const kept: string[] = parsed.result.patch;
    expect(kept.slice(0, -1)).toEqual(patch.slice(0, kept.length - 1));
    expect(isCut(kept.at(-1)?.padEnd(2000) ?? '')).toBe(true);
    expect(shrink(raw, [1, 2, 3, 400_000, 1, 1, 7, 300_000])).toEqual({ text, whole });
  });

  test('also leaves out the last fields of an object, and lists deeper than the limits', () => {
    const fields = Object.fromEntries(patch.map((line, index) => [`key ${index}`, line]));
    expect(Object.keys(JSON.parse(shrink(JSON.stringify({ fields, last: 1 })).text))).toEqual(['fields', 'last']);
    let deep: unknown = patch;
    for (let level = 0; level < 11; level++) deep = { deep, after: level };
    expect(JSON.parse(shrink(JSON.stringify(deep)).text)).toMatchObject({ after: 10, deep: { after: 9 } });
  });

  test('cuts what has neither strings nor elements as one text', () => {
    const raw = `{"n": ${'7'.repeat(3 * LINE_LIMIT_BYTES)}}`;
    const { text, whole } = shrink(raw, [1000, LINE_LIMIT_BYTES, 5]);
    expect(whole).toBe(false);
    expect(text.length).toBeLessThan(9000);
    expect(isCut(text)).toBe(true);
    expect(shrink(raw)).toEqual({ text, whole });
    expect(shrink('['.repeat(3_000_000)).text.length).toBeLessThan(9000);
  });

  test('keeps the whole structure of a document', () => {
    const { text, whole } = shrink(JSON.stringify({ patch, long: 'x'.repeat(LONG * 2) }), [], Number.POSITIVE_INFINITY);
    expect(whole).toBe(true);
    expect(JSON.parse(text).patch).toEqual(patch);
    expect(isCut(JSON.parse(text).long)).toBe(true);
  });
});

/** `shrunk` with each cut string replaced by the one in the same place of `full`, after checking its length. */
function withoutCut(shrunk: unknown, full: unknown): unknown {
  if (typeof shrunk === 'string' && typeof full === 'string' && isCut(shrunk)) {
    expect(asciiJson(full).length).toBeGreaterThan(CUT_OVER_BYTES);
    return full;
  }
  if (Array.isArray(shrunk) && Array.isArray(full)) return shrunk.map((item, index) => withoutCut(item, full[index]));
  if (typeof shrunk === 'object' && shrunk !== null && typeof full === 'object' && full !== null) {
    return Object.fromEntries(
      Object.entries(shrunk).map(([key, item]) => [key, withoutCut(item, (full as Record<string, unknown>)[key])]),
    );
  }
  return shrunk;
}
