import { createDecoder } from '../../../../src/agents/decoders';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { codexStream } from '../../../../src/agents/codex/adapter';
import { registry } from '../../../../src/agents/registry';
import { recognise } from '../../../../src/engine/follow/recognise';
import type { AgentEvent, Problem } from '../../../../src/core/model';
import { run } from '../../detect/support/run';

const THREAD = '01a1fa5a-0c22-7fe3-8e12-b68cba6a4999';

function decode(records: readonly unknown[]) {
  const events: AgentEvent[] = [];
  const problems: Problem[] = [];
  const decoder = createDecoder(codexStream, { file: '/tmp/run.jsonl', readSmall: () => undefined });
  if (decoder.unit !== 'line') throw new Error('the stream is read by lines');
  const ownCalls = codexStream.createOwnCalls?.();
  let calls = 0;
  for (const [index, record] of records.entries()) {
    const text = JSON.stringify(record);
    const found = codexStream.callMarkers.filter((marker) => text.includes(marker)).length;
    calls += ownCalls?.(text, found) ?? 0;
    const sink = { event: (event: AgentEvent) => events.push(event), problem: (one: Problem) => problems.push(one) };
    decoder.decode({ text, line: index + 1, offset: index * 100 }, sink);
  }
  return { events, problems, calls, story: events.map((event) => event.type) };
}

const started = { type: 'thread.started', thread_id: THREAD };
const command = (id: string, more: Record<string, unknown>) => ({
  id,
  type: 'command_execution',
  command: 'make',
  ...more,
});

describe('the output of `codex exec --json`', () => {
  it('is recognised by its first record, even below lines of another program', () => {
    const head = `starting…\n${JSON.stringify(started)}\n`;
    expect(recognise(registry, head, '/work/run.log')).toBe(codexStream);
    expect(codexStream.peek(head, '/work/run.log')).toEqual({ session: THREAD });
    expect(recognise(registry, '{"type":"turn.started"}\n', '/work/run.log')).not.toBe(codexStream);
  });

  it('shows a command while it runs, and counts it once however often it is printed', () => {
    const told = decode([
      started,
      { type: 'turn.started' },
      { type: 'item.started', item: command('item_0', { status: 'in_progress' }) },
      { type: 'item.updated', item: command('item_0', { status: 'in_progress', aggregated_output: 'a' }) },
      { type: 'item.completed', item: command('item_0', { status: 'failed', exit_code: 2, aggregated_output: 'ab' }) },
      { type: 'turn.completed', usage: { input_tokens: 5, output_tokens: 1 } },
    ]);
    expect(told.story).toEqual(['session_info', 'turn_start', 'tool_call', 'tool_result', 'usage', 'turn_end']);
    expect(told.events.find((event) => event.type === 'tool_result')).toMatchObject({
      session: THREAD,
      output: 'ab',
      isError: true,
      exitCode: 2,
    });
    expect(told.calls).toBe(1);
  });

  it('may contain a second run, which numbers its items from the start: each is a step', () => {
    const run = [
      started,
      { type: 'turn.started' },
      { type: 'item.completed', item: command('item_0', { exit_code: 0 }) },
    ];
    const told = decode([...run, ...run]);
    expect(told.story.filter((type) => type === 'tool_result')).toHaveLength(2);
    expect(told.calls).toBe(2);
  });

  it('distinguishes plans, tools of servers, searches, refusals and errors', () => {
    const item = (state: string, more: Record<string, unknown>) => ({ type: `item.${state}`, item: more });
    const plan = (completed: boolean) => ({
      id: 'item_0',
      type: 'todo_list',
      items: [{ text: 'Mend add()', completed }],
    });
    const server = { id: 'item_1', type: 'mcp_tool_call', server: 'docs', tool: 'search', arguments: { q: 'add' } };
    const told = decode([
      started,
      { type: 'turn.started' },
      item('started', plan(false)),
      item('updated', plan(true)),
      item('completed', { ...server, result: { content: [{ type: 'text', text: 'the sum' }] }, status: 'completed' }),
      item('completed', { id: 'item_2', type: 'web_search', query: 'javascript add' }),
      item('completed', { id: 'item_3', type: 'error', message: 'Reconnecting... retrying 1/5 in 200ms' }),
      item('completed', command('item_4', { exit_code: -1, status: 'declined' })),
      { type: 'turn.failed', error: { message: 'unexpected status 500 Internal Server Error' } },
    ]);
    const of = (type: AgentEvent['type']) => told.events.filter((event) => event.type === type);
    expect(told.problems).toEqual([]);
    expect(of('plan')).toMatchObject([
      { items: [{ title: 'Mend add()', status: 'pending' }] },
      { items: [{ title: 'Mend add()', status: 'completed' }] },
    ]);
    expect(of('tool_call')).toMatchObject([
      { name: 'mcp__docs__search', args: { q: 'add' } },
      { name: 'web_search', kind: 'looked' },
      { name: 'exec_command', command: 'make' },
    ]);
    expect(of('tool_result')).toMatchObject([{ output: 'the sum' }, { output: '' }, { isError: true, denied: 'user' }]);
    expect(of('error')).toMatchObject([
      { kind: 'api', retryInMs: 200 },
      { kind: 'api', message: 'unexpected status 500 Internal Server Error' },
    ]);
    expect(of('turn_end')).toMatchObject([{ reason: 'error' }]);
  });

  it('names the file of an edit but not the change, so many edits of one file are no loop', () => {
    const edit = (id: number) => ({
      type: 'item.completed',
      item: { id: `item_${id}`, type: 'file_change', changes: [{ path: '/w/a.js', kind: 'update' }] },
    });
    const { events } = decode([started, { type: 'turn.started' }, ...Array.from({ length: 8 }, (_, id) => edit(id))]);
    expect(run(events).incidents).toEqual([]);
  });

  it('shows the loop of a recorded run: four equal tests with edits between', () => {
    const lines = readFileSync(join(__dirname, '../../../golden/fixtures/codex/exec_b_edit_test.jsonl'), 'utf8');
    const { events } = decode(
      lines
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown),
    );
    expect(run(events).incidents).toMatchObject([
      { name: 'repeating_outcome', warnLine: 13, stuckLine: 17, last: { count: 4 } },
      { name: 'rate_limited', warnLine: 24, stuckLine: null },
    ]);
  });

  it('reports records and items that it does not know as unknown', () => {
    const told = decode([
      started,
      { type: 'item.completed', item: { id: 'item_0', type: 'shell_run' } },
      { type: 'later' },
    ]);
    expect(told.problems.map((problem) => problem.why)).toEqual(['unknown item "shell_run"', 'unknown type "later"']);
  });
});
