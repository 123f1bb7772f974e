import { createDecoder } from '../../../../src/agents/decoders';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { gemini, geminiDocument } from '../../../../src/agents/gemini/adapter';
import { readResult, resultOf } from '../../../../src/agents/gemini/result';
import type { AgentEvent } from '../../../../src/core/model';

const FILE = '/home/u/.gemini/tmp/project/chats/session-2026-11-20T19-06-cd0f4eb4.jsonl';
const folder = join(__dirname, '../../../golden/fixtures/gemini');
const rows = (name: string): readonly Record<string, unknown>[] =>
  readFileSync(join(folder, name), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

function decode(records: readonly unknown[], small: Record<string, string> = {}): readonly AgentEvent[] {
  const events: AgentEvent[] = [];
  const decoder = createDecoder(gemini, { file: FILE, readSmall: (path) => small[path] });
  if (decoder.unit !== 'line') throw new Error('not a line decoder');
  for (const [index, record] of records.entries()) {
    decoder.decode(
      { text: JSON.stringify(record), line: index + 1, offset: index * 100 },
      {
        event: (event) => void events.push(event),
        problem: (problem) => {
          throw new Error(problem.why);
        },
      },
    );
  }
  return events;
}

const types = (events: readonly AgentEvent[]): readonly string[] =>
  events.filter((event) => event.type !== 'other').map((event) => event.type);
const only = <T extends AgentEvent['type']>(events: readonly AgentEvent[], type: T) =>
  events.filter((event): event is Extract<AgentEvent, { type: T }> => event.type === type);

const at = '2026-11-20T19:06:51.000Z';

it('a prompt that was cancelled before any answer is written after its cancellation, and opens no turn', () => {
  const record = (id: string, type: string, text: string, time: string) => ({
    id,
    timestamp: `2026-11-20T19:06:${time}Z`,
    type,
    content: [{ text }],
  });
  const cancelled = record('1', 'info', 'Request cancelled.', '54.455');
  const late = decode([cancelled, record('2', 'user', 'Count to 100', '54.460')]);
  expect(types(late)).toEqual(['turn_end', 'user', 'turn_end']);
  expect(only(late, 'turn_end')[1]?.reason).toBe('interrupted');
  const typed = decode([cancelled, record('2', 'user', 'Count to 10', '57.000')]);
  expect(types(typed)).toEqual(['turn_end', 'user']);
  // The clock was set back before the next prompt was typed.
  const setBack = decode([cancelled, record('2', 'user', 'Count to 10', '20.000')]);
  expect(types(setBack)).toEqual(['turn_end', 'user']);
});
const reply = (id: string, content: string, toolCalls?: unknown) => ({
  id,
  timestamp: at,
  type: 'gemini',
  content,
  tokens: { input: 100, output: 10, thoughts: 5 },
  model: 'gemini-2.5-pro',
  ...(toolCalls !== undefined && { toolCalls }),
});
const call = (id: string, name: string, args: unknown, response: unknown, status = 'success') => ({
  id,
  name,
  args,
  status,
  timestamp: '2026-11-20T19:06:53.000Z',
  result: [{ functionResponse: { id, name, response } }],
});
const user = (id: string, ...texts: string[]) => ({
  id,
  timestamp: at,
  type: 'user',
  content: texts.map((text) => ({ text })),
});

describe('a chat in which later records replace earlier ones', () => {
  it('reports text, tokens and calls once, although the record comes a second time with its calls', () => {
    const done = reply('g1', 'Running.', [
      call('c1', 'run_shell_command', { command: 'npm test' }, { output: 'Exit Code: 1' }),
    ]);
    const events = decode([user('u1', 'go'), reply('g1', 'Running.'), done, done]);
    expect(types(events)).toEqual(['user', 'session_info', 'assistant', 'usage', 'tool_call', 'tool_result']);
    expect(only(events, 'tool_result')[0]).toMatchObject({
      isError: true,
      exitCode: 1,
      at: Date.parse('2026-11-20T19:06:53.000Z'),
    });
    expect(only(events, 'usage')[0]).toMatchObject({ contextTokens: 110, contextWindow: 1_048_576, outputTokens: 15 });
  });

  it('reports nothing more for a list that replaces the whole chat with what is known', () => {
    const known = rows('loop_abab.jsonl');
    const list = known.at(-1);
    expect(list).toHaveProperty('$set.messages');
    expect(types(decode(known))).toEqual(types(decode(known.slice(0, -1))));
    expect(types(decode([...known, list, list]))).toEqual(types(decode(known)));
  });

  it('is read on after a resume into the same file', () => {
    const events = decode(rows('resume_other_model.jsonl'));
    expect(only(events, 'session_info').flatMap((event) => event.model ?? [])).toEqual([
      'gemini-2.5-pro',
      'gemini-2.5-flash',
    ]);
    expect(only(events, 'tool_call')).toHaveLength(2);
    expect(new Set(events.map((event) => event.session)).size).toBe(1);
  });

  it('shows a compaction if a list begins with a summary', () => {
    const list = {
      $set: { messages: [user('s1', '<state_snapshot>\nDone so far</state_snapshot>'), user('u1', 'go')] },
    };
    expect(types(decode([user('u1', 'go'), list, list]))).toEqual(['user', 'compaction']);
  });

  it('shows neither the results of tools nor the first context as a prompt', () => {
    const results = { ...user('u2'), content: [{ functionResponse: { id: 'c1', response: { output: 'x' } } }] };
    const context = user(
      'u0',
      '<session_context>\nHello\n- **Workspace Directories:**\n  - /p q\n- **Directory Structure:**\n</session_context>',
    );
    const events = decode([{ $set: { messages: [context] } }, results]);
    expect(types(events)).toEqual(['session_info']);
    expect(events[0]).toMatchObject({ cwd: '/p q' });
  });

  it('is assigned to its project by the file beside the chats', () => {
    const header = { sessionId: 's1', projectHash: 'x', startTime: at, kind: 'main' };
    const events = decode([header], { '/home/u/.gemini/tmp/project/.project_root': '/p\n' });
    expect(events[0]).toMatchObject({ type: 'session_info', session: 's1', cwd: '/p' });
  });
});

describe('the outcome of a call', () => {
  it('does not contain the words of a hook, in which our message is found', () => {
    const id = '01JD0000000000000000000000';
    const output = `<untrusted_context>\nOutput: hi\n</untrusted_context>\n\n<hook_context>Look again. [unstuck ${id}]</hook_context>`;
    const events = decode([reply('g1', '', [call('c1', 'run_shell_command', { command: 'x' }, { output })])]);
    expect(only(events, 'tool_result')[0]?.output).toBe('Output: hi');
    expect(only(events, 'message_taken')[0]?.message).toBe(id);
  });

  it('distinguishes malformed calls, refusals and failed tools', () => {
    const read = (text: string, type?: string) => readResult(text, { error: true, type }).result;
    expect(read('Tool "x_y" not found. Did you mean').validation).toMatchObject({
      kind: 'unknown_tool',
      received: 'x_y',
    });
    expect(read("params must have required property 'command'").validation).toMatchObject({
      kind: 'invalid_arguments',
      expected: 'command',
    });
    expect(read('params/command must be string').validation).toMatchObject({ expected: 'command must be string' });
    expect(read('anything', 'invalid_tool_params').validation?.kind).toBe('invalid_arguments');
    expect(read('File not found: /x', 'file_not_found').validation).toBeUndefined();
    expect(read('Tool execution denied by policy.').denied).toBe('policy');
    expect(
      readResult('[Operation Cancelled] Reason: User did not allow tool call', { error: true, cancelled: true }).result
        .denied,
    ).toBe('user');
    // Requested again and again it is a loop, unlike what a person broke off.
    const byPolicy = readResult('Tool execution denied by policy.', { error: true, cancelled: true }).result;
    expect([byPolicy.denied, byPolicy.interrupted]).toEqual(['policy', undefined]);
    expect(readResult('User cancelled tool execution.', { error: true, cancelled: true }).result).toMatchObject({
      interrupted: true,
    });
  });

  it('shows a call that the person cancelled, by its status', () => {
    const output = 'User cancelled tool execution.';
    const call = { result: [{ functionResponse: { response: { error: output } } }] };
    expect(resultOf({ ...call, status: 'cancelled' })?.result).toMatchObject({ output, interrupted: true });
    expect(resultOf({ ...call, status: 'error' })?.result.interrupted).toBeUndefined();
  });

  it('includes the size of an output that was spilled into a file', () => {
    const text =
      'Output too large. Showing first 8,000 and last 32,000 characters. For full output see: /t/o.txt\nab\n... [20,968 characters omitted] ...\ncd';
    expect(readResult(text, { error: false }).result).toMatchObject({
      spilledTo: '/t/o.txt',
      size: text.length + 20_968,
    });
  });

  it("does not take a word in the middle of a program's output for the exit code", () => {
    const text = `Exit Code: 3\n${'x'.repeat(2000)}`;
    expect(readResult(text, { error: false }).result.isError).toBe(false);
  });
});

describe('the older chat, one document', () => {
  const chat = (count: number): string => {
    const messages = rows('a_repeat.jsonl').filter((row) => row['type'] !== undefined);
    const folded = [...new Map(messages.map((row) => [row['id'], row])).values()];
    return JSON.stringify(
      { sessionId: 's1', projectHash: 'x', startTime: at, messages: folded.slice(0, count) },
      null,
      2,
    );
  };

  it('yields the same steps as the chat in lines, and each only once however often it is rewritten', () => {
    const events: AgentEvent[] = [];
    let problems = 0;
    const decoder = createDecoder(geminiDocument, { file: '/x/session-1.json', readSmall: () => undefined });
    if (decoder.unit !== 'document') throw new Error('not a document decoder');
    const sink = { event: (event: AgentEvent) => void events.push(event), problem: () => void problems++ };
    for (const count of [1, 2, 2, 5, 4, 9, 9]) decoder.decode(chat(count), sink);
    expect(types(events).filter((type) => type !== 'session_info')).toEqual(
      types(decode(rows('a_repeat.jsonl'))).filter((type) => type !== 'session_info' && type !== 'vendor_loop'),
    );
    decoder.decode(chat(9).slice(0, 500), sink);
    decoder.decode('', sink);
    expect(problems).toBe(1);
    const before = events.length;
    decoder.decode(chat(99), sink);
    expect(types(events.slice(before))).toEqual(['vendor_loop']);
    expect(only(events, 'tool_call')[0]?.source).toMatchObject({ line: 2, offset: 1 });
  });

  it('has its calls counted in the raw text as well', () => {
    const text = chat(99);
    const found = geminiDocument.callMarkers.reduce((sum, marker) => sum + text.split(marker).length - 1, 0);
    expect(found).toBe(4);
    expect(geminiDocument.recognises(text, '/x.json')).toBe('yes');
    expect(geminiDocument.peek(text, '/x.json')).toMatchObject({ session: 's1' });
  });
});

describe('captures of stream-json', () => {
  const init = (session: string) => ({
    type: 'init',
    timestamp: at,
    session_id: session,
    model: 'gemini-3-pro-preview',
  });
  const prompt = { type: 'message', timestamp: at, role: 'user', content: 'go' };
  const use = (id: string) => ({
    type: 'tool_use',
    timestamp: at,
    tool_name: 'run_shell_command',
    tool_id: id,
    parameters: { command: 'ls' },
  });
  const result = (id: string, more: object = {}) => ({
    type: 'tool_result',
    timestamp: at,
    tool_id: id,
    status: 'success',
    output: 'a',
    ...more,
  });

  it('show a tool while it runs, and the end of the run', () => {
    const events = decode([
      prompt,
      init('s1'),
      use('c1'),
      result('c1'),
      { type: 'message', timestamp: at, role: 'assistant', content: 'Do', delta: true },
      {
        type: 'result',
        timestamp: at,
        status: 'success',
        stats: { total_tokens: 7, input_tokens: 5, output_tokens: 2 },
      },
    ]);
    expect(types(events)).toEqual([
      'session_info',
      'turn_start',
      'user',
      'tool_call',
      'tool_result',
      'assistant',
      'usage',
      'turn_end',
    ]);
    expect(new Set(events.map((event) => event.session))).toEqual(new Set(['s1']));
    expect(only(events, 'assistant')[0]?.chunk).toBe(true);
  });

  it('keep two runs of one file apart, and end the first', () => {
    const events = decode([init('s1'), use('c1'), init('s2'), use('c2'), result('c1')]);
    expect(only(events, 'session_end')).toMatchObject([{ session: 's1', reason: 'interrupted' }]);
    expect(only(events, 'tool_result')).toMatchObject([{ session: 's1', id: 'c1' }]);
  });

  it('name the kinds of error that only the stream has', () => {
    const error = { status: 'error', output: 'nope', error: { type: 'tool_not_registered', message: 'nope' } };
    const events = decode([
      init('s1'),
      use('c1'),
      result('c1', error),
      { type: 'error', timestamp: at, severity: 'warning', message: 'Loop detected, stopping execution' },
      { type: 'result', timestamp: at, status: 'error', error: { type: 'Error', message: '429 RESOURCE_EXHAUSTED' } },
    ]);
    expect(only(events, 'tool_result')[0]?.validation?.kind).toBe('unknown_tool');
    expect(only(events, 'vendor_loop')).toHaveLength(1);
    expect(only(events, 'error')[0]?.kind).toBe('rate_limit');
    expect(only(events, 'turn_end')[0]?.reason).toBe('error');
  });
});

describe('where chats are', () => {
  it('is by project, in lines or in documents', () => {
    const machine = { home: '/home/u', env: {}, platform: 'linux' as const };
    const [lines] = gemini.locate(machine);
    const [documents] = geminiDocument.locate(machine);
    expect(lines?.path).toBe('/home/u/.gemini/tmp');
    expect(lines?.matches('project/chats/session-1.jsonl')).toBe(true);
    expect(lines?.matches('project/logs.json')).toBe(false);
    expect(documents?.matches('project/chats/session-1.json')).toBe(true);
    expect(documents?.matches('project/chats/session-1.jsonl')).toBe(false);
  });

  it('is known from the head', () => {
    const head = readFileSync(join(folder, 'a_repeat.jsonl'), 'utf8').slice(0, 65_536);
    expect(gemini.recognises(head, FILE)).toBe('yes');
    expect(geminiDocument.recognises(head, FILE)).toBe('no');
    expect(gemini.peek(head, FILE)).toEqual({
      session: 'cd0f4eb4-ec6c-4def-b171-a16d80251bc8',
      cwd: '/home/dev2/project',
    });
    expect(gemini.recognises('{"type":"system","subtype":"init","session_id":"x","model":"y"}', '/x')).toBe('no');
  });
});

describe('the move', () => {
  const told = (type: string, content: string) => ({ id: `${type}1`, timestamp: at, type, content });

  it('is the person’s once a request failed: two lines say so', () => {
    const events = decode([user('u1', 'Go'), told('error', '[API Error: 400]'), told('info', 'This request failed.')]);
    expect(types(events)).toEqual(['user', 'error', 'turn_end']);
    expect(only(events, 'turn_end')[0]?.reason).toBe('error');
  });

  it('stays the person’s after a command of their own', () => {
    const own = user(
      'u2',
      'I ran the following shell command:\n```sh\nls\n```\n\nThis produced the following result:\n',
    );
    expect(types(decode([user('u1', 'Go'), reply('a', 'Done.'), own]))).toEqual([
      'user',
      'session_info',
      'assistant',
      'usage',
      'user',
      'turn_end',
    ]);
  });
});
