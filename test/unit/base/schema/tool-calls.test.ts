import { describe, expect, it } from 'vitest';
import { validateToolCall } from '../../../../src/base/schema/validate';

const SCHEMA = { type: 'object', required: ['path'], properties: { path: { type: 'string' } } };

/** One tool in the format of each vendor. */
const TOOLS = {
  Unstuck: { name: 'read_file', schema: SCHEMA },
  Anthropic: { name: 'read_file', description: 'Reads.', input_schema: SCHEMA },
  OpenAI: { type: 'function', function: { name: 'read_file', parameters: SCHEMA, strict: true } },
  'MCP and VS Code': { name: 'read_file', description: 'Reads.', inputSchema: SCHEMA },
};

/** One call in the format of each vendor. */
const CALLS: Readonly<Record<string, (name: string, args: object) => object>> = {
  Unstuck: (name, args) => ({ name, arguments: args }),
  Anthropic: (name, input) => ({ type: 'tool_use', id: 'toolu_1', name, input }),
  OpenAI: (name, args) => ({ id: 'call_1', type: 'function', function: { name, arguments: JSON.stringify(args) } }),
  MCP: (name, args) => ({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }),
  'VS Code': (name, input) => ({ callId: 'call_1', name, input }),
};

const GOOD = { valid: true, parsed: { name: 'read_file', arguments: { path: 'a.ts' } } };

for (const [form, tool] of Object.entries(TOOLS)) {
  describe.each(Object.entries(CALLS))(`a tool in the form of ${form}, and a call in the form of %s`, (_, call) => {
    const text = (name: string, args: object) => JSON.stringify(call(name, args));

    it.each<[string, unknown, object]>([
      ['good', call('read_file', { path: 'a.ts' }), GOOD],
      ['good, as text', text('read_file', { path: 'a.ts' }), GOOD],
      ['in a fence', `\`\`\`json\n${text('read_file', { path: 'a.ts' })}\n\`\`\``, GOOD],
      ['without a field', call('read_file', {}), { valid: false, fault: 'answer', error: '"path" is missing' }],
      [
        'with a wrong type',
        call('read_file', { path: 3 }),
        { valid: false, fault: 'answer', error: '"path" is a number, not a string' },
      ],
      [
        'of a tool that there is not',
        call('readfile', { path: 'a.ts' }),
        { valid: false, fault: 'answer', error: 'there is no tool "readfile"', expected: 'one of read_file' },
      ],
      [
        'broken off',
        text('read_file', { path: 'a.ts' }).slice(0, -2),
        { valid: false, fault: 'answer', error: expect.stringContaining('not valid JSON') as string },
      ],
    ])('%s', (_case, raw, result) => {
      expect(validateToolCall(raw, [tool])).toMatchObject(result);
    });
  });
}

it('takes the forms of the responses of OpenAI, of which only the arguments may be cut off', () => {
  const tools = [{ type: 'function', name: 'read_file', parameters: SCHEMA, strict: true }];
  const call = (args: string) => ({ type: 'function_call', call_id: 'call_1', name: 'read_file', arguments: args });
  expect(validateToolCall(call('{"path":"a.ts"}'), tools)).toMatchObject(GOOD);
  expect(validateToolCall(call('{"path":3}'), tools).error).toBe('"path" is a number, not a string');
  expect(validateToolCall(call('{"path":'), tools)).toMatchObject({ valid: false, expected: 'arguments in JSON' });
});

it('lets a function of OpenAI without parameters take none', () => {
  const tools = [{ type: 'function', function: { name: 'list' } }];
  expect(validateToolCall({ name: 'list' }, tools).valid).toBe(true);
  expect(validateToolCall({ name: 'list', arguments: { all: true } }, tools).error).toBe('"all" is not a field of it');
});

describe('a list of tools that cannot be read is the error of its caller', () => {
  class SchemaOfALibrary {
    readonly shape = SCHEMA;
  }
  it.each<[string, readonly unknown[], string]>([
    ['no schema', [{ name: 'read_file' }], 'the tool "read_file" has no schema that can be read'],
    ['a text', [{ name: 'read_file', schema: 'string' }], 'the tool "read_file" has no schema that can be read'],
    [
      'an object of a library',
      [{ name: 'read_file', inputSchema: new SchemaOfALibrary() }],
      'the tool "read_file" has no schema that can be read',
    ],
    ['no name', [TOOLS.Unstuck, { schema: SCHEMA }], 'tool 2 has no name'],
    ['no list', TOOLS as unknown as unknown[], 'the tools are not a list'],
  ])('%s', (_case, tools, error) => {
    const call = { name: 'read_file', arguments: { path: 'a.ts' } };
    expect(validateToolCall(call, tools)).toMatchObject({ valid: false, fault: 'tools', error });
  });

  it('but not if the call is of another tool', () => {
    const tools = [{ name: 'list' }, TOOLS.Anthropic];
    expect(validateToolCall({ name: 'read_file', arguments: { path: 'a.ts' } }, tools)).toMatchObject(GOOD);
  });
});

it('finds no tool in an empty list', () => {
  expect(validateToolCall({ name: 'any', args: {} }, [])).toMatchObject({
    valid: false,
    fault: 'answer',
    error: 'there is no tool "any"',
    expected: 'no call: there are no tools',
  });
});
