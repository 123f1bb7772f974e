import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { valueText } from '../../../../src/base/util/value-text';

it('says that a value lies within itself, and not that it is there twice', () => {
  const shared = { a: 1 };
  const circle: Record<string, unknown> = { first: shared, second: shared };
  circle.again = { circle };
  expect(valueText(circle)).toBe('{"first":{"a":1},"second":{"a":1},"again":{"circle":"[circular]"}}');
});

it('names what cannot be JSON, and what throws', () => {
  expect(valueText({ error: new Error('gone'), size: 3n, after: function next() {} })).toBe(
    '{"error":"Error: gone","size":"3","after":"[function next]"}',
  );
  const throws = {
    toJSON: () => {
      throw new Error('no');
    },
  };
  expect(valueText(throws)).toBe('[cannot be shown]');
});

it('gives a text for whatever comes', () => {
  fc.assert(
    fc.property(fc.anything(), (value) => {
      fc.pre(typeof value !== 'string');
      const text = valueText(value);
      expect(typeof text).toBe('string');
      expect(text).not.toContain('[object Object]');
    }),
  );
});
