import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';
import { clineConversation as cline } from '../../../../src/agents/cline/adapter';
import { readResult } from '../../../../src/agents/cline/decoder';
import { xmlCalls } from '../../../../src/agents/cline/xml-tools';
import type { AgentEvent } from '../../../../src/core/model';
import { damagedRecord, decodeAny } from '../fuzz';
import { fc, test } from '../shared/property';
import { printRows, rowOf, strayResults, transcriptsBelow } from '../support';

const real = transcriptsBelow('.messages.json', 'public', 'fixtures-many-agents', 'cline');
const types = (events: readonly AgentEvent[]) =>
  events.filter((event) => event.type !== 'other').map((event) => event.type);
const only = <T extends AgentEvent['type']>(events: readonly AgentEvent[], type: T) =>
  events.filter((event): event is Extract<AgentEvent, { type: T }> => event.type === type);
const decode = (messages: unknown) => decodeAny(cline, [JSON.stringify(messages)]).events;
const text = (...texts: string[]) => texts.map((one) => ({ type: 'text', text: one }));

const native = [
  {
    role: 'user',
    content: text(
      '<task>\nfix it\n</task>',
      '<environment_details>\n# Current Working Directory (/p) Files\n</environment_details>',
    ),
    ts: 1_700_000_000_000,
  },
  {
    role: 'assistant',
    content: [...text('Run.'), { type: 'tool_use', id: 't1', name: 'execute_command', input: { command: 'npm test' } }],
    ts: 1_700_000_001_000,
  },
  {
    role: 'user',
    content: [
      { type: 'tool_result', tool_use_id: 't1', content: 'Command executed in terminal. Exit code: 1\nOutput:\nno' },
    ],
    ts: 1_700_000_002_000,
  },
  {
    role: 'assistant',
    content: [{ type: 'tool_use', id: 't2', name: 'attempt_completion', input: { result: 'Done' } }],
  },
  { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't2', content: '' }] },
];

const exported = transcriptsBelow('api_conversation_history.json', 'public', 'cline');

describe.skipIf(exported.length === 0)('the collected conversation of a task', () => {
  it('is understood to its last message, except for two calls that a person broke off', async () => {
    const row = await rowOf(cline, exported[0] ?? '');
    expect(row.decoded.problems).toEqual([]);
    expect(strayResults(row.decoded)).toEqual([]);
    expect([row.calls, row.decoded.marked, row.results, row.failures]).toEqual([52, 52, 50, 2]);
  });
});

describe.skipIf(real.length === 0)('the collected Cline session', () => {
  it('is understood to its last message', async () => {
    for (const file of real) {
      const row = await rowOf(cline, file);
      console.log(printRows([row]));
      expect(row.decoded.problems).toEqual([]);
      expect(strayResults(row.decoded)).toEqual([]);
      expect(row.calls, basename(file)).toBe(11);
      expect(row.decoded.marked).toBe(11);
      expect(row.recognised).toBe('yes');
    }
  });
});

describe('a task of Cline or Roo Code', () => {
  it('contains the task, calls, their exit codes and the claim to be done', () => {
    const events = decode(native);
    expect(types(events)).toEqual([
      'session_info',
      'user',
      'session_info',
      'assistant',
      'tool_call',
      'tool_result',
      'tool_call',
      'tool_result',
      'completion',
      'turn_end',
    ]);
    expect(only(events, 'user')[0]?.text).toBe('fix it');
    expect(only(events, 'tool_result')[0]).toMatchObject({ isError: true, exitCode: 1 });
    expect(only(events, 'session_info')[1]?.cwd).toBe('/p');
    expect(events[0]?.agent).toBe('cline');
  });

  it('may have calls written as XML, and their answers', () => {
    const events = decode([
      { role: 'assistant', content: '<thinking>Hm</thinking>Look.\n<read_file>\n<path>src/a.ts</path>\n</read_file>' },
      {
        role: 'user',
        content: text(
          "[read_file for 'src/a.ts'] Result:",
          'const a = 1;',
          '<environment_details>x</environment_details>',
        ),
      },
      { role: 'assistant', content: 'Just talk.' },
      { role: 'user', content: text('[ERROR] You did not use a tool in your previous response!') },
    ]);
    expect(types(events)).toEqual(['session_info', 'assistant', 'tool_call', 'tool_result', 'assistant', 'error']);
    expect(only(events, 'tool_call')[0]).toMatchObject({ name: 'read_file', target: 'src/a.ts' });
    expect(only(events, 'tool_result')[0]?.output).toBe('const a = 1;');
    expect(only(events, 'error')[0]?.kind).toBe('validation');
    expect(only(events, 'assistant')[0]?.text).toBe('Look.');
  });

  it('distinguishes malformed, refused and failed calls', () => {
    expect(readResult("Missing value for required parameter 'path'.", false).validation).toMatchObject({
      kind: 'invalid_arguments',
      expected: 'path',
    });
    expect(readResult('The user denied this operation.', false)).toMatchObject({ denied: 'user', isError: true });
    expect(readResult('The tool execution failed with the following error:\n<error>x</error>', false).isError).toBe(
      true,
    );
    expect(readResult('all fine', false).isError).toBe(false);
  });

  it('may contain a plan and a question', () => {
    const events = decode([
      {
        role: 'assistant',
        content: [
          { type: 'tool_use', id: 't1', name: 'update_todo_list', input: { todos: '[x] Read\n[-] Fix\n[ ] Test' } },
        ],
      },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: 'ok' }] },
      {
        role: 'assistant',
        content: [{ type: 'tool_use', id: 't2', name: 'ask_followup_question', input: { question: 'Which?' } }],
      },
    ]);
    expect(only(events, 'plan')[0]?.items.map((item) => item.status)).toEqual(['completed', 'in_progress', 'pending']);
    expect(only(events, 'waiting')).toMatchObject([{ for: 'input', question: 'Which?' }]);
  });

  test.prop([
    fc.array(fc.tuple(fc.nat(10_000), fc.constantFrom<unknown>(null, 1, '', 'x', [], {}, [null], [{}])), {
      minLength: 1,
      maxLength: 8,
    }),
  ])('is read however damaged it is', (list) => {
    let damaged = JSON.stringify(native);
    for (const [place, junk] of list) damaged = damagedRecord(damaged, 'value', place, junk);
    decodeAny(cline, [damaged]);
  });

  test.prop([fc.string({ maxLength: 300 })])('XML of any form can be read', (any) => {
    expect(xmlCalls(`<read_file>${any}</read_file><read_file><path>${any}`).calls.length).toBeLessThanOrEqual(20);
  });
});

describe('a task of Cline', () => {
  it('does not attribute what the extension adds to a request to the person', () => {
    const events = decodeAny(cline, [
      JSON.stringify([
        { role: 'user', content: text('<task>\nfix it\n</task>', '\n# task_progress List\n\nUse it.') },
        { role: 'assistant', content: [{ type: 'tool_use', id: 't1', name: 'read_file', input: { path: 'a' } }] },
        { role: 'user', content: text("[read_file for 'a'] Result:\ntext", '\n\n\t# TODO LIST UPDATE REQUIRED - 1/4') },
        { role: 'assistant', content: [{ type: 'tool_use', id: 't2', name: 'use_subagents', input: {} }] },
        { role: 'user', content: text('[subagents] Result:\nTotal: 1') },
        {
          role: 'assistant',
          content: [{ type: 'tool_use', id: 't3', name: 'execute_command', input: { command: 'make' } }],
        },
        { role: 'user', content: text("[execute_command for 'make'] Result:\nCommand failed with exit code 2.") },
        {
          role: 'assistant',
          content: [{ type: 'tool_use', id: 't4', name: 'plan_mode_respond', input: { response: 'So?' } }],
        },
        { role: 'user', content: text('[TASK RESUMPTION] This task was interrupted 3 days ago.') },
      ]),
    ]).events;
    expect(only(events, 'user').map((one) => [one.text.slice(0, 17), one.automated])).toEqual([
      ['fix it', false],
      ['[TASK RESUMPTION]', true],
    ]);
    expect(only(events, 'tool_result').map((one) => [one.output.slice(0, 32), one.exitCode])).toEqual([
      ['text', undefined],
      ['Total: 1', undefined],
      ['Command failed with exit code 2.', 2],
    ]);
    expect(only(events, 'waiting')).toMatchObject([{ for: 'input', question: 'So?' }]);
  });
});
