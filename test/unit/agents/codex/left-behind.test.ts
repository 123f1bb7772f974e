import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { codex } from '../../../../src/agents/codex/adapter';
import { createDecoder } from '../../../../src/agents/decoders';
import type { AgentEvent } from '../../../../src/core/model';
import { Jobs } from '../../../../src/engine/session/jobs';

const FIXTURES = join(__dirname, '../../../golden/fixtures/codex');
/** A parent that was not told within two minutes is not going to be told. */
const TOLD_WITHIN = 120_000;

/** A recorded thread, read to its end. */
function recorded(name: string): AgentEvent[] {
  const file = join(FIXTURES, `${name}.jsonl`);
  const events: AgentEvent[] = [];
  const decoder = createDecoder(codex, { file, readSmall: () => undefined });
  if (decoder.unit !== 'line') throw new Error('not a line decoder');
  const sink = {
    event: (event: AgentEvent) => void events.push(event),
    problem: ({ why }: { why: string }) => {
      throw new Error(why);
    },
  };
  for (const [index, text] of readFileSync(file, 'utf8').trimEnd().split('\n').entries())
    decoder.decode({ text, line: index + 1, offset: index * 100 }, sink);
  return events;
}

/** Finds what the session had missed by then, and when the tasks it had left behind ended. */
function missedIn(events: readonly AgentEvent[]) {
  const jobs = new Jobs();
  for (const event of events) jobs.push(event, '/home/dev/shop');
  const turnEnd = events.findLast(({ type }) => type === 'turn_end')?.at ?? 0;
  const end = events.findLast(({ type }) => type === 'job_end')?.at ?? 0;
  return { jobs, turnEnd, end, missed: jobs.missed(turnEnd, end + TOLD_WITHIN) };
}

describe('a task that a Codex thread left running and that ended after its turn, without a request to the model', () => {
  it('may be a sub-agent: its last words are in the history, which the model is not shown', () => {
    const { jobs, turnEnd, end, missed } = missedIn(recorded('sub_agent_ends'));
    expect(missed).toEqual({
      kind: 'sub_agent',
      subject: expect.stringContaining('LOOK-SUBTASK now') as unknown,
      endedAt: end,
      lastLine: 'LAST WORDS of the sub-agent.',
    });
    expect(end).toBeGreaterThan(turnEnd);
    expect(jobs.missed(turnEnd, end + TOLD_WITHIN - 1)).toBeNull();
  });

  it('may be a sub-agent of the second form, whose words are only in its own thread', () => {
    const { end, missed } = missedIn(recorded('sub_agent_ends_v2'));
    expect(missed).toMatchObject({ kind: 'sub_agent', endedAt: end });
    expect(missed).not.toHaveProperty('lastLine');
  });

  it('may be a command of a script, recognised by its process', () => {
    const { missed } = missedIn(recorded('cm_left_running'));
    expect(missed).toMatchObject({ kind: 'command', subject: 'sleep 8; echo built', exitCode: 0, lastLine: 'built' });
  });

  it('twin: has not ended while a sub-agent works', () => {
    const events = recorded('sub_agent_ends').filter(({ type }) => type !== 'job_end');
    const { jobs, turnEnd } = missedIn(events);
    expect(jobs.note()).not.toEqual([]);
    expect(jobs.missed(turnEnd, turnEnd + 10 * TOLD_WITHIN)).toBeNull();
  });

  it('twin: is not missed once the next prompt of its person brings the words', () => {
    const events = recorded('sub_agent_ends');
    const last = events.at(-1);
    if (!last) throw new Error('the recording is empty');
    const nextEnd = last.at + 60_000;
    const { jobs } = missedIn(events);
    expect(jobs.missed(nextEnd, nextEnd + 10 * TOLD_WITHIN)).toBeNull();
  });
});
