import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';
import { kiro } from '../../../../src/agents/kiro/adapter';
import { only, types } from '../events';
import { damaged, damages, decodeAny } from '../fuzz';
import { test } from '../shared/property';
import { printRows, type Row, rowOf, strayResults, transcriptsBelow } from '../support';

const collected = transcriptsBelow('.jsonl', 'public', 'kiro');

describe.skipIf(collected.length === 0)('every collected log of Kiro CLI', () => {
  it('is understood to the last line', async () => {
    const rows: Row[] = [];
    for (const file of collected) rows.push(await rowOf(kiro, file));
    console.log(printRows(rows));
    for (const { file, decoded, calls, results, recognised } of rows) {
      const name = basename(file);
      expect(recognised, name).toBe('yes');
      expect(decoded.problems, name).toEqual([]);
      expect(strayResults(decoded), name).toEqual([]);
      expect([calls, results], name).toEqual([decoded.marked, decoded.marked]);
    }
    expect(rows.reduce((sum, { failures }) => sum + failures, 0)).toBe(1);
  });
});

const record = (kind: string, data: object) => ({ version: 'v1', kind, data });
const text = (data: string) => ({ kind: 'text', data });
const use = (id: string, name: string, input: object) => ({ kind: 'toolUse', data: { toolUseId: id, name, input } });
const answer = (id: string, status: string, ...content: object[]) =>
  record('ToolResults', {
    message_id: 'r',
    content: [{ kind: 'toolResult', data: { toolUseId: id, status, content } }],
    results: {},
  });
const exit = (code: number, stderr = '') => ({
  kind: 'json',
  data: { exit_status: `exit status: ${code}`, stdout: '', stderr },
});
const prompt = record('Prompt', { content: [text('build it')], meta: { timestamp: 1_776_635_906 } });
const say = (...content: object[]) => record('AssistantMessage', { message_id: 'm', content });
const lines = (...records: object[]) => records.map((one) => JSON.stringify(one));
const run = lines(
  prompt,
  say(text('I try.'), use('t1', 'shell', { command: 'make', __tool_use_purpose: 'Build' })),
  answer('t1', 'success', exit(2, 'no rule')),
  say(use('t2', 'read', { operations: [{ mode: 'Line', path: '/p/a.ts' }], __tool_use_purpose: 'Look' })),
  answer('t2', 'error', { kind: 'text', data: 'missing field `path`' }),
  say(text('It does not build.')),
);

describe('a log of Kiro CLI', () => {
  it('shows that a command failed although it reports success', () => {
    const { events, problems } = decodeAny(kiro, run);
    expect(problems).toEqual([]);
    expect(types(events)).toEqual([
      'user',
      'assistant',
      'tool_call',
      'tool_result',
      'tool_call',
      'tool_result',
      'assistant',
      'turn_end',
    ]);
    expect(only(events, 'tool_result')).toMatchObject([
      { isError: true, exitCode: 2, output: 'no rule' },
      { isError: true, validation: { kind: 'invalid_arguments' } },
    ]);
    expect(only(events, 'tool_call')).toMatchObject([
      { command: 'make', args: { command: 'make' } },
      { kind: 'looked', target: '/p/a.ts' },
    ]);
  });

  it('takes its folder from the description beside it, else from its first command', () => {
    const file = '/home/u/.kiro/sessions/cli/s1.jsonl';
    const read = (path: string) => (path === '/home/u/.kiro/sessions/cli/s1.json' ? '{"cwd": "/work/app"}' : undefined);
    expect(kiro.peek('', file, read)).toEqual({ session: 's1', cwd: '/work/app' });
    const named = lines(say(use('t1', 'shell', { command: 'ls', working_dir: '/other' }))).join('\n');
    expect(kiro.peek(named, file, () => undefined)).toEqual({ session: 's1', cwd: '/other' });
    expect(kiro.peek('', file)).toEqual({ session: 's1' });
  });

  it('is live while the process of its lock is', () => {
    const folder = '/home/u/.kiro/sessions/cli';
    const files: Readonly<Record<string, string>> = {
      [`${folder}/s1.lock`]: '{"pid": 7}',
      [`${folder}/s2.lock`]: '{"pid": 8}',
      [`${folder}/s3.lock`]: 'none',
      [`${folder}/s4.lock`]: '{"pid": 9}',
      '/proc/9/cmdline': 'vim',
    };
    const live = kiro.liveness?.(
      { home: '/home/u', env: {}, platform: 'linux' },
      {
        list: (path) => (path === folder ? ['s1.lock', 's1.jsonl', 's2.lock', 's3.lock', 's4.lock'] : []),
        read: (path) => files[path],
        processStart: (pid) => (pid === 7 || pid === 9 ? '1' : null),
      },
    );
    expect([...(live ?? [])]).toEqual([
      ['s1', { alive: true, pid: 7 }],
      ['s2', { alive: false, pid: 8 }],
      ['s4', { alive: false, pid: 9 }],
    ]);
  });

  test.prop([damages])('is read however damaged it is', (list) => {
    decodeAny(kiro, damaged(run, list));
  });
});
