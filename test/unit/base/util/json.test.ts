import { describe, expect, test } from 'vitest';
import { asRecord, fieldsOf, isRecord, parseJson, parseRecord } from '../../../../src/base/util/json';

describe('records in parsed JSON', () => {
  test.each([[null], [[]], [[{ a: 1 }]], ['text'], [1], [true], [undefined]])('%j is no record', (value) => {
    expect(isRecord(value)).toBe(false);
    expect(asRecord(value)).toBeUndefined();
    expect(fieldsOf(value)).toEqual({});
  });

  test('a record stays the same object', () => {
    const value: unknown = { a: 1 };
    expect(isRecord(value)).toBe(true);
    expect(asRecord(value)).toBe(value);
    expect(fieldsOf(value)).toBe(value);
  });

  test('broken text reads as undefined instead of throwing', () => {
    expect(parseJson('{"a":')).toBeUndefined();
    expect(parseRecord('{"a":')).toBeUndefined();
    expect(parseRecord('{')).toBeUndefined();
    expect(parseJson('[')).toBeUndefined();
    expect(parseJson('{"a":1]')).toBeUndefined();
    expect(parseJson('')).toBeUndefined();
  });

  test('blanks around a value are not part of it', () => {
    expect(parseJson('{"a":1} ')).toEqual({ a: 1 });
    expect(parseJson(' [1]\r')).toEqual([1]);
    expect(parseJson('{"a":1}\u00a0')).toBeUndefined();
  });

  test('lists within lists are read down to 1,000 of them; no line of brackets takes long', () => {
    const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
    expect(parseJson(nested(1_000))).toBeInstanceOf(Array);
    expect(parseJson(nested(1_001))).toBeUndefined();
    expect(parseRecord(`{"a":${nested(1_001)}}`)).toBeUndefined();
  });

  test('brackets next to each other and in texts add no depth', () => {
    const flat = Array.from({ length: 1_100 }, () => []);
    expect(parseJson(JSON.stringify(flat))).toEqual(flat);
    const text = `${'["'.repeat(1_100)}\\`;
    expect(parseRecord(JSON.stringify({ text, flat }))).toEqual({ text, flat });
  });

  test('only an object is a record', () => {
    expect(parseJson('[1]')).toEqual([1]);
    expect(parseRecord('[1]')).toBeUndefined();
    expect(parseRecord('{"a":1}')).toEqual({ a: 1 });
  });
});
