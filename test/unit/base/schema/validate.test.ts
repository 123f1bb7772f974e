import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FOREIGN, schemaProblem } from '../../../../src/base/schema/json-schema';
import { callProblem, validateJsonResponse, validateToolCall } from '../../../../src/base/schema/validate';

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
  { name: 'list', schema: {} },
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

  it('shortens what it received', () => {
    const { received } = validateToolCall('x'.repeat(5000), TOOLS);
    expect(received).toHaveLength(200);
  });

  it('finds nothing wrong in a transcript without a catalogue', () => {
    expect(callProblem('any', { x: 1 }, [])).toBeNull();
  });

  it('never throws', () => {
    fc.assert(
      fc.property(fc.anything(), fc.jsonValue(), fc.anything(), (raw, schema, tool) => {
        expect(typeof validateToolCall(raw, [{ name: 'a', schema }, tool]).valid).toBe('boolean');
      }),
    );
  });
});

describe('validateJsonResponse', () => {
  it.each(['{"a": 1}', '```json\n{"a": 1}\n```', '  ```\n{"a": 1}```  ', '```json\n{"a": 1}'])('reads %j', (raw) =>
    expect(validateJsonResponse(raw)).toEqual({ valid: true, parsed: { a: 1 } }),
  );

  it('refuses prose, and says how to answer', () => {
    expect(validateJsonResponse('Sure! {"a": 1}')).toMatchObject({
      valid: false,
      expected: 'valid JSON',
      suggestion: 'Respond with only valid JSON, no markdown or explanation.',
    });
  });

  it.each([undefined, null, 3, { a: 1 }, [1]])('says that %j is no text', (raw) =>
    expect(validateJsonResponse(raw)).toMatchObject({ valid: false, error: 'not a text' }),
  );

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

  it.each<[unknown, unknown, unknown, string]>([
    [{ minimum: 3 }, 3, 2, 'the value is 2, not at least 3'],
    [{ exclusiveMaximum: 3 }, 2, 3, 'the value is 3, not less than 3'],
    [{ multipleOf: 0.1 }, 0.3, 0.25, 'the value is 0.25, not a multiple of 0.1'],
    [{ pattern: '^a+$' }, 'aa', 'ab', 'the value is "ab", not text that matches "^a+$"'],
    [{ not: { type: 'string' } }, 1, 'x', 'the value is "x", not something else: the schema forbids it'],
    [{ $ref: '#/$defs/id', $defs: { id: { type: 'integer' } } }, 1, 'x', 'the value is a string, not an integer'],
    [{ uniqueItems: true }, [1, 2], [{ a: 1 }, { a: 1 }], 'not items that are all different'],
    [{ patternProperties: { '^n_': { type: 'number' } } }, { n_a: 1 }, { n_a: 'x' }, '"n_a" is a string, not a number'],
    [{ dependentRequired: { a: ['b'] } }, { a: 1, b: 2 }, { a: 1 }, '"b" is missing'],
    [{ oneOf: [{ type: 'number' }, { minimum: 3 }] }, 'x', 4, 'not what exactly one alternative allows'],
    [{ format: 'date' }, '2026-11-20', 'soon', 'the value is "soon", not text of the format "date"'],
    [{ prefixItems: [{ type: 'string' }], items: false }, ['a'], ['a', 'b'], '"[1]" is not a field of it'],
    [{ items: [{ type: 'string' }] }, ['a', 1], [1], '"[0]" is a number, not a string'],
    [JSON.parse('{"if":{"required":["a"]},"then":{"required":["b"]}}'), {}, { a: 1 }, '"b" is missing'],
    [{ type: ['string', 'null'] }, null, 1, 'the value is a number, not a string or nothing'],
    [{ enum: [{ a: 1 }, 'b'] }, { a: 1 }, 'c', 'the value is a string, not one of {"a":1}, "b"'],
  ])('supports %j', (schema, good, bad, error) => {
    expect(schemaProblem(good, schema)).toBeNull();
    expect(schemaProblem(bad, schema)?.error).toContain(error);
  });

  it('names the place, even behind references and alternatives', () => {
    const schema = {
      properties: { steps: { items: { $ref: '#/definitions/step' } } },
      definitions: { step: { allOf: [{ required: ['tool'] }] } },
    };
    expect(schemaProblem({ steps: [{ tool: 1 }, { t: 1 }] }, schema)).toEqual({
      expected: 'steps[1].tool',
      received: 't',
      error: '"steps[1].tool" is missing',
    });
  });

  it("leaves its caller's schema as it is", () => {
    const schema = { properties: { a: { $ref: '#/$defs/a' } }, $defs: { a: { type: 'string' } } };
    const before = JSON.stringify(schema);
    schemaProblem({ a: 1 }, schema);
    expect(JSON.stringify(schema)).toBe(before);
    expect(schemaProblem({ a: 1 }, Object.freeze(schema))).not.toBeNull();
  });

  it('accepts what it does not know, and what is no schema', () => {
    expect(schemaProblem(3, { $ref: '#/definitions/thing', format: 'thing', type: 'thing' })).toBeNull();
    expect(schemaProblem(3, { $ref: 'https://example.com/schema.json' })).toBeNull();
    expect(schemaProblem({ a: 1 }, { required: 'a', properties: 3, pattern: '(', enum: 'x', minimum: '4' })).toBeNull();
    expect(schemaProblem(3, 'a schema')).toBeNull();
  });

  it('runs no pattern from a transcript, which could take forever', () => {
    const schema = { properties: { text: { pattern: '^(a+)+$' } } };
    const value = { text: `${'a'.repeat(5000)}b` };
    expect(schemaProblem(value, schema, FOREIGN)).toBeNull();
    expect(callProblem('run', value, [{ name: 'run', schema }])).toBeNull();
    expect(schemaProblem({ text: 'ab' }, schema)).not.toBeNull();
  });

  it('gives up on a schema that grows without end, or has a cycle', () => {
    // Each level doubles the work: 2 to the power of 40.
    const $defs: Record<string, unknown> = { d0: { type: 'string' } };
    for (let level = 1; level <= 40; level++)
      $defs[`d${level}`] = { anyOf: [1, 2].map(() => ({ $ref: `#/$defs/d${level - 1}` })) };
    expect(schemaProblem(3, { $ref: '#/$defs/d40', $defs }, FOREIGN)).toBeNull();
    expect(schemaProblem(3, { $ref: '#/$defs/d40', $defs })).toBeNull();
    expect(schemaProblem(3, { $ref: '#' })).toBeNull();
    expect(
      schemaProblem(
        Array.from({ length: 50_000 }, () => 1),
        { items: { type: 'string' } },
        FOREIGN,
      ),
    ).toBeNull();
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
