import { describe, expect, it } from 'vitest';
import { codexStream } from '../../../../src/agents/codex/adapter';
import { registry } from '../../../../src/agents/registry';
import { recognise } from '../../../../src/engine/follow/discovery';
import type { AgentEvent, Problem } from '../../../../src/model';

const THREAD = '01a1fa5a-0c22-7fe3-8e12-b68cba6a4999';

function decode(records: readonly unknown[]) {
  const events: AgentEvent[] = [];
  const problems: Problem[] = [];
  const decoder = codexStream.createDecoder({ file: '/tmp/run.jsonl', readSmall: () => undefined });
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

describe('what `codex exec --json` prints', () => {
  it('is recognised by its first record, also below lines of another program', () => {
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

  it('a second run in the same file numbers its items anew, and each is a step', () => {
    const run = [
      started,
      { type: 'turn.started' },
      { type: 'item.completed', item: command('item_0', { exit_code: 0 }) },
    ];
    const told = decode([...run, ...run]);
    expect(told.story.filter((type) => type === 'tool_result')).toHaveLength(2);
    expect(told.calls).toBe(2);
  });

  it('says of records and items that it does not know that it does not know them', () => {
    const told = decode([
      started,
      { type: 'item.completed', item: { id: 'item_0', type: 'shell_run' } },
      { type: 'later' },
    ]);
    expect(told.problems.map((problem) => problem.why)).toEqual(['unknown item "shell_run"', 'unknown type "later"']);
  });
});
