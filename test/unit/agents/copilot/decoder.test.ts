import { createDecoder } from '../../../../src/agents/decoders';
import { describe, expect, it } from 'vitest';
import type { LivenessProbe } from '../../../../src/agents/transcripts';
import { copilot } from '../../../../src/agents/copilot/adapter';
import { todoItems } from '../../../../src/agents/shared/decode/todo-list';
import { readResult } from '../../../../src/agents/copilot/result';
import type { AgentEvent } from '../../../../src/core/model';

const SESSION = '55b52385-06d5-4420-a676-8420ce4f3f9c';
const FILE = `/home/u/.copilot/session-state/${SESSION}/events.jsonl`;

/** @param records each a second later, unless it has its own time */
function decode(
  ...records: readonly (readonly [type: string, data: object, second?: number])[]
): readonly AgentEvent[] {
  const events: AgentEvent[] = [];
  const decoder = createDecoder(copilot, { file: FILE, readSmall: () => undefined });
  if (decoder.unit !== 'line') throw new Error('not a line decoder');
  for (const [index, [type, data, second = index]] of records.entries()) {
    const text = JSON.stringify({ type, data, timestamp: new Date(1e12 + second * 1000).toISOString() });
    decoder.decode(
      { text, line: index + 1, offset: index * 100 },
      {
        event: (event) => void events.push(event),
        problem: (problem) => {
          throw new Error(problem.why);
        },
      },
    );
  }
  return events;
}

const types = (events: readonly AgentEvent[]) =>
  events.filter((event) => event.type !== 'other').map((event) => event.type);
const only = <T extends AgentEvent['type']>(events: readonly AgentEvent[], type: T) =>
  events.filter((event): event is Extract<AgentEvent, { type: T }> => event.type === type);
const user = (content: string) => ['user.message', { content }] as const;
const round = ['assistant.turn_start', { turnId: '0' }] as const;
const roundEnd = ['assistant.turn_end', { turnId: '0' }] as const;
const message = (content: string, ...ids: string[]) =>
  [
    'assistant.message',
    {
      messageId: 'm1',
      content,
      toolRequests: ids.map((toolCallId) => ({ toolCallId, name: 'bash', arguments: { command: 'ls' } })),
    },
  ] as const;
const start = (toolCallId: string, more: object = {}) =>
  ['tool.execution_start', { toolCallId, toolName: 'bash', arguments: { command: 'ls' }, ...more }] as const;
const complete = (toolCallId: string, more: object = {}) =>
  ['tool.execution_complete', { toolCallId, success: true, result: { content: 'a' }, ...more }] as const;

describe('turns', () => {
  it('end with the round whose message requests no tool, not with each round', () => {
    const events = decode(
      user('go'),
      round,
      message('', 'c1'),
      start('c1'),
      complete('c1'),
      roundEnd,
      round,
      message('Done.'),
      roundEnd,
    );
    expect(types(events)).toEqual(['user', 'request', 'tool_call', 'tool_result', 'request', 'assistant', 'turn_end']);
  });

  it('end even if the last message is outside a round', () => {
    expect(
      types(decode(user('go'), round, message('', 'c1'), start('c1'), complete('c1'), roundEnd, message('Done.'))).at(
        -1,
      ),
    ).toBe('turn_end');
  });

  it('are interrupted by an abort, and the session ends with the turn in that state', () => {
    expect(only(decode(user('go'), round, ['abort', { reason: 'user' }]), 'turn_end')[0]?.reason).toBe('interrupted');
    const ends = (...records: (readonly [string, object])[]) =>
      only(decode(...records, ['session.shutdown', {}]), 'session_end')[0]?.reason;
    expect(ends(user('go'), round, message('Done.'), roundEnd)).toBe('clean');
    expect(ends(user('go'), round)).toBe('interrupted');
    expect(only(decode(['session.shutdown', { shutdownType: 'error' }]), 'session_end')[0]?.reason).toBe('error');
  });

  it('wait for a permission until it is given', () => {
    const events = decode(
      user('go'),
      round,
      ['permission.requested', { permissionRequest: { intention: 'Run npm i' } }],
      ['permission.completed', {}],
    );
    expect(types(events).slice(-2)).toEqual(['waiting', 'request']);
    expect(only(events, 'waiting')[0]).toMatchObject({ for: 'permission', question: 'Run npm i' });
  });
});

describe('calls', () => {
  it('are known from the message if no start was written, and batched by it', () => {
    const events = decode(message('', 'c1', 'c2'), complete('c1'), start('c2'), complete('c2'));
    expect(only(events, 'tool_call').map((call) => [call.id, call.batch, call.command])).toEqual([
      ['c1', 'm1', 'ls'],
      ['c2', 'm1', 'ls'],
    ]);
    expect(only(events, 'tool_result')).toHaveLength(2);
  });

  it('are answered once, even by a result that came first', () => {
    const events = decode(complete('c1'), start('c1'), complete('c1'), [...start('c1'), 1]);
    expect(types(events)).toEqual(['tool_call', 'tool_result']);
    expect(only(events, 'tool_result')[0]?.source.line).toBe(1);
  });

  it('fail by their exit code, although the record reports success', () => {
    const { result } = readResult({
      success: true,
      shellExecution: { exitCode: 1 },
      result: { content: 'not ok\n<shellId: 7 completed with exit code 1>' },
    });
    expect(result).toMatchObject({ isError: true, exitCode: 1, output: 'not ok' });
  });

  it('distinguish a malformed call from a tool that failed', () => {
    const failed = (message: string, more: object = {}) =>
      readResult({ success: false, error: { message, code: 'failure' }, ...more }).result;
    expect(failed("Tool 'find_it' does not exist.").validation).toMatchObject({
      kind: 'unknown_tool',
      received: 'find_it',
    });
    expect(
      failed('Unterminated string in JSON', { toolTelemetry: { properties: { wasSyntaxError: 'true' } } }).validation
        ?.kind,
    ).toBe('unparsable');
    expect(failed('"command": Required').validation).toMatchObject({ kind: 'invalid_arguments', expected: 'command' });
    expect(failed('Path does not exist').validation).toBeUndefined();
    expect(failed('Path does not exist').isError).toBe(true);
    expect(failed('The user rejected this tool call.').denied).toBe('user');
    expect(failed('Denied by preToolUse hook: no').denied).toBe('hook');
    const coded = (code: string) => readResult({ success: false, error: { message: 'It was not run.', code } }).result;
    expect([coded('rejected').denied, coded('denied').denied, coded('failure').denied]).toEqual([
      'user',
      'policy',
      undefined,
    ]);
  });

  it('do not show what a hook added to the result, and our message is found in it', () => {
    const id = '01JD0000000000000000000000';
    const content = `a\n\nTool "bash" succeeded. Additional guidance from postToolUse hooks:\nLook again. [unstuck ${id}]`;
    const events = decode(start('c1'), complete('c1', { result: { content } }));
    expect(only(events, 'tool_result')[0]?.output).toBe('a');
    expect(only(events, 'message_taken')[0]?.message).toBe(id);
  });

  it('know where a large output was saved', () => {
    const content = 'Output is too large to read at once (1.5 MB). Saved to: /tmp/1-copilot.txt\nConsider grep.';
    expect(readResult({ success: true, result: { content } }).result).toMatchObject({
      size: 1_572_864,
      spilledTo: '/tmp/1-copilot.txt',
    });
  });
});

describe('the rest of a session', () => {
  it('counts each request once, and sub-agents not into the window', () => {
    const record = (interactionType: string) =>
      [
        'session.usage_record',
        { usage: { inputTokens: 90, outputTokens: 10, maxPromptTokens: 1000, interactionType } },
      ] as const;
    const events = decode(
      ['assistant.message', { content: 'a', toolRequests: [], outputTokens: 5 }],
      record('conversation-agent'),
      ['assistant.message', { content: 'b', toolRequests: [], outputTokens: 10 }],
      record('conversation-subagent'),
    );
    expect(only(events, 'usage').map((one) => [one.contextTokens, one.inputTokens, one.outputTokens])).toEqual([
      [undefined, undefined, 5],
      [100, 90, 10],
      [undefined, 90, 10],
    ]);
  });

  it('treats a sub-agent as a separate session', () => {
    const child = `${SESSION}_t1`;
    const events = decode(
      ['subagent.started', { toolCallId: 't1', agentDisplayName: 'Explore' }],
      start('c1', { parentToolCallId: 't1' }),
      complete('c1', { parentToolCallId: 't1' }),
      ['subagent.completed', { toolCallId: 't1' }],
    );
    expect(events.map((event) => [event.type, event.session])).toEqual([
      ['session_info', child],
      ['tool_call', child],
      ['tool_result', child],
      ['session_end', child],
    ]);
    expect(events[0]).toMatchObject({ parent: SESSION, role: 'Explore' });
  });

  it('shows a compaction that happened', () => {
    const events = decode(
      ['session.compaction_complete', { success: true, preCompactionTokens: 900, summaryContent: 's' }],
      ['session.compaction_complete', { success: false }],
      ['session.truncation', { tokensRemovedDuringTruncation: 0 }],
    );
    expect(only(events, 'compaction')).toMatchObject([{ trigger: 'auto', tokensBefore: 900, summary: 's' }]);
  });

  it('reads a plan in Markdown', () => {
    expect(
      todoItems({ todos: '# Plan\n- [x] Read\n- [ ] Fix\n  * [~] Test' })?.map((item) => [item.title, item.status]),
    ).toEqual([
      ['Read', 'completed'],
      ['Fix', 'pending'],
      ['Test', 'in_progress'],
    ]);
    expect(todoItems({ todos: 'nothing' })).toBeNull();
  });
});

describe('where sessions are, and whether they live', () => {
  const linux = { home: '/home/u', env: {}, platform: 'linux' as const };
  const probe = (
    folders: Record<string, readonly string[]>,
    alive: readonly number[],
    commands: Record<string, string> = {},
  ): LivenessProbe => ({
    list: (folder) => folders[folder] ?? [],
    read: (path) => commands[path],
    processStart: (pid) => (alive.includes(pid) ? '1' : null),
  });
  const root = '/home/u/.copilot/session-state';

  it('covers both layouts', () => {
    const [found] = copilot.locate(linux);
    expect(found?.path).toBe(root);
    expect(found?.matches(`${SESSION}/events.jsonl`)).toBe(true);
    expect(found?.matches(`${SESSION}/checkpoints/index.md`)).toBe(false);
    expect(copilot.peek('', FILE)).toEqual({ session: SESSION });
  });

  it('depends on the process that the lock names', () => {
    const folders = {
      [root]: ['s1', 's2', 's3'],
      [`${root}/s1`]: ['inuse.7.lock'],
      [`${root}/s2`]: ['inuse.8.lock'],
      [`${root}/s3`]: ['events.jsonl'],
    };
    const live = copilot.liveness?.(linux, probe(folders, [7]));
    expect([...(live ?? [])]).toEqual([
      ['s1', { alive: true, pid: 7 }],
      ['s2', { alive: false, pid: 8 }],
    ]);
    const reused = copilot.liveness?.(linux, probe(folders, [7], { '/proc/7/cmdline': 'vim\0a' }));
    expect(reused?.get('s1')).toEqual({ alive: false, pid: 7 });
  });

  it('covers a session that was killed and reopened, and is alive next to the lock left by the kill', () => {
    const opened = (...locks: readonly string[]) =>
      copilot.liveness?.(linux, probe({ [root]: ['s1'], [`${root}/s1`]: locks }, [9]))?.get('s1');
    expect(opened('inuse.7.lock', 'inuse.9.lock')).toEqual({ alive: true, pid: 9 });
    expect(opened('inuse.9.lock', 'inuse.7.lock')).toEqual({ alive: true, pid: 9 });
  });

  it('is checked in turn in a store of thousands, and a live one is never lost', () => {
    const names = Array.from({ length: 1000 }, (_, index) => `s${index}`);
    const folders: Record<string, readonly string[]> = { [root]: names, [`${root}/s950`]: ['inuse.7.lock'] };
    let listed = 0;
    const counting = { ...probe(folders, [7]), list: (folder: string) => (listed++, folders[folder] ?? []) };
    let seen = 0;
    for (let turn = 0; turn < 20; turn++) {
      listed = 0;
      const found = copilot.liveness?.(linux, counting)?.get('s950');
      expect(listed).toBeLessThanOrEqual(101);
      if (found) seen++;
      else expect(seen).toBe(0);
    }
    expect(seen).toBeGreaterThan(5);
  });
});

it('a session that VS Code runs in a separate process is recognised by its name', () => {
  const start = { sessionId: SESSION, copilotVersion: '1.0.102', context: { cwd: '/work' } };
  const named = (data: object) => only(decode(['session.start', data]), 'session_info')[0]?.agentName;
  expect(named({ ...start, clientName: 'vscode-agent-host' })).toBe('Copilot in VS Code');
  expect(named({ ...start, clientName: 'somebody-else' })).toBeUndefined();
});

describe('the end of a turn', () => {
  const fails = ['session.error', { errorType: 'query', statusCode: 529, message: 'Failed, retried 5 times' }] as const;

  it('is the error after which it does not retry, and a round that follows continues', () => {
    const events = decode(user('Go'), round, roundEnd, fails);
    expect(types(events)).toEqual(['user', 'request', 'error', 'turn_end']);
    expect(only(events, 'turn_end')[0]?.reason).toBe('error');
    expect(types(decode(user('Go'), round, fails, round)).slice(-2)).toEqual(['turn_start', 'request']);
  });

  it('is the end of the round in which the autopilot says that it is done', () => {
    const done = (success: boolean) => ['session.task_complete', { summary: 'All done', success }] as const;
    expect(types(decode(user('Go'), round, message('', 'c1'), done(true), roundEnd))).toContain('turn_end');
    expect(types(decode(user('Go'), round, message('', 'c1'), done(false), roundEnd))).not.toContain('turn_end');
  });
});
