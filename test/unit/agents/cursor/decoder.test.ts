import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cursor } from '../../../../src/agents/cursor/adapter';
import { resolveOptions } from '../../../../src/detect/session/options';
import { scanFile } from '../../../../src/engine/scan-cache';
import { only, types } from '../events';
import { damaged, damages, decodeAny } from '../fuzz';
import { test } from '../shared/property';
import { printRows, type Row, rowOf, strayResults, transcriptsBelow } from '../support';

const collected = transcriptsBelow('.jsonl', 'public', 'cursor');

describe.skipIf(collected.length === 0)('every collected transcript of Cursor', () => {
  it('shows each call, and no outcome of any', async () => {
    const rows: Row[] = [];
    for (const file of collected) rows.push(await rowOf(cursor, file));
    console.log(printRows(rows));
    for (const { file, decoded, calls, recognised } of rows) {
      const name = basename(file);
      expect(recognised, name).toBe('yes');
      expect(decoded.problems, name).toEqual([]);
      expect(strayResults(decoded), name).toEqual([]);
      expect(calls, name).toBe(decoded.marked);
      expect(only(decoded.events, 'tool_result').every(({ outcome }) => outcome === 'unknown')).toBe(true);
    }
  });

  it('makes coverage say that nothing is known about its steps', async () => {
    const file = collected.find((one) => one.endsWith('ts-nim-1.jsonl')) ?? '';
    const detectors = () => resolveOptions({ preset: 'balanced', detectors: {} });
    const { sessions } = await scanFile(file, { adapter: cursor, detectors, readSmall: () => undefined });
    expect(sessions).toHaveLength(1);
    expect(sessions[0]).toMatchObject({ callMarkers: 270, actions: 270 });
    // The last call may still run.
    expect(sessions[0]?.seen).toBeLessThanOrEqual(1);
    expect(sessions[0]?.incidents.filter(({ level }) => level === 'stuck')).toEqual([]);
  });
});

const message = (role: string, ...content: object[]) => ({ role, message: { content } });
const text = (words: string) => ({ type: 'text', text: words });
const use = (name: string, input: object) => ({ type: 'tool_use', name, input });
const lines = (...records: object[]) => records.map((one) => JSON.stringify(one));

describe('a transcript of Cursor', () => {
  it('contains the words of the person, calls, and the end of the turn if it is written', () => {
    const { events, problems } = decodeAny(
      cursor,
      lines(
        message('user', text('<user_query>\nfix it\n</user_query>')),
        message('assistant', text('[REDACTED]'), use('Shell', { command: 'npm test', working_directory: '/p' })),
        message('assistant', text('It fails.')),
        { type: 'turn_ended', status: 'aborted' },
      ),
    );
    expect(problems).toEqual([]);
    expect(types(events)).toEqual(['user', 'session_info', 'tool_call', 'tool_result', 'assistant', 'turn_end']);
    expect(only(events, 'user')[0]?.text).toBe('fix it');
    expect(only(events, 'tool_call')[0]).toMatchObject({ command: 'npm test', kind: 'ran' });
    expect(only(events, 'tool_result')[0]).toMatchObject({ outcome: 'unknown', output: '' });
    expect(only(events, 'turn_end')[0]?.reason).toBe('interrupted');
  });

  it('never has two equal calls if their outcome is unknown', async () => {
    const same = Array.from({ length: 12 }, () => message('assistant', use('Shell', { command: 'npm test' })));
    const { events } = decodeAny(cursor, lines(message('user', text('go')), ...same));
    expect(only(events, 'tool_result')).toHaveLength(11);
    expect(new Set(only(events, 'tool_result').map(({ outcome }) => outcome))).toEqual(new Set(['unknown']));
  });

  it('is searched for in the folder that is named after the open one, and in those of others', () => {
    const editor = { storage: '/s', folder: '/home/u/my app' };
    const [own, others] = cursor.locate({ home: '/home/u', env: {}, platform: 'linux', editor });
    expect(own).toMatchObject({ path: '/home/u/.cursor/projects/home-u-my-app', cwd: '/home/u/my app' });
    expect(own?.matches('agent-transcripts/c1/c1.jsonl')).toBe(true);
    expect(own?.matches('agent-transcripts/c1/subagents/c2.jsonl')).toBe(true);
    expect(own?.matches('terminals/1.txt')).toBe(false);
    expect(others?.enters?.('home-u-my-app')).toBe(false);
    expect(others?.enters?.('home-u-other')).toBe(true);
    expect(others?.matches('home-u-other/agent-transcripts/c1.jsonl')).toBe(true);
    expect(cursor.peek('', '/x/agent-transcripts/c1/subagents/c2.jsonl')).toEqual({ session: 'c2', parent: 'c1' });
    const head = lines(
      message('assistant', use('Write', { path: '/u/.cursor/plans/a.md' }), use('Read', { path: '/p/a' })),
    );
    expect(cursor.peek(head.join('\n'), '/x/c1.jsonl')).toEqual({ session: 'c1', cwd: '/p' });
  });

  test.prop([damages])('is read however damaged it is', (list) => {
    const run = lines(message('user', text('go')), message('assistant', use('Shell', { command: 'ls' })), {
      type: 'turn_ended',
      status: 'success',
    });
    decodeAny(cursor, damaged(run, list));
  });
});
