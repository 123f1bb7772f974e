import { describe, expect, it } from 'vitest';
import type { ToolResultEvent } from '../../../../src/core/model';
import { cutMark } from '../../../../src/base/util/cut';
import { call, decode, envelope, result } from './support';

function resultOf(
  content: unknown,
  block: object = {},
  more: object = {},
  name = 'Bash',
  input: unknown = { command: 'x' },
): ToolResultEvent {
  const told = decode([call('toolu_1', name, input), result('toolu_1', content, { ...block }, { ...more })]);
  expect(told.problems).toEqual([]);
  const [event] = told.of('tool_result');
  if (!event) throw new Error('no result was told');
  return event;
}

const REJECTED =
  "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit …";

describe('results of calls, in all forms that Claude Code writes', () => {
  it('include a command that worked', () => {
    const event = resultOf(
      'ok',
      { is_error: false },
      { toolUseResult: { stdout: 'ok', stderr: '', interrupted: false } },
    );
    expect(event).toMatchObject({ output: 'ok', isError: false });
    expect(event).not.toHaveProperty('exitCode');
  });

  it('show a refusal of the harness without the frame around it, which itself says that it failed', () => {
    const framed = (text: string) => resultOf(`<tool_use_error>${text}`);
    expect(framed('String to replace not found in file.\nString: a</tool_use_error>')).toMatchObject({
      output: 'String to replace not found in file.\nString: a',
      isError: true,
    });
    expect(framed('String to replace was cut')).toMatchObject({ output: 'String to replace was cut', isError: true });
    expect(resultOf('the tag <tool_use_error> in a file')).toMatchObject({ isError: false });
  });

  it('carry the exit code of a command that failed', () => {
    expect(resultOf('Exit code 2\nboom', { is_error: true })).toMatchObject({
      isError: true,
      exitCode: 2,
      output: 'Exit code 2\nboom',
    });
    expect(resultOf('Exit code 137', { is_error: true })).toMatchObject({ exitCode: 137 });
  });

  it('do not show a read without an error flag as a failure', () => {
    expect(resultOf('1\tdef add', {}, {}, 'Read', { file_path: '/a.py' }).isError).toBe(false);
  });

  it('show an unknown tool as a malformed call', () => {
    const { validation, isError } = resultOf(
      '<tool_use_error>Error: No such tool available: RunTests</tool_use_error>',
      { is_error: true },
    );
    expect(isError).toBe(true);
    expect(validation).toEqual({
      kind: 'unknown_tool',
      expected: 'the name of an available tool',
      received: 'RunTests',
      error: 'Error: No such tool available: RunTests',
    });
  });

  it('say what was expected and what came for wrong arguments', () => {
    const text =
      '<tool_use_error>InputValidationError: Bash failed due to the following issues:\nThe required parameter `command` is missing\nAn unexpected parameter `cmd` was provided\nThe parameter `timeout` type is expected as `number` but provided as `string`</tool_use_error>';
    expect(resultOf(text, { is_error: true }).validation).toMatchObject({
      kind: 'invalid_arguments',
      expected: 'command, timeout: number',
      received: 'cmd, timeout: string',
    });
  });

  it('show arguments that are no JSON as a malformed call, and the result says so', () => {
    const told = decode([
      call('toolu_1', 'Bash', { __unparsedToolInput: { raw: '{"command": "ls', len: 15 } }),
      result(
        'toolu_1',
        '<tool_use_error>InputValidationError: Bash was called with input that could not be parsed as JSON.\nYou sent (first 15 of 15 bytes): {"command": "ls\nCommon causes: …</tool_use_error>',
        { is_error: true },
      ),
    ]);
    expect(told.of('tool_call')[0]).toMatchObject({
      args: '{"command": "ls',
      malformed: 'the arguments are not valid JSON',
    });
    expect(told.of('tool_result')[0]?.validation).toMatchObject({ kind: 'unparsable', received: '{"command": "ls' });
  });

  it('show an edit whose text is not in the file as run and failed, not as malformed', () => {
    const event = resultOf('<tool_use_error>String to replace not found in file.\nString: x</tool_use_error>', {
      is_error: true,
    });
    expect(event).toMatchObject({ isError: true });
    expect(event).not.toHaveProperty('validation');
  });

  it('say how large an output was that was too large, and where it is', () => {
    const event = resultOf(
      '<persisted-output>\nOutput too large (878.9KB). Full output saved to: /home/dev/.claude/projects/p/s/tool-results/b.txt\n\nPreview (first 2KB):\nxxx',
      { is_error: false },
      {
        toolUseResult: {
          stdout: 'x'.repeat(30_000),
          persistedOutputPath: '/home/dev/.claude/projects/p/s/tool-results/b.txt',
          persistedOutputSize: 900_001,
        },
      },
    );
    expect(event).toMatchObject({
      size: 900_001,
      spilledTo: '/home/dev/.claude/projects/p/s/tool-results/b.txt',
      isError: false,
    });
    const told = resultOf('<persisted-output>\nOutput too large (1.5MB). Full output saved to: /tmp/b.txt\n\nPreview');
    expect(told).toMatchObject({ size: 1_572_864, spilledTo: '/tmp/b.txt' });
  });

  it('keep the full length of an output that was cut before it was parsed', () => {
    expect(resultOf(`${'a'.repeat(1000)}${cutMark(5_000_000, 'abc')}${'b'.repeat(500)}`).size).toBe(5_001_500);
    expect(resultOf('a'.repeat(3000))).not.toHaveProperty('size');
  });

  it.each([
    [
      'a hook',
      'PreToolUse:Bash hook error: stop repeating',
      { toolDenialKind: 'permission-rule', permissionDecision: { source: 'hook' } },
      'hook',
    ],
    ['a hook, older form', 'PreToolUse:Bash hook error: stop repeating', {}, 'hook'],
    [
      'a rule',
      'Permission to use Bash has been denied.',
      { toolDenialKind: 'permission-rule', permissionDecision: { source: 'config' } },
      'policy',
    ],
    [
      'nobody, in print mode',
      'This command requires approval',
      { toolDenialKind: 'user-rejected', permissionDecision: { source: 'config' } },
      'policy',
    ],
    ['the person', REJECTED, { toolDenialKind: 'user-rejected', toolDenialBeforeRun: true }, 'user'],
    ['the person, older form', REJECTED, {}, 'user'],
    ['the person, oldest form', 'Permission prompt was aborted.', {}, 'user'],
  ])('are refused by %s', (_who, text, more, denied) => {
    const event = resultOf(text, { is_error: true }, more);
    expect(event).toMatchObject({ isError: true, denied });
    expect(event).not.toHaveProperty('interrupted');
  });

  it('do not show a tool that was stopped while it ran as refused', () => {
    const stopped = resultOf(REJECTED, { is_error: true }, { toolDenialKind: 'user-rejected' });
    expect(stopped).toMatchObject({ interrupted: true });
    expect(stopped).not.toHaveProperty('denied');
    const killed = resultOf('[Tool call interrupted: the session ended before this call’s result was recorded', {
      is_error: true,
    });
    expect(killed).toMatchObject({ interrupted: true, isError: true });
    expect(
      resultOf('partial', { is_error: false }, { toolUseResult: { stdout: 'partial', interrupted: true } }).interrupted,
    ).toBe(true);
  });

  it('show a background process or agent as still running', () => {
    expect(
      resultOf('Command running in background', {}, { toolUseResult: { stdout: '', backgroundTaskId: 'b1' } }).running,
    ).toBe(true);
    expect(
      resultOf('launched', {}, { toolUseResult: { status: 'async_launched' } }, 'Agent', { prompt: 'p' }).running,
    ).toBe(true);
  });

  it.each(['agentId', 'taskId'])('name what was launched as the notice of its end does: %s', (name) => {
    const launched = { toolUseResult: { status: 'async_launched', [name]: 'w8mi56013' } };
    expect(resultOf('launched', {}, launched, 'Workflow', { script: '' }).jobs).toEqual([
      { key: 'w8mi56013', wakes: true },
    ]);
  });

  it('say how long the call took, if the record does', () => {
    expect(resultOf('x', {}, { toolUseResult: { durationMs: 12.4 } }).durationMs).toBe(12);
    expect(resultOf('x', {}, { toolUseResult: { durationSeconds: 1.5 } }).durationMs).toBe(1500);
    expect(resultOf('x', {}, { toolUseResult: { totalDurationMs: 99 } }).durationMs).toBe(99);
  });
});

describe('calls and results that are not in order', () => {
  it('are of another batch where the service gave two answers one id, and the tokens of both count', () => {
    const usage = { input_tokens: 100, output_tokens: 5 };
    const told = decode(
      ['req_1', 'req_2'].flatMap((requestId) => [
        call(`${requestId}_a`, 'Read', { file_path: 'a' }, { requestId }, { id: 'msg_p', usage }),
        call(`${requestId}_b`, 'Read', { file_path: 'b' }, { requestId }, { id: 'msg_p', usage }),
        result(`${requestId}_a`, 'text of a'),
        result(`${requestId}_b`, 'text of b'),
      ]),
    );
    const [first, ...others] = told.of('tool_call').map(({ batch }) => batch);
    expect(others.map((batch) => batch === first)).toEqual([true, false, false]);
    expect(others[1]).toBe(others[2]);
    expect(told.of('usage').map(({ outputTokens }) => outputTokens)).toEqual([5, 5]);
  });

  it('share a batch if they are parallel, and a result may come between them', () => {
    const told = decode([
      call('a', 'Bash', { command: 'one' }, {}, { id: 'msg_p' }),
      result('a', '1'),
      call('b', 'Bash', { command: 'two' }, {}, { id: 'msg_p' }),
      result('b', '2'),
    ]);
    expect(told.story).toEqual(['tool_call', 'tool_result', 'tool_call', 'tool_result']);
    expect(told.of('tool_call').map((event) => event.batch)).toEqual(['msg_p', 'msg_p']);
  });

  it('may have a result before its call, which waits for it', () => {
    const told = decode([result('late', 'done'), call('late', 'Bash', { command: 'x' })]);
    expect(told.story).toEqual(['tool_call', 'tool_result']);
    expect(told.of('tool_result')[0]?.source.line).toBe(1);
    expect(told.problems).toEqual([]);
  });

  it('include a result whose call never comes: it is reported in the end, and costs no memory', () => {
    const told = decode(Array.from({ length: 25 }, (_, index) => result(`lost${index}`, 'x')));
    expect(told.problems.map((problem) => problem.line)).toEqual([21, 22, 23, 24, 25]);
    expect(told.problems[0]?.why).toBe('result of a call that the file does not have');
  });

  it('have no second step for a second result of the same call (two processes write one file)', () => {
    const told = decode([
      call('a', 'Bash', { command: 'x' }),
      result('a', '[Tool call interrupted: …', { is_error: true }),
      result('a', '1'),
    ]);
    expect(told.story).toEqual(['tool_call', 'tool_result', 'other']);
  });

  it('count once if a call or a line is written twice', () => {
    const again = call('a', 'Bash', { command: 'x' });
    expect(decode([again, again, call('a', 'Bash', { command: 'x' })]).story).toEqual(['tool_call', 'other', 'other']);
  });

  it('are paired in order if the calls have no ids', () => {
    const told = decode([
      envelope({
        type: 'assistant',
        message: { content: [{ type: 'tool_use', name: 'bash', input: { command: 'ls' } }] },
      }),
      envelope({ type: 'user', message: { content: [{ type: 'tool_result', content: 'a' }] } }),
    ]);
    const [made] = told.of('tool_call');
    expect(told.of('tool_result')[0]?.id).toBe(made?.id);
  });
});
