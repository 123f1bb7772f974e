import { describe, expect, it } from 'vitest';
import { pi } from '../../../../src/agents/pi/adapter';
import type { AgentEvent } from '../../../../src/core/model';
import { damaged, damages, decodeAny } from '../fuzz';
import { test } from '../shared/property';

const types = (events: readonly AgentEvent[]) =>
  events.filter((event) => event.type !== 'other').map((event) => event.type);
const only = <T extends AgentEvent['type']>(events: readonly AgentEvent[], type: T) =>
  events.filter((event): event is Extract<AgentEvent, { type: T }> => event.type === type);

let count = 0;
const entry = (type: string, more: object): object => ({
  type,
  id: `e${++count}`,
  parentId: null,
  timestamp: '2026-05-12T01:02:27.657Z',
  ...more,
});
const message = (role: string, content: unknown, more: object = {}) =>
  entry('message', { message: { role, content, ...more } });
const call = (id: string, name = 'bash', args: object = { command: 'ls' }) => ({
  type: 'toolCall',
  id,
  name,
  arguments: args,
});
const result = (toolCallId: string, text: string, isError = false) =>
  message('toolResult', [{ type: 'text', text }], { toolCallId, isError });
const header = { type: 'session', version: 3, id: 's1', timestamp: '2026-05-12T01:02:27.657Z', cwd: '/p' };
const lines = (...entries: object[]) => entries.map((one) => JSON.stringify(one));
const decode = (...entries: object[]) => decodeAny(pi, lines(header, ...entries)).events;

const run = [
  message('user', [{ type: 'text', text: 'go' }]),
  message('assistant', [{ type: 'thinking', thinking: 'Hm' }, { type: 'text', text: 'Run.' }, call('c1'), call('c2')], {
    model: 'm',
    stopReason: 'toolUse',
    usage: { input: 10, output: 5, cacheRead: 80, cost: { total: 0.1 } },
  }),
  result('c1', 'boom\n\nCommand exited with code 1', true),
  result('c2', 'ok'),
  message('assistant', [{ type: 'text', text: 'Done.' }], { stopReason: 'stop' }),
];

describe('a pi session', () => {
  it('shows a call that a message refused, and that the message was read', () => {
    const words = `It fails each time. [unstuck 01M8DCYXF7K1VRNSGVJK27TPHT]`;
    const read = (...results: object[]) =>
      decode(message('assistant', [call('c1')], { stopReason: 'toolUse' }), ...results);
    const refused = read(result('c1', words, true));
    expect(only(refused, 'tool_result')).toMatchObject([{ isError: true, denied: 'hook' }]);
    expect(only(refused, 'message_taken')).toMatchObject([{ message: '01M8DCYXF7K1VRNSGVJK27TPHT' }]);
    // A file that contains such a text says nothing about it.
    expect(only(read(result('c1', words)), 'message_taken')).toEqual([]);
  });

  it('contains messages, calls, results, tokens and the end of the turn', () => {
    const events = decode(...run);
    expect(types(events)).toEqual([
      'session_info',
      'user',
      'session_info',
      'assistant',
      'tool_call',
      'tool_call',
      'usage',
      'tool_result',
      'tool_result',
      'assistant',
      'turn_end',
    ]);
    expect(only(events, 'tool_result')[0]).toMatchObject({ isError: true, exitCode: 1 });
    expect(only(events, 'usage')[0]).toMatchObject({ contextTokens: 95, inputTokens: 90, cost: 0.1 });
    expect(new Set(only(events, 'tool_call').map((one) => one.batch)).size).toBe(1);
  });

  it('reports nothing twice that is there twice', () => {
    expect(types(decode(...run, ...run))).toEqual(types(decode(...run)));
    expect(types(decode(run[2] ?? {}, run[1] ?? {}))).toContain('tool_result');
  });

  it('shows malformed calls, errors and interruptions', () => {
    const events = decode(
      message('assistant', [call('c1', 'x')], { stopReason: 'toolUse' }),
      result('c1', 'Tool x not found', true),
      message('assistant', [], { stopReason: 'aborted' }),
      message('assistant', [], { stopReason: 'error', errorMessage: '429 too many' }),
    );
    expect(only(events, 'tool_result')[0]?.validation).toMatchObject({ kind: 'unknown_tool', received: 'x' });
    expect(only(events, 'turn_end').map((one) => one.reason)).toEqual(['interrupted', 'error']);
    expect(only(events, 'error')[0]?.kind).toBe('rate_limit');
  });

  it('names the session that it was forked from', () => {
    const { events } = decodeAny(pi, lines({ ...header, parentSession: '/s/2026_abc.jsonl' }));
    expect(events[0]).toMatchObject({ type: 'session_info', forkedFrom: '2026_abc', session: 's1', cwd: '/p' });
  });

  test.prop([damages])('is read however damaged it is', (list) => {
    decodeAny(pi, damaged(lines(header, ...run), list));
  });
});

it('a message shows that the turn continues after it', () => {
  const content = [{ type: 'text', text: 'I look.' }, call('c1')];
  const events = decode(message('user', 'Go'), message('assistant', content, { stopReason: 'toolUse' }));
  expect(only(events, 'assistant')[0]?.isLast).toBe(false);
});
