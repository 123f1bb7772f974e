import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { schemaProblem } from '../../../src/api/json-schema';
import { validateJsonResponse, validateToolCall } from '../../../src/api/validate';

const TOOLS = [
  {
    name: 'read_file',
    schema: {
      type: 'object',
      required: ['path'],
      additionalProperties: false,
      properties: {
        path: { type: 'string', minLength: 1 },
        limit: { type: 'integer' },
        mode: { enum: ['text', 'raw'] },
      },
    },
  },
  { name: 'list' },
];

describe('validateToolCall', () => {
  it.each([
    '{"name": "read_file", "arguments": {"path": "a.ts"}}',
    '{"name": "read_file", "arguments": "{\\"path\\": \\"a.ts\\", \\"limit\\": 3}"}',
    '{"name": "read_file", "input": {"path": "a.ts", "mode": "raw"}}',
    '{"name": "list"}',
  ])('accepts %s', (raw) => expect(validateToolCall(raw, TOOLS)).toMatchObject({ valid: true }));

  it.each([
    ['{"name": "read_file", "arg', 'not valid JSON'],
    ['[]', 'not an object'],
    ['{"arguments": {}}', 'no tool is named'],
    ['{"name": "readfile", "arguments": {}}', 'there is no tool "readfile"'],
    ['{"name": "read_file", "arguments": {}}', '"path" is missing'],
    ['{"name": "read_file", "arguments": {"path": 3}}', '"path" is a number, not a string'],
    ['{"name": "read_file", "arguments": {"path": ""}}', '"path" has too few characters'],
    ['{"name": "read_file", "arguments": {"path": "a", "limit": 1.5}}', '"limit" is a number, not an integer'],
    [
      '{"name": "read_file", "arguments": {"path": "a", "mode": "hex"}}',
      '"mode" is a string, not one of "text", "raw"',
    ],
    ['{"name": "read_file", "arguments": {"path": "a", "lines": 3}}', '"lines" is not a field of it'],
    ['{"name": "read_file", "arguments": "{\\"path\\""}', 'not valid JSON'],
  ])('refuses %s', (raw, error) => {
    const result = validateToolCall(raw, TOOLS);
    expect(result.valid).toBe(false);
    expect(result.error).toContain(error);
    expect(result.suggestion).not.toBe('');
  });

  it('cuts what it received', () => {
    const { received } = validateToolCall('x'.repeat(5000), TOOLS);
    expect(received).toHaveLength(200);
  });

  it('knows nothing wrong without a catalogue', () => {
    expect(validateToolCall({ name: 'any', args: { x: 1 } }, [])).toMatchObject({ valid: true });
  });

  it('never throws', () => {
    fc.assert(
      fc.property(fc.anything(), fc.jsonValue(), (raw, schema) => {
        expect(typeof validateToolCall(raw, [{ name: 'a', schema }]).valid).toBe('boolean');
      }),
    );
  });
});

describe('validateJsonResponse', () => {
  it.each(['{"a": 1}', '```json\n{"a": 1}\n```', '  ```\n{"a": 1}```  '])('reads %j', (raw) =>
    expect(validateJsonResponse(raw)).toEqual({ valid: true, parsed: { a: 1 } }),
  );

  it('refuses prose, and says how to answer', () => {
    expect(validateJsonResponse('Sure! {"a": 1}')).toMatchObject({
      valid: false,
      expected: 'valid JSON',
      suggestion: 'Respond with only valid JSON, no markdown or explanation.',
    });
  });

  it('checks a schema', () => {
    const schema = { type: 'array', items: { type: 'object', required: ['id'] } };
    expect(validateJsonResponse('[{"id": 1}]', schema).valid).toBe(true);
    expect(validateJsonResponse('[{"id": 1}, {}]', schema)).toMatchObject({
      valid: false,
      error: '"[1].id" is missing',
    });
  });
});

describe('schemaProblem', () => {
  it('accepts any alternative that fits', () => {
    const schema = { anyOf: [{ type: 'string' }, { type: 'object', required: ['a'] }] };
    expect(schemaProblem('x', schema)).toBeNull();
    expect(schemaProblem({ a: 1 }, schema)).toBeNull();
    expect(schemaProblem(3, schema)).toMatchObject({ expected: 'a string', received: 'a number' });
  });

  it('lets pass what it does not know', () => {
    expect(schemaProblem(3, { $ref: '#/definitions/thing', format: 'uri', type: 'thing' })).toBeNull();
  });

  it('ends for schemas of any depth', () => {
    let schema: unknown = { type: 'string' };
    let value: unknown = 3;
    for (let depth = 0; depth < 200; depth++) {
      schema = { type: 'object', properties: { a: schema } };
      value = { a: value };
    }
    expect(schemaProblem(value, schema)).toBeNull();
  });

  it('finds nothing wrong with a value that its own shape describes', () => {
    const shape = (value: unknown): unknown =>
      Array.isArray(value)
        ? { type: 'array', minItems: value.length }
        : value !== null && typeof value === 'object'
          ? {
              type: 'object',
              required: Object.keys(value),
              properties: Object.fromEntries(Object.entries(value).map(([key, item]) => [key, shape(item)])),
              additionalProperties: false,
            }
          : { type: value === null ? 'null' : typeof value, const: value };
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
        expect(schemaProblem(value, shape(value))).toBeNull();
      }),
    );
  });
});
