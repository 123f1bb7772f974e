import { describe, expect, test } from 'vitest';
import { asRecord, fieldsOf, isRecord, parseJson, parseRecord } from '../../../src/util/json';

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
  });

  test('only an object is a record', () => {
    expect(parseJson('[1]')).toEqual([1]);
    expect(parseRecord('[1]')).toBeUndefined();
    expect(parseRecord('{"a":1}')).toEqual({ a: 1 });
  });
});
