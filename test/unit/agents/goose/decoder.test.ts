import { describe, expect, it } from 'vitest';
import { goose } from '../../../../src/agents/goose/adapter';
import type { AgentEvent } from '../../../../src/core/model';
import { damaged, damages, decodeAny } from '../fuzz';
import { test } from '../shared/property';

const types = (events: readonly AgentEvent[]) =>
  events.filter((event) => event.type !== 'other').map((event) => event.type);
const only = <T extends AgentEvent['type']>(events: readonly AgentEvent[], type: T) =>
  events.filter((event): event is Extract<AgentEvent, { type: T }> => event.type === type);

const header = {
  working_dir: '/p',
  description: 'Fix it',
  message_count: 4,
  total_tokens: 50,
  accumulated_total_tokens: 90,
};
const user = (...content: object[]) => ({ role: 'user', created: 1_700_000_000, content });
const assistant = (...content: object[]) => ({ role: 'assistant', created: 1_700_000_001, content });
const text = (value: string) => ({ type: 'text', text: value });
const request = (id: string, name = 'developer__shell', args: object = { command: 'npm test' }) => ({
  type: 'toolRequest',
  id,
  toolCall: { status: 'success', value: { name, arguments: args } },
});
const response = (id: string, value: string) => ({
  type: 'toolResponse',
  id,
  toolResult: { status: 'success', value: [{ type: 'text', text: value }] },
});
const failure = (id: string, error: string) => ({ type: 'toolResponse', id, toolResult: { status: 'error', error } });
const lines = (...records: object[]) => records.map((one) => JSON.stringify(one));
const run = [
  header,
  user(text('go')),
  assistant(text('Run.'), request('c1')),
  user(response('c1', 'no\nCommand failed with exit code 1')),
  assistant(request('c2', 'x__y')),
  user(failure('c2', "Tool 'x__y' not found")),
  assistant(text('Done.')),
];

describe('a goose session', () => {
  it('tells the conversation, failures and the end of the turn', () => {
    const { events, problems } = decodeAny(goose, lines(...run));
    expect(problems).toEqual([]);
    expect(types(events)).toEqual([
      'session_info',
      'usage',
      'user',
      'assistant',
      'tool_call',
      'tool_result',
      'tool_call',
      'tool_result',
      'assistant',
      'turn_end',
    ]);
    expect(only(events, 'tool_call')[0]).toMatchObject({ command: 'npm test', kind: 'ran' });
    expect(only(events, 'tool_result').map((one) => [one.isError, one.exitCode, one.validation?.kind])).toEqual([
      [true, 1, undefined],
      [true, undefined, 'unknown_tool'],
    ]);
    expect(goose.recognises(lines(...run).join('\n'), '/x/s.jsonl')).toBe('yes');
  });

  it('waits for a confirmation', () => {
    const { events } = decodeAny(
      goose,
      lines(header, assistant(request('c1')), user({ type: 'toolConfirmationRequest', id: 'c1' })),
    );
    expect(types(events).at(-1)).toBe('waiting');
  });

  test.prop([damages])('is read however damaged', (list) => {
    decodeAny(goose, damaged(lines(...run), list));
  });
});
