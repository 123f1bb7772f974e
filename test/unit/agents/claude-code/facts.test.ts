import { describe, expect, it } from 'vitest';
import { claudeCode } from '../../../../src/agents/claude-code/adapter';
import {
  answer,
  attachment,
  call,
  decode,
  envelope,
  prompt,
  request,
  result,
  say,
  SESSION,
  system,
  uuid,
} from './support';

const PARENT = '11111111-0000-4000-8000-0000000000bb';

describe('tokens', () => {
  const usage = (input: number, read: number, created: number, output: number) => ({
    usage: {
      input_tokens: input,
      cache_read_input_tokens: read,
      cache_creation_input_tokens: created,
      output_tokens: output,
    },
  });

  it('are counted once for an answer of several lines', () => {
    const counts = usage(3, 1000, 200, 50);
    const told = decode([
      answer([{ type: 'text', text: 'a' }], {}, { id: 'm1', ...counts }),
      call('t', 'Bash', { command: 'x' }, {}, { id: 'm1', ...counts }),
    ]);
    expect(told.of('usage')).toMatchObject([
      { contextTokens: 1203, inputTokens: 1203, outputTokens: 50, contextWindow: 200_000 },
    ]);
  });

  it('that a later line completes are reported as the difference', () => {
    const told = decode([
      answer([{ type: 'text', text: 'a' }], {}, { id: 'm1', ...usage(3, 1000, 0, 1) }),
      call('t', 'Bash', { command: 'x' }, {}, { id: 'm1', ...usage(3, 1000, 0, 282) }),
    ]);
    expect(told.of('usage').map((event) => event.outputTokens)).toEqual([1, 281]);
    expect(told.of('usage').reduce((sum, event) => sum + (event.inputTokens ?? 0), 0)).toBe(1003);
  });

  it('that a gateway first writes as zeros are counted when they arrive', () => {
    const told = decode([
      answer([{ type: 'text', text: 'a' }], {}, { id: 'm1', ...usage(0, 0, 0, 0) }),
      call('t', 'Bash', { command: 'x' }, {}, { id: 'm1', ...usage(900, 0, 0, 234) }),
    ]);
    expect(told.of('usage')).toMatchObject([{ contextTokens: 900, outputTokens: 234 }]);
  });

  it('show how large the window is', () => {
    const windowAfter = (...rows: Parameters<typeof decode>[0]) => decode(rows).of('usage').at(-1)?.contextWindow;
    const full = (tokens: number, model: string) => say('x', { model, ...usage(tokens, 0, 0, 1) });
    expect(windowAfter(full(150_000, 'claude-opus-5-5'))).toBe(200_000);
    expect(windowAfter(full(190_000, 'claude-opus-4-1'))).toBe(200_000);
    expect(windowAfter(full(190_000, 'claude-opus-5-5'))).toBe(1_000_000);
    expect(windowAfter(full(210_000, 'claude-opus-4-1'))).toBe(1_000_000);
    expect(windowAfter(full(1000, 'claude-sonnet-4-5[1m]'))).toBe(1_000_000);
    const compacted = system('compact_boundary', { compactMetadata: { trigger: 'auto', preTokens: 168_242 } });
    expect(windowAfter(compacted, full(190_000, 'claude-opus-5-5'))).toBe(200_000);
  });
});

describe('compactions', () => {
  const boundary = system('compact_boundary', {
    compactMetadata: { trigger: 'auto', preTokens: 168_242, postTokens: 2642 },
  });
  const summary = prompt('This session is being continued …', {
    isCompactSummary: true,
    isVisibleInTranscriptOnly: true,
  });

  it("are one event with the summary that follows, and the summary is not taken for the person's words", () => {
    const told = decode([prompt('x'), boundary, attachment('environment'), summary, request()]);
    expect(told.story).toEqual(['user', 'compaction', 'request']);
    expect(told.of('compaction')[0]).toMatchObject({
      trigger: 'auto',
      tokensBefore: 168_242,
      tokensAfter: 2642,
      summary: 'This session is being continued …',
    });
    expect(told.of('compaction')[0]?.source.line).toBe(2);
  });

  it('are reported even if the summary or the boundary is missing', () => {
    expect(decode([boundary, request()]).story).toEqual(['compaction', 'request']);
    expect(decode([summary]).of('compaction')[0]?.summary).toBe('This session is being continued …');
  });
});

describe('errors of the API', () => {
  it('that are retried carry the time until the next try', () => {
    const told = decode([
      system('api_error', { error: { status: 529, formatted: '529 Overloaded' }, retryInMs: 608.3 }),
      system('api_error', {
        error: { formatted: 'Connection dropped (ETIMEDOUT)', connection: { code: 'ETIMEDOUT' } },
        retryInMs: 1,
      }),
      system('api_error', { error: { status: 500, formatted: '500 Internal server error' } }),
    ]);
    expect(told.of('error')).toMatchObject([
      { kind: 'rate_limit', message: '529 Overloaded', retryInMs: 608 },
      { kind: 'timeout' },
      { kind: 'api' },
    ]);
  });

  it('that are final end the turn', () => {
    const failed = answer(
      [{ type: 'text', text: 'Prompt is too long' }],
      { isApiErrorMessage: true, apiErrorStatus: 400, error: 'invalid_request' },
      { model: '<synthetic>' },
    );
    const told = decode([prompt('x'), failed]);
    expect(told.story).toEqual(['user', 'error', 'turn_end']);
    expect(told.of('turn_end')[0]?.reason).toBe('error');
  });

  it('are not reported for the filler of a resumed session', () => {
    expect(
      decode([say('No response requested.', { model: '<synthetic>', stop_reason: 'stop_sequence' })]).story,
    ).toEqual(['other']);
  });

  it('include an answer that was cut off, which is malformed', () => {
    const told = decode([answer([{ type: 'text', text: 'and then' }], {}, { stop_reason: 'max_tokens' })]);
    expect(told.of('error')[0]).toMatchObject({ kind: 'validation' });
  });
});

describe('plans', () => {
  it('that are replaced as a whole: an item keeps its id when the list is reordered', () => {
    const todos = (...items: [string, string][]) => ({
      todos: items.map(([content, status]) => ({ content, status, activeForm: content })),
    });
    const told = decode([
      call('a', 'TodoWrite', todos(['Fix', 'completed'], ['Test', 'pending'])),
      result('a', 'Todos have been modified'),
      call('b', 'TodoWrite', todos(['Plan', 'pending'], ['Fix', 'completed'], ['Test', 'pending'])),
      result('b', 'Todos have been modified'),
    ]);
    expect(told.of('plan').map((event) => event.items.map((item) => item.id))).toEqual([
      ['Fix', 'Test'],
      ['Plan', 'Fix', 'Test'],
    ]);
  });

  it('that are built by single calls, with what blocks what', () => {
    const task = (id: string, subject: string) => ({ toolUseResult: { task: { id, subject } } });
    const told = decode([
      call('a', 'TaskCreate', { subject: 'Fix' }),
      result('a', 'Task #1 created', {}, task('1', 'Fix')),
      call('b', 'TaskCreate', { subject: 'Commit' }),
      result('b', 'Task #2 created', {}, task('2', 'Commit')),
      call('c', 'TaskUpdate', { taskId: '2', addBlockedBy: ['1'] }),
      result('c', 'Updated'),
      call('d', 'TaskUpdate', { taskId: '1', status: 'completed' }),
      result('d', 'Updated'),
      call('e', 'TaskUpdate', { taskId: '9', status: 'completed' }),
      result('e', 'No such task', { is_error: true }),
    ]);
    expect(told.of('plan')).toHaveLength(4);
    expect(told.of('plan').at(-1)?.items).toEqual([
      { id: '1', title: 'Fix', status: 'completed' },
      { id: '2', title: 'Commit', status: 'pending', blockedBy: ['1'] },
    ]);
  });

  it('of an earlier run are restored by the reminder', () => {
    const told = decode([
      attachment('task_reminder', { content: [{ id: '1', subject: 'Fix', status: 'in_progress' }], itemCount: 1 }),
    ]);
    expect(told.of('plan')[0]?.items).toEqual([{ id: '1', title: 'Fix', status: 'in_progress' }]);
  });
});

describe('sessions in one file', () => {
  it('are named after the file if a line does not name one', () => {
    const told = decode([prompt('Fix it', { sessionId: '' }), say('Done.')], '/home/dev/copied.jsonl');
    expect(new Set(told.events.map(({ session }) => session))).toEqual(new Set(['copied']));
  });

  it('that are forks do not repeat the steps of the session that they come from', () => {
    const origin = { requestSessionId: PARENT };
    const rows = [
      { type: 'queue-operation', operation: 'enqueue', sessionId: SESSION, timestamp: '2026-11-20T13:00:00.000Z' },
      prompt('Run the build', { timestamp: '2026-11-20T12:00:00.000Z' }),
      call('a', 'Bash', { command: 'make' }, { ...origin, timestamp: '2026-11-20T12:00:01.000Z' }),
      result('a', 'Exit code 2', { is_error: true }, { timestamp: '2026-11-20T12:00:02.000Z' }),
      prompt('Try another way', { timestamp: '2026-11-20T13:00:01.000Z' }),
      call('b', 'Bash', { command: 'make -n' }, { timestamp: '2026-11-20T13:00:02.000Z' }),
    ];
    const told = decode(rows);
    expect(told.story).toEqual(['other', 'other', 'other', 'user', 'tool_call']);
    expect(told.of('session_info')).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ title: 'Run the build' }),
        expect.objectContaining({ forkedFrom: PARENT }),
      ]),
    );
    expect(Math.min(...told.events.map((event) => event.at))).toBe(Date.UTC(2026, 10, 20, 13));
    const text = JSON.stringify(rows[2]);
    expect(claudeCode.createOwnCalls?.()(text, 1)).toBe(0);
    expect(claudeCode.createOwnCalls?.()(JSON.stringify(rows[5]), 1)).toBe(1);
  });

  it("for sub-agents are separate from their parent's, between whose lines they are written", () => {
    const [first, second] = [uuid(), uuid()];
    const side = (parentUuid: string | null, id: string) => ({ isSidechain: true, parentUuid, uuid: id });
    const told = decode([
      call('t', 'Task', { description: 'Look around', prompt: 'Look for the bug', subagent_type: 'Explore' }),
      prompt('Look for the bug', side(null, first)),
      call('s', 'Grep', { pattern: 'x' }, side(first, second)),
      result('s', 'nothing', {}, side(second, uuid())),
      result('t', 'Found nothing'),
    ]);
    const sub = `${SESSION}-side1`;
    expect(told.events.filter((event) => event.session === sub).map((event) => event.type)).toEqual([
      'session_info',
      'session_info',
      'user',
      'session_info',
      'tool_call',
      'tool_result',
      'turn_end',
      'session_end',
    ]);
    expect(told.of('session_info').filter((event) => event.session === sub)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ parent: SESSION }),
        expect.objectContaining({ title: 'Look around', role: 'Explore' }),
      ]),
    );
    expect(told.of('user')[0]?.automated).toBe(true);
  });

  it('for a sub-agent in a file of its own know its parent, its title and its role', () => {
    const file = `/home/dev/.claude/projects/p/${SESSION}/subagents/agent-acdd.jsonl`;
    const rows = [prompt('SUBTASK', { isSidechain: true, agentId: 'acdd' }), say('Nothing found.')].map((row) => ({
      ...row,
      isSidechain: true,
    }));
    const told = decode(rows, file, (path) =>
      path.endsWith('agent-acdd.meta.json') ? '{"agentType":"Explore","description":"Search two"}' : undefined,
    );
    expect(new Set(told.events.map((event) => event.session))).toEqual(new Set(['agent-acdd']));
    expect(told.of('session_info')).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ parent: SESSION }),
        expect.objectContaining({ title: 'Search two', role: 'Explore' }),
      ]),
    );
    expect(told.story).toEqual(['user', 'assistant', 'turn_end', 'session_end']);
    expect(decode(rows, file, () => '{broken').of('session_info')).toEqual(
      expect.arrayContaining([expect.objectContaining({ title: 'SUBTASK' })]),
    );
  });

  it('keep the first working directory, wherever the agent changes to', () => {
    const told = decode([
      prompt('x'),
      prompt('y', { cwd: '/home/dev/project/src' }),
      prompt('z', { gitBranch: 'fix' }),
    ]);
    expect(told.of('session_info').map(({ cwd, branch }) => ({ cwd, branch }))).toEqual([
      { cwd: '/home/dev/project', branch: 'main' },
      { cwd: undefined, branch: 'fix' },
    ]);
  });
});

describe('lines without information', () => {
  it('are recognised by their head, and not parsed', () => {
    const skipped = [
      '{"type":"api-request-blob","broken',
      '{"type":"last-prompt","broken',
      '{"parentUuid":null,"isSidechain":false,"attachment":{"type":"prompt_snapshot","broken',
    ];
    expect(decode([...skipped, '', '   '])).toMatchObject({ events: [], problems: [] });
  });

  it('do not include a line that talks about such a line, which is still read', () => {
    const told = decode([prompt('"attachment":{"type":"prompt_snapshot"'), prompt('{"type":"api-request-blob"')]);
    expect(told.of('user')).toHaveLength(2);
  });

  it('that cannot be understood are reported with their position', () => {
    const told = decode([
      prompt('x'),
      '{"type":"user","mess',
      '[1]',
      { type: 'brand-new-thing' },
      { noType: 1 },
      { type: 'user', sessionId: SESSION },
      system('brand_new_subtype'),
    ]);
    expect(told.problems.map(({ line, why }) => [line, why])).toEqual([
      [2, 'not valid JSON'],
      [3, 'not a JSON object'],
      [4, 'unknown type "brand-new-thing"'],
      [5, 'no type'],
      [6, 'user line without a message'],
      [7, 'unknown subtype "brand_new_subtype"'],
    ]);
    expect(told.problems[0]?.offset).toBeGreaterThan(100);
  });
});

describe('lines of 2.1.332', () => {
  it('that keep books are understood, and say nothing about what the agent does', () => {
    const books = ['data-flow-records', 'host-row', 'isolation-latch', 'session-owner', 'derived-from', 'repl-mode'];
    const told = decode([
      ...books.map((type) => ({ type, sessionId: SESSION, records: [] })),
      prompt('x'),
      system('away_summary'),
      system('agents_killed'),
    ]);
    expect(told.problems).toEqual([]);
    expect(told.of('user')).toHaveLength(1);
  });

  it('show a refused request only by the next one', () => {
    const told = decode([prompt('x'), request(), request(), request(), say('Done.'), prompt('y'), request()]);
    const story = [
      'user',
      'request',
      'error',
      'request',
      'error',
      'request',
      'assistant',
      'turn_end',
      'user',
      'request',
    ];
    expect(told.story).toEqual(story);
    // Sub-agents send requests side by side.
    expect(decode([prompt('x'), request('agent:a'), request('agent:a')]).of('error')).toEqual([]);
  });

  it('name the model that took over', () => {
    const told = decode([prompt('x'), system('model_fallback', { originalModel: 'a', fallbackModel: 'claude-b' })]);
    expect(told.of('session_info').at(-1)?.model).toBe('claude-b');
  });

  it.each(['continued-in', 'ended-by-model'])('end the session: %s', (type) => {
    const told = decode([
      prompt('x'),
      call('a', 'Bash', { command: 'y' }),
      result('a', 'ok'),
      { type, sessionId: SESSION },
    ]);
    expect(told.story.slice(-2)).toEqual(['turn_end', 'session_end']);
    expect(told.of('session_end')[0]?.reason).toBe('clean');
  });

  it('attribute what a person says aloud to the person', () => {
    const told = decode([prompt('Fix it', { isMeta: true, origin: { kind: 'voice-call' } })]);
    expect(told.of('user')[0]?.automated).toBe(false);
  });
});

it('a sub-agent that the CLI warms up has its calls stopped, and none of them failed', () => {
  const told = decode([
    prompt('Warmup'),
    call('a', 'Read', { file_path: 'x' }),
    result('a', 'Warmup', { is_error: true }),
  ]);
  expect(told.of('tool_result')[0]).toMatchObject({ isError: true, interrupted: true });
});

it.each([
  '<tool_use_error>Sibling tool call errored</tool_use_error>',
  'Cancelled: parallel tool call Bash(npm test) errored',
])('a call that never ran because its sibling failed is stopped, and did not fail: %s', (output) => {
  const told = decode([
    prompt('Fix it'),
    call('a', 'Edit', { file_path: 'x', old_string: 'a', new_string: 'b' }),
    result('a', output, { is_error: true }),
  ]);
  expect(told.of('tool_result')[0]).toMatchObject({ isError: true, interrupted: true });
});

describe('a tool of the service', () => {
  it('is a step like any other: its result is in the same message', () => {
    const page = [{ type: 'web_search_result', title: 'Docs', url: 'https://docs.example' }];
    const told = decode([
      prompt('x'),
      answer([
        { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'docs' } },
        { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content: page },
        { type: 'server_tool_use', id: 'srvtoolu_2', name: 'web_fetch', input: { url: 'https://x.example' } },
        {
          type: 'web_fetch_tool_result',
          tool_use_id: 'srvtoolu_2',
          content: { type: 'web_fetch_tool_result_error', error_code: 'unavailable' },
        },
      ]),
    ]);
    expect(told.of('tool_call').map(({ name }) => name)).toEqual(['web_search', 'web_fetch']);
    expect(told.of('tool_result')).toMatchObject([
      { id: 'srvtoolu_1', output: expect.stringContaining('docs.example'), isError: false },
      { id: 'srvtoolu_2', output: expect.stringContaining('unavailable'), isError: true },
    ]);
  });
});

describe('progress of a command', () => {
  const progress = (type: string) => envelope({ type: 'progress', data: { type, elapsedTimeSeconds: 3 } });

  it('shows that the command runs, if an older version writes it', () => {
    const told = decode([call('t', 'Bash', { command: 'make' }), progress('bash_progress')]);
    expect(told.of('other')).toMatchObject([{ name: 'command runs' }]);
  });

  it('of hooks and sub-agents shows nothing about it', () => {
    const told = decode([
      call('t', 'Bash', { command: 'make' }),
      progress('hook_progress'),
      progress('agent_progress'),
    ]);
    expect([told.of('other'), told.problems]).toEqual([[], []]);
  });
});

describe('when the agent asks for permission', () => {
  it.each([
    ['default', 'all'],
    ['plan', 'all'],
    ['acceptEdits', 'commands'],
    ['bypassPermissions', 'nothing'],
    ['a mode of tomorrow', undefined],
  ])('mode %s: %s', (permissionMode, wanted) => {
    const told = decode([prompt('x', { permissionMode })]);
    expect(told.of('session_info')[0]?.permissionMode).toBe(wanted);
  });

  it('is reported when a person changes the mode while the agent works', () => {
    const mode = { type: 'permission-mode', permissionMode: 'acceptEdits', sessionId: SESSION };
    const told = decode([mode, prompt('x', { permissionMode: 'default' }), mode, mode]);
    expect(told.of('session_info').map((event) => event.permissionMode)).toEqual(['all', 'commands']);
  });
});
