import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';
import { antigravity } from '../../../../src/agents/antigravity/adapter';
import { damaged, damages, decodeAny } from '../fuzz';
import { only, types } from '../events';
import { printRows, type Row, rowOf, strayResults, transcriptsBelow } from '../support';
import { test } from '../shared/property';

const collected = transcriptsBelow('.jsonl', 'public', 'antigravity');

describe.skipIf(collected.length === 0)('every collected Antigravity transcript', () => {
  it('shows each call in its bytes, except those in damaged lines', async () => {
    const rows: Row[] = [];
    for (const file of collected) rows.push(await rowOf(antigravity, file));
    console.log(printRows(rows));
    for (const { file, decoded, calls, results, recognised } of rows) {
      const name = basename(file);
      expect(recognised, name).toBe('yes');
      expect(strayResults(decoded), name).toEqual([]);
      expect(decoded.problems.length, name).toBeLessThanOrEqual(2);
      expect(decoded.marked - calls, name).toBeLessThanOrEqual(2);
      expect(results / calls, name).toBeGreaterThan(0.8);
    }
    const failed = rows.map(({ failures }) => failures);
    expect(failed.reduce((sum, one) => sum + one)).toBeGreaterThanOrEqual(10);
  });
});

let step = 0;
const record = (type: string, more: object, source = 'MODEL') => ({
  step_index: step++,
  source,
  type,
  status: 'DONE',
  created_at: '2026-08-04T10:05:13Z',
  ...more,
});
const ask = (text: string) =>
  record('USER_INPUT', { content: `<USER_REQUEST>\n${text}\n</USER_REQUEST>` }, 'USER_EXPLICIT');
const call = (name: string, args: object) => record('PLANNER_RESPONSE', { tool_calls: [{ name, args }] });
const lines = (...records: object[]) => records.map((one) => JSON.stringify(one));
const timed = (text: string) => `Created At: 2026-08-04T10:05:13Z\nCompleted At: 2026-08-04T10:05:21Z\n${text}`;

describe('an Antigravity transcript', () => {
  it('names the sub-agents that a call started, which write to it when they are done', () => {
    const started = ['7e81f29d-58', '643550a0-18'].map((id) => `{\n  "conversationId":  "${id}"\n}`).join('\n');
    const { events } = decodeAny(
      antigravity,
      lines(
        ask('count the files'),
        call('invoke_subagent', { Subagents: '[]' }),
        record('INVOKE_SUBAGENT', { content: timed(`Created the following subagents:\n${started}`) }),
      ),
    );
    const jobs = [{ key: '7e81f29d-58' }, { key: '643550a0-18' }];
    expect(only(events, 'tool_result')).toMatchObject([{ running: true, jobs }]);
  });

  it('reports how a command failed, by its code or by its words', () => {
    const { events, problems } = decodeAny(
      antigravity,
      lines(
        ask('build it'),
        call('run_command', { CommandLine: '"npm run build"', Cwd: '"/home/u/p"', toolSummary: '"Building"' }),
        record('RUN_COMMAND', {
          content: timed('\n\t\t\t\tThe command failed with exit code: 2\n\t\t\t\tOutput:\nno'),
        }),
        call('run_command', { CommandLine: 'npm test', Cwd: '/home/u/p', toolSummary: 'Other words' }),
        record('RUN_COMMAND', { content: timed('Output:\nno'), exit_code: 1 }),
        record('PLANNER_RESPONSE', { content: 'It does not build.' }),
      ),
    );
    expect(problems).toEqual([]);
    expect(types(events)).toEqual([
      'user',
      'session_info',
      'tool_call',
      'tool_result',
      'tool_call',
      'tool_result',
      'assistant',
      'turn_end',
    ]);
    expect(only(events, 'session_info')[0]?.cwd).toBe('/home/u/p');
    expect(only(events, 'tool_call')[0]).toMatchObject({ command: 'npm run build', kind: 'ran' });
    expect(only(events, 'tool_result')).toMatchObject([
      { isError: true, exitCode: 2, durationMs: 8000 },
      { isError: true, exitCode: 1 },
    ]);
  });

  it('leaves out remarks about a call, which differ even if the call is the same', () => {
    const build = (summary: string) =>
      call('run_command', { CommandLine: 'make', toolAction: 'Run', toolSummary: summary });
    const { events } = decodeAny(antigravity, lines(build('First build'), build('Second build')));
    const [first, second] = only(events, 'tool_call');
    expect(first?.args).toEqual({ CommandLine: 'make' });
    expect(second?.args).toEqual(first?.args);
  });

  it('pairs a result that was written before its message, and one of two kinds at a time', () => {
    step = 10;
    const early = { ...record('GENERIC', { content: 'killed' }), step_index: 11 };
    const { events } = decodeAny(
      antigravity,
      lines(
        early,
        { ...call('manage_task', { Action: 'kill' }), step_index: 10 },
        {
          ...record('PLANNER_RESPONSE', {
            tool_calls: [
              { name: 'view_file', args: { AbsolutePath: '/p/a' } },
              { name: 'grep_search', args: { Query: 'x' } },
            ],
          }),
        },
        record('GREP_SEARCH', { content: 'found' }),
        record('VIEW_FILE', { content: 'text' }),
      ),
    );
    expect(only(events, 'tool_result').map(({ id, output }) => [id.split('/')[1], output])).toEqual([
      ['0', 'killed'],
      ['1', 'found'],
      ['0', 'text'],
    ]);
  });

  it('gives no result to a call that a new prompt interrupted', () => {
    const { events } = decodeAny(
      antigravity,
      lines(
        ask('build it'),
        call('run_command', { CommandLine: 'make' }),
        ask('no, test it'),
        call('run_command', { CommandLine: 'npm test' }),
        record('RUN_COMMAND', { content: timed('3 passed'), exit_code: 0 }),
      ),
    );
    const [interrupted, tested] = only(events, 'tool_call');
    expect(interrupted?.command).toBe('make');
    expect(only(events, 'tool_result')).toMatchObject([{ id: tested?.id, output: '3 passed' }]);
  });

  it('gives no result from before a prompt to a call after it, even if the numbers start again', () => {
    const { events } = decodeAny(
      antigravity,
      lines(
        { ...record('RUN_COMMAND', { content: 'killed' }), step_index: 6 },
        { ...ask('once more'), step_index: 4 },
        { ...call('run_command', { CommandLine: 'make' }), step_index: 5 },
      ),
    );
    expect(only(events, 'tool_call')).toHaveLength(1);
    expect(only(events, 'tool_result')).toEqual([]);
  });

  it('continues when a background task reports, and stops at a failure of the model', () => {
    const told = (priority: string) =>
      record('SYSTEM_MESSAGE', {
        content: `The following is a <SYSTEM_MESSAGE> not actually sent by the user.\n\n<SYSTEM_MESSAGE>\n[Message] priority=MESSAGE_PRIORITY_${priority} content=done\n</SYSTEM_MESSAGE>`,
      });
    const { events } = decodeAny(
      antigravity,
      lines(
        ask('go'),
        call('run_command', { CommandLine: 'make' }),
        { ...record('RUN_COMMAND', { content: 'Tool is running as a background task' }), status: 'RUNNING' },
        record('PLANNER_RESPONSE', { content: 'I wait.' }),
        told('LOW'),
        told('HIGH'),
        record('ERROR_MESSAGE', { error: 'The model API is overloaded', error_code: 429 }, 'SYSTEM'),
      ),
    );
    expect(only(events, 'tool_result')[0]).toMatchObject({ running: true, isError: false });
    expect(types(events).slice(-5)).toEqual(['assistant', 'turn_end', 'user', 'error', 'turn_end']);
    expect(only(events, 'user')[1]).toMatchObject({
      automated: true,
      text: expect.stringMatching(/^\[Message\]/) as string,
    });
    expect(only(events, 'error')[0]?.kind).toBe('rate_limit');
  });

  it("says where it works, disregarding the agent's own notes", () => {
    const note = call('view_file', { AbsolutePath: '"/home/u/.gemini/antigravity/brain/x/plan.md"' });
    const file = '/home/u/.gemini/antigravity/brain/c1/.system_generated/logs/transcript.jsonl';
    expect(antigravity.peek(lines(note).join('\n'), file)).toEqual({ session: 'c1' });
    const windows = call('view_file', { AbsolutePath: JSON.stringify('C:\\work\\app\\a.ts') });
    expect(antigravity.peek(lines(note, windows).join('\n'), file)).toEqual({ session: 'c1', cwd: 'C:\\work\\app' });
    const [root] = antigravity.locate({ home: '/home/u', env: {}, platform: 'linux' });
    expect(root?.matches('c1/.system_generated/logs/transcript.jsonl')).toBe(true);
    expect(root?.matches('c1/.system_generated/logs/transcript_full.jsonl')).toBe(false);
  });

  it('ends even if a step has a number that cannot be counted on from', () => {
    const { events } = decodeAny(antigravity, lines({ ...call('view_file', {}), step_index: 1e300 }));
    expect(only(events, 'tool_call')).toHaveLength(1);
  });

  test.prop([damages])('is read however damaged it is', (list) => {
    const run = lines(
      ask('go'),
      call('view_file', { AbsolutePath: '"/p/a"' }),
      record('VIEW_FILE', { content: timed('x') }),
    );
    decodeAny(antigravity, damaged(run, list));
  });
});
