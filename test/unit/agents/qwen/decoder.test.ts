import { createDecoder } from '../../../../src/agents/decoders';
import { describe, expect, it } from 'vitest';
import { qwen } from '../../../../src/agents/qwen/adapter';
import type { AgentEvent } from '../../../../src/core/model';

function decodeLines(...lines: readonly string[]): { events: readonly AgentEvent[]; problems: readonly string[] } {
  const events: AgentEvent[] = [];
  const problems: string[] = [];
  const decoder = createDecoder(qwen, { file: '/home/u/.qwen/projects/-p/chats/s1.jsonl', readSmall: () => undefined });
  if (decoder.unit !== 'line') throw new Error('not a line decoder');
  for (const [index, text] of lines.entries()) {
    decoder.decode(
      { text, line: index + 1, offset: index * 100 },
      { event: (event) => void events.push(event), problem: (problem) => void problems.push(problem.why) },
    );
  }
  return { events, problems };
}

let count = 0;
const record = (type: string, more: object): object => ({
  uuid: `u${++count}`,
  parentUuid: null,
  sessionId: 's1',
  timestamp: new Date(1e12 + count * 1000).toISOString(),
  type,
  ...more,
});
const user = (text: string, more: object = {}) =>
  record('user', { message: { role: 'user', parts: [{ text }] }, ...more });
const assistant = (...parts: object[]) => record('assistant', { model: 'm', message: { role: 'model', parts } });
const call = (id: string, name = 'run_shell_command', args: object = { command: 'ls' }) => ({
  functionCall: { id, name, args },
});
const result = (id: string, response: object, more: object = {}) =>
  record('tool_result', {
    message: { role: 'user', parts: [{ functionResponse: { id, name: 'x', response } }] },
    toolCallResult: { callId: id, status: 'success', ...more },
  });
const system = (subtype: string, systemPayload: object) => record('system', { subtype, systemPayload });

const decode = (...records: readonly object[]) => decodeLines(...records.map((one) => JSON.stringify(one))).events;
const types = (events: readonly AgentEvent[]) =>
  events.filter((event) => event.type !== 'other' && event.type !== 'session_info').map((event) => event.type);
const only = <T extends AgentEvent['type']>(events: readonly AgentEvent[], type: T) =>
  events.filter((event): event is Extract<AgentEvent, { type: T }> => event.type === type);

describe('a Qwen Code chat', () => {
  it('ends its turn with an answer that calls no tool; a thought alone is no answer', () => {
    const events = decode(
      user('go'),
      assistant({ text: 'Hm.', thought: true }),
      assistant({ text: 'Run.' }, call('c1')),
      result('c1', { output: 'a' }),
      assistant({ text: 'Done.' }),
    );
    expect(types(events)).toEqual(['user', 'assistant', 'tool_call', 'tool_result', 'assistant', 'turn_end']);
  });

  it('shows a failed command by the text, since the record reports success', () => {
    const output =
      'Command: npm test\nDirectory: (root)\nOutput: no\nError: (none)\nExit Code: 1\nSignal: 0\nProcess Group PGID: 7749';
    expect(only(decode(assistant(call('c1')), result('c1', { output })), 'tool_result')[0]).toMatchObject({
      isError: true,
      exitCode: 1,
    });
  });

  it('shows malformed calls by the kind of error', () => {
    const outcome = (error: string, errorType: string) =>
      only(decode(assistant(call('c1')), result('c1', { error }, { status: 'error', errorType })), 'tool_result')[0];
    expect(outcome('Tool "x" not found in registry.', 'tool_not_registered')?.validation).toMatchObject({
      kind: 'unknown_tool',
      received: 'x',
    });
    expect(outcome("params must have required property 'command'", 'invalid_tool_params')?.validation).toMatchObject({
      expected: 'command',
    });
    expect(outcome('File not found: /x', 'file_not_found')).toMatchObject({ isError: true });
    expect(outcome('File not found: /x', 'file_not_found')?.validation).toBeUndefined();
  });

  it('pairs results by id, even if they come first, and reports nothing twice', () => {
    const asked = assistant(call('c1'));
    const answered = result('c1', { output: 'a' });
    const events = decode(answered, asked, asked, answered, result('c1', { output: 'b' }));
    expect(types(events)).toEqual(['turn_start', 'tool_call', 'tool_result']);
    expect(only(events, 'tool_result')[0]?.source.line).toBe(1);
  });

  it('shows what was typed, not what was inserted into it', () => {
    const events = decode(
      user('Look at @a.ts\n--- file ---\nlong', { systemPayload: { displayText: 'Look at @a.ts' } }),
      user('Agent finished', { subtype: 'notification' }),
    );
    expect(only(events, 'user').map((event) => [event.text, event.automated])).toEqual([
      ['Look at @a.ts', false],
      ['Agent finished', true],
    ]);
  });

  it('shows a compression that was kept, a title and an error of the server', () => {
    const events = decode(
      system('chat_compression', {
        info: { originalTokenCount: 9, newTokenCount: 4, compressionStatus: 1 },
        compressedHistory: [{ role: 'user', parts: [{ text: 'Summary' }] }],
      }),
      system('chat_compression', { info: { originalTokenCount: 9, newTokenCount: 12, compressionStatus: 2 } }),
      system('custom_title', { customTitle: 'Fix it' }),
      system('ui_telemetry', {
        uiEvent: { 'event.name': 'qwen-code.api_error', status_code: 429, error_message: 'slow down' },
      }),
    );
    expect(only(events, 'compaction')).toMatchObject([{ summary: 'Summary', tokensBefore: 9, tokensAfter: 4 }]);
    expect(only(events, 'session_info')).toMatchObject([{ title: 'Fix it' }]);
    expect(only(events, 'error')).toMatchObject([{ kind: 'rate_limit' }]);
  });

  it.each([
    ['completed', ['turn_end'], 'done'],
    ['cancelled', ['turn_end'], 'interrupted'],
    ['error', ['error', 'turn_end'], 'error'],
  ])('ends its turn with its result: %s', (state, story, reason) => {
    const error = { ...(state === 'error' && { error: { message: '429 quota', code: 'x' } }) };
    const events = decode(
      user('go'),
      assistant(call('c1')),
      result('c1', { output: 'a' }),
      system('turn_result', { state, ...error }),
    );
    expect(types(events).slice(3)).toEqual(story);
    expect(only(events, 'turn_end')[0]?.reason).toBe(reason);
    // An answer has already ended the turn.
    expect(types(decode(user('go'), assistant({ text: 'Done.' }), system('turn_result', { state })))).toHaveLength(3);
  });

  it('names its parent, and reports what it does not know', () => {
    const parent = decode(system('parent_session', { parentSessionId: 's0' }));
    expect(only(parent, 'session_info').at(-1)?.parent).toBe('s0');
    const known = ['goal_state', 'session_model', 'background_task_completed'].map((name) => system(name, {}));
    const { problems } = decodeLines(...[...known, system('brand_new', {})].map((one) => JSON.stringify(one)));
    expect(problems).toEqual(['unknown subtype "brand_new"']);
  });

  it('reads an answer of two records that were written in the same millisecond', () => {
    const text = assistant({ text: 'I look.' });
    const calls = { ...text, message: { role: 'model', parts: [call('c1')] } };
    const listed = result('c1', { output: 'a' });
    const events = decode(user('go'), text, calls, listed, text, calls);
    expect(only(events, 'assistant')).toHaveLength(1);
    expect(only(events, 'tool_call').map(({ id }) => id)).toEqual(['c1']);
    expect(only(events, 'tool_result').map(({ id }) => id)).toEqual(['c1']);
  });

  it('may have two records that were glued into one line', () => {
    const one = JSON.stringify(user('a {"uuid":"x"}'));
    const { events, problems } = decodeLines(one + JSON.stringify(user('b')), `${one}{"uuid":"`);
    expect(only(events, 'user').map((event) => event.text)).toEqual(['a {"uuid":"x"}', 'b']);
    expect(problems).toEqual(['not a JSON record']);
  });
});

describe('where chats are', () => {
  const [root] = qwen.locate({ home: '/home/u', env: {}, platform: 'linux' });

  it('is a folder for each project, named after its path', () => {
    expect(root).toMatchObject({ path: '/home/u/.qwen/projects', depth: 3 });
    expect(root?.matches('-home-u-p/chats/s1.jsonl')).toBe(true);
    expect(root?.matches('-home-u-p/logs/s1.jsonl')).toBe(false);
    expect(root?.matches('-home-u-p/subagents/s1/agent-a.jsonl')).toBe(true);
    expect(root?.mayBelong?.('-home-u-p/subagents/s1', ['/home/u/p'])).toBe(true);
    expect(root?.enters?.('-home-u-p/tool-results')).toBe(false);
    expect(root?.mayBelong?.('-home-u-p', ['/home/u/p'])).toBe(true);
    expect(root?.mayBelong?.('-home-u-p-sub', ['/home/u/p/'])).toBe(true);
    expect(root?.mayBelong?.('-home-u-other', ['/home/u/p'])).toBe(false);
    expect(root?.mayBelong?.('c--p', ['C:\\p'])).toBe(true);
  });

  it("names the parent of a sub-agent, whose records carry the parent's session", () => {
    const line =
      '{"uuid":"a","parentUuid":null,"sessionId":"s1","type":"user","cwd":"/p","isSidechain":true,"message":{}}';
    expect(qwen.peek(line, '/x/subagents/s1/agent-a.jsonl')).toEqual({ session: 'agent-a', parent: 's1', cwd: '/p' });
  });

  it('is distinguished from Claude Code, whose envelope is the same', () => {
    const line =
      '{"uuid":"a","parentUuid":null,"sessionId":"s1","timestamp":"2026-01-01T00:00:00Z","type":"user","cwd":"/p","message":{"role":"user",';
    expect(qwen.recognises(`${line}"parts":[{"text":"x"}]}}`, '/x')).toBe('yes');
    expect(qwen.recognises(`${line}"content":"x"}}`, '/x')).toBe('no');
    expect(qwen.peek(`${line}"parts":[{"text":"x"}]}}`, '/x')).toEqual({ session: 's1', cwd: '/p' });
  });
});
