import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';
import { droid } from '../../../../src/agents/droid/adapter';
import { only, types } from '../events';
import { damaged, damages, decodeAny } from '../fuzz';
import { test } from '../shared/property';
import { printRows, type Row, rowOf, strayResults, transcriptsBelow } from '../support';

const collected = transcriptsBelow('.jsonl', 'public', 'droid');

describe.skipIf(collected.length === 0)('every collected session of Droid', () => {
  it('is understood to the last line', async () => {
    const rows: Row[] = [];
    for (const file of collected) rows.push(await rowOf(droid, file));
    console.log(printRows(rows));
    for (const { file, decoded, calls, recognised } of rows) {
      const name = basename(file);
      expect(recognised, name).toBe('yes');
      expect(decoded.problems, name).toEqual([]);
      expect(strayResults(decoded), name).toEqual([]);
      expect(calls, name).toBe(decoded.marked);
    }
    const limited = rows.find(({ file }) => file.endsWith('token-limit-1.jsonl'));
    expect(types(limited?.decoded.events ?? []).slice(-3)).toEqual(['user', 'error', 'turn_end']);
  });
});

const message = (role: string, content: readonly object[], more: object = {}) => ({
  type: 'message',
  id: 'm',
  timestamp: '2026-03-30T18:50:09.639Z',
  message: { role, content, ...more },
});
const run = [
  { type: 'session_start', id: 's1', title: 'Test', cwd: '/p' },
  message('user', [
    { type: 'text', text: '<system-reminder>\nBe brief.\n</system-reminder>' },
    { type: 'text', text: 'test it' },
  ]),
  message('assistant', [{ type: 'tool_use', id: 't1', name: 'Execute', input: { command: 'npm test' } }], {
    usage: { input_tokens: 10, output_tokens: 2 },
  }),
  message('user', [{ type: 'tool_result', tool_use_id: 't1', content: 'Error: Command failed (exit code: 1)\nno' }]),
  message('assistant', [{ type: 'text', text: 'It fails.' }]),
].map((one) => JSON.stringify(one));

describe('a session of Droid', () => {
  it('contains the words of the person without reminders, and failed commands', () => {
    const { events, problems } = decodeAny(droid, run);
    expect(problems).toEqual([]);
    expect(types(events)).toEqual([
      'session_info',
      'user',
      'tool_call',
      'usage',
      'tool_result',
      'assistant',
      'turn_end',
    ]);
    expect(only(events, 'user')[0]?.text).toBe('test it');
    expect(only(events, 'tool_result')[0]).toMatchObject({ isError: true, exitCode: 1 });
    expect(droid.peek(run.join('\n'), '/x/other.jsonl')).toEqual({ session: 's1', cwd: '/p' });
  });

  it('does not show a limit of the vendor as a prompt', () => {
    const limit = message('user', [{ type: 'text', text: 'Token limit reached.' }], { visibility: 'user_only' });
    const { events } = decodeAny(droid, [...run.slice(0, 2), JSON.stringify(limit)]);
    expect(only(events, 'user')).toHaveLength(1);
    expect(only(events, 'error')[0]?.kind).toBe('rate_limit');
    expect(only(events, 'turn_end')[0]?.reason).toBe('error');
  });

  it('does not show what a hook of the person says as an error', () => {
    const hook = message('user', [{ type: 'text', text: 'npm test' }], {
      visibility: 'user_only',
      hookEventName: 'PreToolUse',
    });
    const { events } = decodeAny(droid, [...run.slice(0, 3), JSON.stringify(hook), ...run.slice(3)]);
    expect(only(events, 'error')).toEqual([]);
    expect(only(events, 'tool_result')).toHaveLength(1);
  });

  it('distinguishes a call refused by a message of ours from one that failed', () => {
    const refused = (text: string) => {
      const result = message('user', [{ type: 'tool_result', tool_use_id: 't1', is_error: true, content: text }]);
      return only(decodeAny(droid, [...run.slice(0, 3), JSON.stringify(result)]).events, 'tool_result')[0];
    };
    expect(refused('Error: Unstuck, an automated watcher, wrote and sent this.')?.denied).toBe('hook');
    expect(refused('Error: no such file')?.denied).toBeUndefined();
  });

  test.prop([damages])('is read however damaged it is', (list) => {
    decodeAny(droid, damaged(run, list));
  });
});
