import { createDecoder } from '../../../../src/agents/decoders';
import { describe, expect, it } from 'vitest';
import { atif } from '../../../../src/agents/atif/adapter';
import { viewedResult } from '../../../../src/agents/atif/viewer';
import type { AgentEvent, Problem } from '../../../../src/core/model';
import { damagedRecord } from '../fuzz';
import { fc, test } from '../shared/property';

function reader() {
  const events: AgentEvent[] = [];
  const problems: Problem[] = [];
  const decoder = createDecoder(atif, { file: '/runs/trajectory.json', readSmall: () => undefined });
  if (decoder.unit !== 'document') throw new Error('not a document decoder');
  const sink = {
    event: (event: AgentEvent) => void events.push(event),
    problem: (problem: Problem) => void problems.push(problem),
  };
  return { events, problems, read: (text: string) => decoder.decode(text, sink) };
}

const agentStep = (id: number, message: string, calls: readonly object[] = [], results?: readonly object[]) => ({
  step_id: id,
  timestamp: `2026-01-01T00:00:0${id}Z`,
  source: 'agent',
  message,
  ...(calls.length > 0 && { tool_calls: calls }),
  ...(results && { observation: { results } }),
  metrics: { prompt_tokens: 90, completion_tokens: 10, cost_usd: 0.5 },
});
const call = (id: string, name = 'bash', args: unknown = { command: 'npm test' }) => ({
  tool_call_id: id,
  function_name: name,
  arguments: args,
});
const trajectory = (steps: readonly object[], more: object = {}) =>
  JSON.stringify({
    schema_version: 'ATIF-v1.6',
    session_id: 's1',
    agent: { name: 'terminus-2', version: '2.0', model_name: 'm' },
    steps,
    ...more,
  });
const types = (events: readonly AgentEvent[]) =>
  events.filter((event) => event.type !== 'other').map((event) => event.type);
const only = <T extends AgentEvent['type']>(events: readonly AgentEvent[], type: T) =>
  events.filter((event): event is Extract<AgentEvent, { type: T }> => event.type === type);

describe('an ATIF trajectory', () => {
  it('reports each step once, although each step rewrites the file and the last one grows', () => {
    const { events, read } = reader();
    const steps = [{ step_id: 1, source: 'user', message: 'go' }, agentStep(2, 'Run.', [call('c1')])];
    read(trajectory(steps));
    expect(types(events)).toEqual(['session_info', 'user', 'assistant', 'tool_call', 'usage']);
    const answered = [
      ...steps.slice(0, 1),
      agentStep(2, 'Run.', [call('c1')], [{ source_call_id: 'c1', content: 'ok' }]),
    ];
    read(trajectory(answered));
    read(trajectory([...answered, agentStep(3, 'Done.')], { final_metrics: { total_steps: 3 } }));
    expect(types(events).slice(5)).toEqual(['tool_result', 'assistant', 'usage', 'turn_end']);
    expect(only(events, 'tool_call')[0]?.source).toMatchObject({ line: 2, offset: 1 });
    expect(only(events, 'session_info')[0]).toMatchObject({ session: 's1', agentName: 'terminus-2', model: 'm' });
  });

  it('skips steps that were copied from the previous trajectory', () => {
    const { events, read } = reader();
    read(
      trajectory([
        { ...agentStep(1, 'Old', [call('c0')]), is_copied_context: true },
        agentStep(2, 'New', [call('c1')]),
      ]),
    );
    expect(only(events, 'tool_call').map((one) => one.id)).toEqual(['c1']);
    expect(only(events, 'usage')).toHaveLength(1);
  });

  it('gives a single answer to every call of the step, marked as merged', () => {
    const { events, read } = reader();
    read(trajectory([agentStep(1, '', [call('c1'), call('c2')], [{ content: 'both' }])]));
    expect(only(events, 'tool_result')).toMatchObject([
      { id: 'c1', output: 'both', merged: true },
      { id: 'c2', output: 'both', merged: true },
    ]);
  });

  it('pairs results by their order if they name no call', () => {
    const { events, read } = reader();
    read(trajectory([agentStep(1, '', [call('c1'), call('c2')], [{ content: 'a' }, { content: 'b' }])]));
    expect(only(events, 'tool_result').map((one) => [one.id, one.output, one.merged])).toEqual([
      ['c1', 'a', undefined],
      ['c2', 'b', undefined],
    ]);
  });

  it('recognises the harness’s answer to a message without a call', () => {
    const { events, read } = reader();
    read(
      trajectory([
        agentStep(1, 'Hm', [], [{ content: 'Previous response had parsing errors: no JSON' }]),
        agentStep(2, 'Hm', [], [{ content: 'Go on.' }]),
      ]),
    );
    expect(only(events, 'error')[0]?.kind).toBe('validation');
    expect(only(events, 'user')[0]).toMatchObject({ text: 'Go on.', automated: true });
  });

  it('recognises keystrokes as a command, and none as a wait', () => {
    const { events, read } = reader();
    read(
      trajectory([
        agentStep(1, '', [
          call('c1', 'bash_command', { keystrokes: 'ls -a\n', duration: 1 }),
          call('c2', 'bash_command', { keystrokes: '', duration: 9 }),
        ]),
      ]),
    );
    expect(only(events, 'tool_call').map((one) => [one.kind, one.command])).toEqual([
      ['looked', 'ls -a'],
      ['waited', undefined],
    ]);
  });

  it('reports one problem as long as it cannot be read', () => {
    const { events, problems, read } = reader();
    const whole = trajectory([agentStep(1, 'a')]);
    for (const text of [whole.slice(0, 60), '', '[]', '{}']) read(text);
    expect(problems).toHaveLength(1);
    read(whole);
    expect(only(events, 'assistant')).toHaveLength(1);
  });

  test.prop([
    fc.array(fc.tuple(fc.nat(10_000), fc.constantFrom<unknown>(null, 1, 'x', [], {}, [null], [1], { a: [] })), {
      minLength: 1,
      maxLength: 8,
    }),
  ])('is read with any of its values damaged', (damages) => {
    let text = trajectory([
      { step_id: 1, source: 'user', message: 'go' },
      agentStep(
        2,
        'Run.',
        [call('c1'), call('c2', 'x', '{"a":')],
        [{ source_call_id: 'c1', content: [{ type: 'text', text: 'ok' }] }],
      ),
    ]);
    for (const [place, junk] of damages) text = damagedRecord(text, 'value', place, junk);
    const { events, problems, read } = reader();
    read(text);
    read(text);
    expect(events.length + problems.length).toBeGreaterThan(0);
  });
});

describe('text that a viewer adds to an observation', () => {
  it('is removed', () => {
    expect(viewedResult('boom\n\n[error] tool reported failure')).toEqual({ output: 'boom', isError: true });
    expect(viewedResult('a\n\n[metadata] {"durationMs": 5}')).toMatchObject({ output: 'a', durationMs: 5 });
    expect(viewedResult('a b c\n\n[stdout]\na b c d')).toMatchObject({ output: 'a b c' });
    expect(viewedResult('\n[stdout]\na')).toMatchObject({ output: 'a' });
  });

  it('does not make the status of a fetched page an exit code', () => {
    const { events, read } = reader();
    read(
      JSON.stringify({
        steps: [
          {
            index: 0,
            role: 'agent',
            text: '',
            toolCalls: [{ name: 'WebFetch', args: '{}' }],
            observation: 'page\n\n[metadata] {"code": 200}',
          },
        ],
      }),
    );
    expect(only(events, 'tool_result')[0]).toMatchObject({ isError: false, output: 'page' });
  });
});
