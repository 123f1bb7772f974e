import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';
import { kimi, kimiCode } from '../../../../src/agents/kimi/adapter';
import { only, types } from '../events';
import { damaged, damages, decodeAny } from '../fuzz';
import { test } from '../shared/property';
import { printRows, type Row, rowOf, strayResults, transcriptsBelow } from '../support';

const wires = transcriptsBelow('wire.jsonl', 'public', 'kimi');
const logs = transcriptsBelow('.jsonl', 'public', 'fixtures-many-agents', 'jazzyalex-agent-sessions', 'kimi');

describe.skipIf(wires.length === 0)('every collected transcript of Kimi', () => {
  it.each([
    ['Kimi CLI', kimi, wires],
    ['Kimi Code', kimiCode, logs],
  ] as const)('of %s is understood to the last line', async (_, adapter, files) => {
    const rows: Row[] = [];
    for (const file of files) rows.push(await rowOf(adapter, file));
    console.log(printRows(rows));
    for (const { file, decoded, calls, recognised } of rows) {
      const name = basename(file);
      expect(recognised, name).toBe('yes');
      expect(decoded.problems, name).toEqual([]);
      expect(strayResults(decoded), name).toEqual([]);
      // One was cut while two calls were being written.
      expect(decoded.marked - calls, name).toBeLessThanOrEqual(2);
    }
    expect(rows.reduce((sum, { failures }) => sum + failures, 0)).toBeGreaterThan(0);
  });
});

const lines = (...records: object[]) => records.map((one) => JSON.stringify(one));
let clock = 1_772_631_411.2;
const wire = (type: string, payload: object = {}) => ({ timestamp: clock++, message: { type, payload } });
const call = (id: string, name: string, text: string) =>
  wire('ToolCall', { type: 'function', id, function: { name, arguments: text } });
const result = (id: string, output: string, message: string, failed = false) =>
  wire('ToolResult', { tool_call_id: id, return_value: { is_error: failed, output, message } });
const begin = (text: string) => wire('TurnBegin', { user_input: [{ type: 'text', text }] });
const metadata = { type: 'metadata', protocol_version: '1.3' };

describe('a wire log of Kimi CLI', () => {
  it('joins the arguments of a call, whatever comes between their pieces', () => {
    const { events } = decodeAny(
      kimi,
      lines(
        metadata,
        begin('go'),
        wire('StepBegin', { n: 1 }),
        call('t1', 'Shell', '{"command": "npm test"}'),
        call('t2', 'ReadFile', '{"path": "src'),
        result('t1', 'no', 'Command failed with exit code: 1.', true),
        wire('ToolCallPart', { arguments_part: '/a.ts"}' }),
        result('t2', 'text', '1 lines read'),
        wire('TurnEnd'),
      ),
    );
    expect(types(events)).toEqual([
      'session_info',
      'user',
      'request',
      'tool_call',
      'tool_result',
      'tool_call',
      'tool_result',
      'turn_end',
    ]);
    const [shell, read] = only(events, 'tool_call');
    expect(shell).toMatchObject({ command: 'npm test' });
    expect(read).toMatchObject({ target: 'src/a.ts' });
    // It is placed where it began, not where its last piece came.
    expect(read?.source.line).toBe(5);
    expect(only(events, 'tool_result')).toMatchObject([
      { isError: true, exitCode: 1, output: 'no' },
      { isError: false },
    ]);
  });

  it('accepts arguments that were cut because they are long', () => {
    const cut = `{"path": "a", "content": "${'x'.repeat(400)}\\\u{F8F0}20000:abc\u{F8F1}n end"}`;
    const { events } = decodeAny(kimi, lines(metadata, call('t1', 'WriteFile', cut), wire('TurnEnd')));
    expect(only(events, 'tool_call')[0]).toMatchObject({ target: 'a' });
    expect(only(events, 'tool_call')[0]?.malformed).toBeUndefined();
    const broken = decodeAny(kimi, lines(metadata, call('t1', 'WriteFile', '{"path": "a'), wire('TurnEnd'))).events;
    expect(only(broken, 'tool_call')[0]?.malformed).toBe('the arguments are no JSON record');
  });

  it('waits for permission and for answers, and shows who broke off', () => {
    const { events } = decodeAny(
      kimi,
      lines(
        metadata,
        begin('go'),
        call('t1', 'Shell', '{"command": "rm x"}'),
        wire('ApprovalRequest', { id: 'a', tool_call_id: 't1', description: 'Run command `rm x`' }),
        wire('ApprovalResponse', { request_id: 'a', response: 'approve' }),
        result('t1', '', 'Command executed successfully.'),
        call('t2', 'AskUserQuestion', '{}'),
        wire('QuestionRequest', { id: 'q', tool_call_id: 't2', questions: [{ question: 'Which?' }] }),
        wire('StepInterrupted'),
      ),
    );
    expect(only(events, 'waiting')).toMatchObject([
      { for: 'permission', question: 'Run command `rm x`' },
      { for: 'input', question: 'Which?' },
    ]);
    expect(only(events, 'turn_end')).toMatchObject([{ reason: 'interrupted' }]);
  });

  it('keeps sub-agents apart, each as a session below its parent that ends with its call', () => {
    const inner = (event: object) => wire('SubagentEvent', { task_tool_call_id: 't1', event });
    const { events } = decodeAny(
      kimi,
      lines(
        metadata,
        begin('go'),
        call('t1', 'Task', '{"description": "Look around", "subagent_name": "coder"}'),
        inner({ type: 'TurnBegin', payload: { user_input: 'look' } }),
        inner({ type: 'ToolCall', payload: { id: 'i1', function: { name: 'Shell', arguments: '{"command": "ls"}' } } }),
        inner({ type: 'ToolResult', payload: { tool_call_id: 'i1', return_value: { is_error: false, output: 'a' } } }),
        result('t1', 'seen', ''),
      ),
    );
    expect(events.filter(({ session }) => session === 'session_t1').map(({ type }) => type)).toEqual([
      'session_info',
      'user',
      'tool_call',
      'tool_result',
      'turn_end',
      'session_end',
    ]);
    expect(only(events, 'session_info')[1]).toMatchObject({ parent: 'session', title: 'Look around', role: 'coder' });
  });

  test.prop([damages])('is read however damaged it is', (list) => {
    const run = lines(
      metadata,
      begin('go'),
      call('t1', 'Shell', '{"command": "ls"'),
      wire('ToolCallPart', { arguments_part: '}' }),
      result('t1', 'a', ''),
    );
    decodeAny(kimi, damaged(run, list));
  });
});

const step = (event: object) => ({ type: 'context.append_loop_event', event, time: Math.round(clock++ * 1000) });
const run = [
  { type: 'metadata', protocol_version: '1.4', created_at: 1_785_612_803_281 },
  { type: 'config.update', modelAlias: 'kimi-k2', time: 1_785_612_803_282 },
  {
    type: 'turn.prompt',
    input: [{ type: 'text', text: 'test it' }],
    origin: { kind: 'user' },
    time: 1_785_612_803_283,
  },
  step({ type: 'step.begin', step: 1 }),
  step({
    type: 'tool.call',
    toolCallId: 'Bash_0',
    name: 'Bash',
    args: { command: 'npm test' },
    display: { cwd: '/p' },
  }),
  step({
    type: 'tool.result',
    toolCallId: 'Bash_0',
    result: { output: 'no\nCommand failed with exit code: 1.', isError: true },
  }),
  step({ type: 'step.end', finishReason: 'tool_use', usage: { inputOther: 10, output: 2, inputCacheRead: 5 } }),
  step({ type: 'content.part', part: { type: 'text', text: 'It fails.' } }),
  step({ type: 'step.end', finishReason: 'end_turn' }),
];

describe('a log of Kimi Code', () => {
  it('contains calls with their exit codes, tokens and the end of the turn', () => {
    const { events, problems } = decodeAny(kimiCode, lines(...run));
    expect(problems).toEqual([]);
    expect(types(events)).toEqual([
      'session_info',
      'session_info',
      'user',
      'request',
      'session_info',
      'tool_call',
      'tool_result',
      'usage',
      'assistant',
      'turn_end',
    ]);
    expect(only(events, 'tool_result')[0]).toMatchObject({ isError: true, exitCode: 1 });
    expect(only(events, 'usage')[0]).toMatchObject({ inputTokens: 15, outputTokens: 2 });
  });

  it('shows that its person no longer allows everything', () => {
    const set = (mode: string) => ({ type: 'permission.set_mode', mode, time: 1_785_612_803_283 });
    const { events } = decodeAny(kimiCode, lines(...run, set('manual'), set('yolo'), set('manual')));
    const modes = only(events, 'session_info').flatMap(({ permissionMode }) => permissionMode ?? []);
    expect(modes).toEqual(['nothing', 'escalation']);
  });

  it('is recognised by its version, its agent by its folder', () => {
    const head = lines(...run).join('\n');
    expect([kimi.recognises(head, '/x'), kimiCode.recognises(head, '/x')]).toEqual(['no', 'yes']);
    const folder = '/home/u/.kimi-code/sessions/wd_p/session_1/agents';
    expect(kimiCode.peek(head, `${folder}/main/wire.jsonl`)).toEqual({ session: 'session_1', cwd: '/p' });
    expect(kimiCode.peek(head, `${folder}/agent-0/wire.jsonl`)).toMatchObject({
      session: 'session_1_agent-0',
      parent: 'session_1',
    });
  });

  test.prop([damages])('is read however damaged it is', (list) => {
    decodeAny(kimiCode, damaged(lines(...run), list));
  });
});

/** MD5 of the text `/p`. */
const MD5_OF_P = 'b86493d2ae255a02bb7ea61e7fb77c10';

describe('the folder in which Kimi CLI works', () => {
  it('is known from its list of folders, after which the folder of a session is named', () => {
    const file = '/home/u/.kimi/sessions/5ab6c2d5a1a94e6f7e1ee5b0c3a9ed5c/s1/wire.jsonl';
    const own = `/home/u/.kimi/sessions/${MD5_OF_P}/s1/wire.jsonl`;
    expect(kimi.peek('', file, () => undefined)).toEqual({ session: 's1' });
    const folders = JSON.stringify({ work_dirs: [{ path: '/other' }, { path: '/p' }] });
    const read = (path: string) => (path === '/home/u/.kimi/kimi.json' ? folders : undefined);
    expect(kimi.peek('', own, read)).toEqual({ session: 's1', cwd: '/p' });
    expect(kimi.peek('', file, read)).toEqual({ session: 's1' });
  });
});
