import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openhands, openhandsDocument } from '../../../../src/agents/openhands/adapter';
import type { AgentEvent } from '../../../../src/core/model';
import { damaged, damages, decodeAny } from '../fuzz';
import { test } from '../shared/property';
import { printRows, rowOf, strayResults, transcriptsBelow } from '../support';

const types = (events: readonly AgentEvent[]) =>
  events.filter((event) => event.type !== 'other').map((event) => event.type);
const only = <T extends AgentEvent['type']>(events: readonly AgentEvent[], type: T) =>
  events.filter((event): event is Extract<AgentEvent, { type: T }> => event.type === type);
const at = '2025-01-27T22:44:56.900854';

const sdk = transcriptsBelow('.jsonl', 'public', 'fixtures-many-agents', 'openhands-sdk');
const v0 = transcriptsBelow('basic.json', 'public', 'fixtures-many-agents', 'openhands-v0');

describe.skipIf(sdk.length === 0)('the collected OpenHands files', () => {
  it('are understood to their last event', async () => {
    const rows = [await rowOf(openhands, sdk[0] ?? ''), await rowOf(openhandsDocument, v0[0] ?? '')];
    console.log(printRows(rows));
    for (const row of rows) {
      expect(row.decoded.problems, basename(row.file)).toEqual([]);
      expect(strayResults(row.decoded), basename(row.file)).toEqual([]);
      expect(row.decoded.marked - row.calls).toBe(0);
      expect(row.calls).toBeGreaterThan(0);
      expect(row.recognised).toBe('yes');
    }
  });
});

describe('events before the SDK', () => {
  const metadata = (id: string, response = 'r1') => ({
    tool_call_metadata: {
      function_name: 'execute_bash',
      tool_call_id: id,
      model_response: { id: response, model: 'm', usage: { prompt_tokens: 90, completion_tokens: 10 } },
    },
  });
  const action = (id: number, kind: string, args: object, more: object = {}) => ({
    id,
    timestamp: at,
    source: 'agent',
    action: kind,
    args,
    ...more,
  });
  const observation = (id: number, cause: number, content: string, more: object = {}) => ({
    id,
    timestamp: at,
    source: 'agent',
    cause,
    observation: 'run',
    content,
    ...more,
  });
  const decode = (...events: object[]) => decodeAny(openhandsDocument, [JSON.stringify(events)]).events;

  it('pair an observation with the action that caused it', () => {
    const events = decode(
      { id: 0, timestamp: at, source: 'user', action: 'message', args: { content: 'go' } },
      action(1, 'run', { command: 'pytest -q', thought: 'Test.', blocking: false }, metadata('t1')),
      observation(2, 1, '1 failed', { extras: { metadata: { exit_code: 1 } }, ...metadata('t1') }),
      action(3, 'run', { command: 'ls' }),
      observation(4, 3, 'a', { extras: { metadata: { exit_code: -1 } } }),
      action(5, 'finish', { final_thought: 'All done.' }),
    );
    expect(types(events)).toEqual([
      'session_info',
      'user',
      'assistant',
      'tool_call',
      'session_info',
      'usage',
      'tool_result',
      'tool_call',
      'tool_result',
      'completion',
      'turn_end',
    ]);
    expect(only(events, 'tool_call')[0]).toMatchObject({
      id: 't1',
      name: 'execute_bash',
      args: { command: 'pytest -q' },
    });
    expect(only(events, 'tool_result').map((one) => [one.id, one.isError, one.exitCode, one.running])).toEqual([
      ['t1', true, 1, undefined],
      ['event 3', false, undefined, true],
    ]);
    expect(only(events, 'usage')).toHaveLength(1);
  });

  it('show the states of the controller, and its own loop check', () => {
    const state = (agent_state: string) => ({
      id: 9,
      timestamp: at,
      source: 'environment',
      observation: 'agent_state_changed',
      content: '',
      extras: { agent_state },
    });
    const events = decode(
      state('running'),
      state('awaiting_user_confirmation'),
      state('awaiting_user_input'),
      state('error'),
      {
        id: 3,
        timestamp: at,
        source: 'environment',
        observation: 'error',
        content: 'AgentStuckInLoopError: Agent got stuck in a loop',
      },
    );
    expect(types(events).slice(1)).toEqual(['turn_start', 'waiting', 'turn_end', 'turn_end', 'vendor_loop']);
  });

  it('show a refusal and a compaction', () => {
    const events = decode(
      action(1, 'run', { command: 'rm' }),
      { ...observation(2, 1, 'no'), observation: 'user_rejected' },
      action(3, 'condensation', { summary: 'So far' }),
    );
    expect(only(events, 'tool_result')[0]).toMatchObject({ denied: 'user', isError: true });
    expect(only(events, 'compaction')).toMatchObject([{ summary: 'So far' }]);
  });
});

describe('events of the SDK', () => {
  const event = (kind: string, more: object) => ({ id: `${kind}-1`, timestamp: at, source: 'agent', kind, ...more });
  const action = (id: string, more: object = {}) =>
    event('ActionEvent', {
      id: `a-${id}`,
      thought: [{ type: 'text', text: '<think>x</think>Run.' }],
      action: { kind: 'TerminalAction', command: 'ls', timeout: null },
      tool_name: 'terminal',
      tool_call_id: id,
      llm_response_id: 'r1',
      ...more,
    });
  const observed = (id: string, observation: object) =>
    event('ObservationEvent', {
      tool_name: 'terminal',
      tool_call_id: id,
      action_id: `a-${id}`,
      observation: { content: [{ type: 'text', text: 'out' }], ...observation },
    });
  const run = [
    event('MessageEvent', { source: 'user', llm_message: { role: 'user', content: [{ type: 'text', text: 'go' }] } }),
    action('c1'),
    observed('c1', { exit_code: 1 }),
    action('c2', { thought: [] }),
    event('AgentErrorEvent', { tool_name: 'x', tool_call_id: 'c2', error: "Tool 'x' not found. Available: []" }),
    event('ConversationStateUpdateEvent', {
      key: 'stats',
      value: {
        usage_to_metrics: {
          default: {
            model_name: 'm',
            accumulated_cost: 0.5,
            accumulated_token_usage: {
              prompt_tokens: 100,
              completion_tokens: 10,
              per_turn_token: 60,
              context_window: 1000,
            },
          },
        },
      },
    }),
    event('ConversationStateUpdateEvent', { key: 'execution_status', value: 'stuck' }),
    event('ConversationStateUpdateEvent', { key: 'execution_status', value: 'finished' }),
  ];
  const lines = run.map((one) => JSON.stringify(one));

  it('pair by the id of the call, and count tokens once', () => {
    const { events, problems } = decodeAny(openhands, [...lines, lines[5] ?? '']);
    expect(problems).toEqual([]);
    expect(types(events)).toEqual([
      'user',
      'assistant',
      'tool_call',
      'tool_result',
      'tool_call',
      'tool_result',
      'session_info',
      'usage',
      'vendor_loop',
      'turn_end',
    ]);
    expect(only(events, 'tool_call')[0]).toMatchObject({ args: { command: 'ls' }, command: 'ls', batch: 'r1' });
    expect(only(events, 'tool_result').map((one) => [one.exitCode, one.validation?.kind])).toEqual([
      [1, undefined],
      [undefined, 'unknown_tool'],
    ]);
    expect(only(events, 'usage')).toMatchObject([
      { contextTokens: 60, contextWindow: 1000, inputTokens: 100, cost: 0.5 },
    ]);
  });

  it('pair by the action where a provider uses the ids of its calls again', () => {
    const again = ['a-1', 'a-2'].flatMap((id, nth) => [
      action('c1', { id }),
      { ...observed('c1', { exit_code: nth }), action_id: id },
    ]);
    const { events } = decodeAny(
      openhands,
      [...again, again[0]].map((one) => JSON.stringify(one)),
    );
    expect(only(events, 'tool_call')).toHaveLength(2);
    expect(only(events, 'tool_result').map(({ exitCode }) => exitCode)).toEqual([0, 1]);
  });

  test.prop([damages])('are read however damaged they are', (list) => {
    decodeAny(openhands, damaged(lines, list));
    decodeAny(openhandsDocument, [`[${damaged(lines, list).join(',')}]`]);
  });
});
