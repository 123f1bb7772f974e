import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { valueText } from '../../../../src/base/util/value-text';

it('reports a value that contains itself, and not one that is there twice', () => {
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

it('returns a text for any value', () => {
  fc.assert(
    fc.property(fc.anything(), (value) => {
      fc.pre(typeof value !== 'string');
      const text = valueText(value);
      expect(typeof text).toBe('string');
      expect(text).not.toContain('[object Object]');
    }),
  );
});
