import { describe, expect, it } from 'vitest';
import { grokBuild } from '../../../../src/agents/grok-build/adapter';
import { damaged, damages, decodeAny } from '../fuzz';
import { test } from '../shared/property';

const SESSION = '01a21c3a-8755-7a33-932b-449e7f9de950';
const FILE = `/home/u/.grok/sessions/%2Fwork%2Fmy%20shop/${SESSION}/updates.jsonl`;

const line = (update: object, more: object = {}) =>
  JSON.stringify({
    timestamp: 1795769927,
    method: 'session/update',
    params: { sessionId: SESSION, update, _meta: { agentTimestampMs: 1795769927594, ...more } },
  });
const text = (words: string) => ({ content: { type: 'text', text: words } });
const prompt = line({ sessionUpdate: 'user_message_chunk', ...text('Make it pass.'), _meta: { modelId: 'grok-5' } });
const call = (toolCallId: string, name: string, rawInput: object) =>
  line({ sessionUpdate: 'tool_call', toolCallId, title: name, rawInput, _meta: { 'x.ai/tool': { name } } });
const update = (toolCallId: string, status: string, words: string, more: object = {}) =>
  line({
    sessionUpdate: 'tool_call_update',
    toolCallId,
    status,
    content: [{ type: 'content', ...text(words) }],
    ...more,
  });
const decode = (...lines: string[]) => decodeAny(grokBuild, lines).events;

describe('a session of Grok Build', () => {
  it('is named by its folder, and works in the folder above it', () => {
    expect(grokBuild.recognises(prompt, FILE)).toBe('yes');
    expect(grokBuild.peek(prompt, FILE)).toEqual({ session: SESSION, cwd: '/work/my shop' });
    expect(grokBuild.peek(prompt, `/x/%E0%A4%A/${SESSION}/updates.jsonl`)).toEqual({ session: SESSION });
  });

  it('shows a command that exited with 1 as failed, though its call was completed', () => {
    const events = decode(
      prompt,
      call('c1', 'run_terminal_command', { command: 'npm test' }),
      update('c1', 'completed', 'FAIL', { rawOutput: { exit_code: 1 } }),
    );
    expect(events.at(-1)).toMatchObject({ type: 'tool_result', id: 'c1', isError: true, exitCode: 1, output: 'FAIL' });
  });

  it('says which calls a hook refused and which were malformed', () => {
    const events = decode(
      prompt,
      call('c1', 'grep', {}),
      update('c1', 'failed', 'Hook denied: Look elsewhere. [unstuck 01M8DCYXF7K1VRNSGVJK27TPHT]'),
      call('c2', 'nonsense', {}),
      update('c2', 'failed', 'Failed to parse arguments for tool `nonsense`: Tool not found: nonsense\n'),
      call('c3', 'grep', {}),
      update('c3', 'failed', 'Failed to parse arguments for tool `grep`: missing field `pattern`'),
    );
    const results = events.filter(({ type }) => type === 'tool_result');
    expect(results).toMatchObject([
      { denied: 'hook' },
      { validation: { kind: 'unknown_tool', received: 'nonsense' } },
      { validation: { kind: 'invalid_arguments' } },
    ]);
    expect(events).toContainEqual(
      expect.objectContaining({ type: 'message_taken', message: '01M8DCYXF7K1VRNSGVJK27TPHT' }),
    );
  });

  it('says that a message was seen if a hook has told its person', () => {
    const told = 'Unstuck delivered [unstuck 01M8DCYXF7K1VRNSGVJK27TPHT]';
    expect(decode(prompt, line({ sessionUpdate: 'hook_annotation', message: told }))).toContainEqual(
      expect.objectContaining({ type: 'message_taken', message: '01M8DCYXF7K1VRNSGVJK27TPHT' }),
    );
  });

  it.each([
    ['end_turn', 'done'],
    ['cancelled', 'interrupted'],
    ['max_turns', 'error'],
  ])('ends its turn with %s as %s', (stop_reason, reason) => {
    const end = line(
      { sessionUpdate: 'turn_completed', stop_reason, usage: { inputTokens: 9, outputTokens: 2 } },
      { totalTokens: 7 },
    );
    expect(decode(prompt, end).slice(-2)).toMatchObject([
      { type: 'usage', contextTokens: 7, inputTokens: 9, outputTokens: 2 },
      { type: 'turn_end', reason },
    ]);
  });

  it('shows that the service is retried', () => {
    const again = line({
      sessionUpdate: 'retry_state',
      type: 'retrying',
      attempt: 1,
      reason: 'API error (status 429)',
    });
    expect(decode(prompt, again).at(-1)).toMatchObject({ type: 'error', kind: 'rate_limit' });
  });
});

test.prop([damages])('a session is read however damaged it is', (list) => {
  decodeAny(grokBuild, damaged([prompt, call('c1', 'grep', {}), update('c1', 'completed', 'x')], list));
});
