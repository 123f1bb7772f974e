import { createDecoder } from '../../../../src/agents/decoders';
import { describe, expect, it } from 'vitest';
import { codex } from '../../../../src/agents/codex/adapter';
import type { AgentEvent, ToolCallEvent, ToolResultEvent } from '../../../../src/core/model';

const THREAD = '01a1fa55-a104-7c31-a53e-4521827405f9';
const FILE = `/home/u/.codex/sessions/2026/11/20/rollout-2026-11-20T19-01-18-${THREAD}.jsonl`;

const BEGIN = 1_795_201_278_000;

/** A thread written record by record. */
function decode(...records: readonly unknown[]): readonly AgentEvent[] {
  const events: AgentEvent[] = [];
  const decoder = createDecoder(codex, { file: FILE, readSmall: () => undefined });
  if (decoder.unit !== 'line') throw new Error('not a line decoder');
  for (const [index, record] of records.entries()) {
    const text = JSON.stringify({
      timestamp: new Date(BEGIN + index * 1000).toISOString(),
      ...(record as object),
    });
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

const item = (payload: object) => ({ type: 'response_item', payload });
const event = (payload: object) => ({ type: 'event_msg', payload });
const script = (id: string, input: string) => item({ type: 'custom_tool_call', call_id: id, name: 'exec', input });
const scriptOutput = (id: string, head: string, body = '') =>
  item({
    type: 'custom_tool_call_output',
    call_id: id,
    output: [
      { type: 'input_text', text: `${head}\nWall time 0.1 seconds\nOutput:\n` },
      { type: 'input_text', text: body },
    ],
  });
const ranCommand = (id: string, command: string, exitCode: number, output = '') =>
  event({
    type: 'item_completed',
    item: {
      type: 'CommandExecution',
      id,
      command: ['/bin/bash', '-lc', command],
      status: exitCode === 0 ? 'completed' : 'failed',
      aggregated_output: output,
      exit_code: exitCode,
    },
  });
const call = (id: string, name: string, args: unknown) =>
  item({ type: 'function_call', call_id: id, name, arguments: typeof args === 'string' ? args : JSON.stringify(args) });
const output = (id: string, text: unknown) => item({ type: 'function_call_output', call_id: id, output: text });

const calls = (events: readonly AgentEvent[]) => events.filter((one): one is ToolCallEvent => one.type === 'tool_call');
it("the result of a server's tool is what the model received: the item holds images as text", () => {
  const shot = `{"content":[{"type":"text","text":"saved"},{"type":"image","data":"${'iVBO'.repeat(500)}"}]}`;
  const events = decode(
    call('c1', 'js', { code: 'shoot()' }),
    event({
      type: 'mcp_tool_call_end',
      call_id: 'c1',
      invocation: { server: 'node_repl', tool: 'js', arguments: { code: 'shoot()' } },
      duration: { secs: 1, nanos: 0 },
      result: { Ok: { content: [{ type: 'text', text: shot }], isError: false } },
    }),
    output('c1', [
      { type: 'input_text', text: 'Wall time: 1.0 seconds\nOutput:' },
      { type: 'input_text', text: 'saved' },
      { type: 'input_image', image_url: 'data:image/png;base64,iVBO' },
    ]),
  );
  expect(results(events)).toMatchObject([{ output: 'saved[image]', durationMs: 1000, isError: false }]);
});

const results = (events: readonly AgentEvent[]) =>
  events.filter((one): one is ToolResultEvent => one.type === 'tool_result');
const told = (events: readonly AgentEvent[]) => events.filter((one) => one.type !== 'other').map((one) => one.type);

describe('code mode', () => {
  it('reports an edit and a test of one script as two steps of a batch, so that the failing test is seen to repeat', () => {
    const events = decode(
      script(
        'c1',
        'await tools.apply_patch("*** Begin Patch\\n*** Update File: a.js\\n*** End Patch");\nconst r = await tools.exec_command({cmd: "npm test"});\ntext(r.output);',
      ),
      event({
        type: 'item_completed',
        item: { type: 'FileChange', id: 'exec-1', changes: {}, status: 'completed', stdout: 'Success.' },
      }),
      ranCommand('exec-2', 'npm test', 1, 'not ok 1'),
      scriptOutput('c1', 'Script completed', 'not ok 1'),
    );
    expect(calls(events).map((one) => [one.id, one.name, one.subject, one.batch])).toEqual([
      ['c1', 'apply_patch', 'Edit a.js', 'c1'],
      ['c1#2', 'exec_command', 'npm test', 'c1'],
    ]);
    expect(results(events).map((one) => [one.id, one.isError, one.exitCode, one.output])).toEqual([
      ['c1', false, undefined, 'Success.'],
      ['c1#2', true, 1, 'not ok 1'],
    ]);
  });

  it('shows the second command as running while the first is done', () => {
    const events = decode(
      script('c1', 'await tools.exec_command({cmd: "ls"}); await tools.exec_command({cmd: "npm run build"});'),
      ranCommand('exec-1', 'ls', 0, 'a'),
    );
    expect(told(events)).toEqual(['tool_call', 'tool_result', 'tool_call']);
    expect(calls(events)[1]?.command).toBe('npm run build');
  });

  it('reports commands that a loop computed as separate steps', () => {
    const events = decode(
      script('c1', 'for (const f of ["a", "b"]) text(await tools.exec_command({cmd: `cat ${f}`}));'),
      ranCommand('exec-1', 'cat a', 0, 'A'),
      ranCommand('exec-2', 'cat b', 1, 'B'),
      scriptOutput('c1', 'Script completed', 'AB'),
    );
    expect(calls(events).map((one) => [one.name, one.subject])).toEqual([
      ['exec', 'for (const f of ["a", "b"]) text(await tools.exec_command({cmd: `cat ${f}`}));'],
      ['exec_command', 'cat b'],
    ]);
    expect(results(events).map((one) => [one.id, one.output])).toEqual([
      ['c1+1', 'B'],
      ['c1', 'A'],
    ]);
  });

  it('does not count a command that the script skipped', () => {
    const events = decode(
      script(
        'c1',
        'const r = await tools.exec_command({cmd: "npm test"}); if (r.exit_code) await tools.exec_command({cmd: "git diff"});',
      ),
      ranCommand('exec-1', 'npm test', 0, 'ok'),
      scriptOutput('c1', 'Script completed', 'ok'),
    );
    // The second was shown as running once the first was done.
    expect(results(events)).toMatchObject([
      { id: 'c1', output: 'ok', exitCode: 0 },
      { id: 'c1#2', output: '', interrupted: true },
    ]);
  });

  it('reports a script that failed after its last command as failed', () => {
    const events = decode(
      script('c1', 'const r = await tools.exec_command({cmd: "ls"}); r.a.b;'),
      ranCommand('exec-1', 'ls', 0, 'a'),
      scriptOutput('c1', 'Script failed', 'Script error:\nTypeError: Cannot read properties of undefined'),
    );
    expect(results(events)).toMatchObject([{ isError: true, exitCode: 0 }]);
    expect(results(events)[0]?.output).toContain('Cannot read properties');
  });

  it('marks a script that continues in the background, and does not count its end as another step', () => {
    const events = decode(
      script('c1', 'text(await tools.exec_command({cmd: "npm run dev"}))'),
      scriptOutput('c1', 'Script running with cell ID 7'),
      call('c2', 'wait', { cell_id: '7', yield_time_ms: 1000 }),
      ranCommand('exec-1', 'npm run dev', 0, 'up'),
      output('c2', 'Script completed\nWall time 3.0 seconds\nOutput:\nup'),
    );
    expect(results(events)).toMatchObject([
      { id: 'c1', running: true, isError: false },
      { id: 'c2', output: 'up' },
    ]);
    expect(calls(events).map((one) => one.kind)).toEqual(['ran', 'waited']);
  });
});

describe('results without a record of what ran', () => {
  const outcome = (text: unknown, name = 'exec_command') =>
    results(decode(call('c1', name, { cmd: 'x' }), output('c1', text)))[0];

  it('have the exit code of every header that Codex has written', () => {
    expect(outcome('Exit code: 1\nWall time: 0.3 seconds\nOutput:\nno')).toMatchObject({
      isError: true,
      exitCode: 1,
      durationMs: 300,
      output: 'no',
    });
    expect(
      outcome('Chunk ID: ab\nWall time: 0.1 seconds\nProcess exited with code 0\nOriginal token count: 1\nOutput:\nhi'),
    ).toMatchObject({ isError: false, exitCode: 0, output: 'hi' });
    expect(outcome(JSON.stringify({ output: 'bad', metadata: { exit_code: 2, duration_seconds: 0.5 } }))).toMatchObject(
      { isError: true, exitCode: 2, durationMs: 500, output: 'bad' },
    );
    expect(outcome({ content: 'bad', success: false })).toMatchObject({ isError: true, output: 'bad' });
    expect(
      outcome('Chunk ID: ab\nWall time: 1 seconds\nProcess running with session ID 9\nOutput:\nError: so far'),
    ).toMatchObject({ running: true, isError: false });
  });

  it('distinguish malformed calls from tools that failed', () => {
    expect(outcome('unsupported call: find_it')?.validation).toMatchObject({
      kind: 'unknown_tool',
      received: 'find_it',
    });
    expect(outcome('failed to parse function arguments: EOF while parsing a string at line 1')?.validation?.kind).toBe(
      'unparsable',
    );
    expect(outcome('failed to parse function arguments: missing field `cmd` at line 1')?.validation).toMatchObject({
      kind: 'invalid_arguments',
      expected: 'cmd',
    });
    expect(outcome('apply_patch verification failed: invalid hunk at line 2')?.validation?.kind).toBe('format');
    expect(outcome('apply_patch verification failed: Failed to find expected lines')).toMatchObject({ isError: true });
    expect(outcome('apply_patch verification failed: Failed to find expected lines')?.validation).toBeUndefined();
    expect(outcome('write_stdin failed: Unknown process id 9')).toMatchObject({ isError: true });
    expect(outcome('execution error: Io(Custom)')).toMatchObject({ isError: true });
  });

  it('say who refused', () => {
    expect(outcome('exec command rejected by user')?.denied).toBe('user');
    expect(outcome('Command blocked by PreToolUse hook: no. Command: x')?.denied).toBe('hook');
    expect(outcome('Rejected("This action was rejected due to unacceptable risk.")')?.denied).toBe('policy');
    expect(outcome('aborted by user')).toMatchObject({ interrupted: true, isError: true });
  });

  it('say how large an output was that was cut', () => {
    const text = `Chunk ID: a\nWall time: 0.1 seconds\nProcess exited with code 0\nOriginal token count: 87224\nOutput:\n${'x'.repeat(100)}`;
    expect(outcome(text)?.size).toBe(348_896);
  });
});

describe('pairing', () => {
  it('keeps a result that came first until its call comes, and keeps the place of each', () => {
    const events = decode(
      output('c1', 'Exit code: 0\nOutput:\nhi'),
      call('c1', 'shell', { command: ['ls'] }),
      output('c1', 'again'),
    );
    expect(told(events)).toEqual(['tool_call', 'tool_result']);
    expect(results(events)[0]).toMatchObject({ output: 'hi', source: { line: 1 } });
  });

  it('counts a call once if it is written twice, and a later one with its id as another', () => {
    const once = [call('c1', 'shell', {}), output('c1', 'a')];
    const written = { ...call('c1', 'shell', {}), timestamp: new Date(BEGIN).toISOString() };
    expect(calls(decode(...once, written))).toHaveLength(1);
    expect(calls(decode(...once, ...once)).map(({ batch }) => batch)).toEqual(['c1', 'c1@200']);
  });

  it('batches calls that were issued before any of them was answered', () => {
    const events = decode(
      call('c1', 'a', {}),
      call('c2', 'b', {}),
      output('c1', ''),
      output('c2', ''),
      call('c3', 'c', {}),
    );
    expect(calls(events).map((one) => one.batch)).toEqual(['c1', 'c1', 'c3']);
  });
});

describe('the conversation', () => {
  it('reports a prompt once if it is in a message and in an event, in either order', () => {
    const message = (text: string) => item({ type: 'message', role: 'user', content: [{ type: 'input_text', text }] });
    const prompt = (text: string) => event({ type: 'user_message', message: text });
    const users = (events: readonly AgentEvent[]) => events.filter((one) => one.type === 'user').length;
    expect(users(decode(message('go'), prompt('go')))).toBe(1);
    expect(users(decode(prompt('go'), message('go')))).toBe(1);
    expect(
      users(decode(message('go'), prompt('go'), event({ type: 'task_complete' }), message('go'), prompt('go'))),
    ).toBe(2);
  });

  it("treats what Codex writes in the user's name as context", () => {
    const text = (value: string) =>
      item({ type: 'message', role: 'user', content: [{ type: 'input_text', text: value }] });
    expect(
      told(
        decode(
          text('<environment_context>\n<cwd>/a</cwd></environment_context>'),
          text('# AGENTS.md instructions for /a\n\n<INSTRUCTIONS>'),
          text('<turn_aborted>\nThe user'),
        ),
      ),
    ).toEqual([]);
  });

  it('finds our message wherever it was delivered', () => {
    const id = '01JD0000000000000000000000';
    const mark = `Stop repeating. [unstuck ${id}]`;
    const taken = (record: unknown) =>
      decode(record).flatMap((one) => (one.type === 'message_taken' ? one.message : []));
    expect(taken(item({ type: 'message', role: 'developer', content: [{ type: 'input_text', text: mark }] }))).toEqual([
      id,
    ]);
    expect(
      taken(
        item({
          type: 'message',
          role: 'user',
          content: [{ type: 'input_text', text: `<hook_prompt hook_run_id="stop:5">${mark}</hook_prompt>` }],
        }),
      ),
    ).toEqual([id]);
    const own = '<hook_prompt hook_run_id="stop:0:/home/me/.codex/hooks.json">Write it first.</hook_prompt>';
    const sent = decode(item({ type: 'message', role: 'user', content: [{ type: 'input_text', text: own }] }));
    expect(sent[0]).toMatchObject({ text: 'Write it first.', hook: { name: '/home/me/.codex/hooks.json' } });
    const typed = decode(item({ type: 'message', role: 'user', content: [{ type: 'input_text', text: mark }] }));
    expect(typed[0]).toMatchObject({ type: 'user', automated: true });
  });

  it('waits for an approval only if a person is asked', () => {
    const wants = call('c1', 'exec_command', {
      cmd: 'npm i',
      sandbox_permissions: 'require_escalated',
      justification: 'Install?',
    });
    const policy = (value: string, reviewer = 'user') => ({
      type: 'turn_context',
      payload: { approval_policy: value, approvals_reviewer: reviewer },
    });
    const waits = (...records: unknown[]) => decode(...records).filter((one) => one.type === 'waiting').length;
    expect(waits(policy('on-request'), wants)).toBe(1);
    expect(waits(policy('never'), wants)).toBe(0);
    expect(waits(policy('on-request', 'guardian'), wants)).toBe(0);
  });

  it('counts tokens once although each count is written several times', () => {
    const count = (last: number, total: number) =>
      event({
        type: 'token_count',
        info: {
          last_token_usage: { input_tokens: last - 10, output_tokens: 10, total_tokens: last },
          total_token_usage: { total_tokens: total },
          model_context_window: 1000,
        },
      });
    const usages = decode(
      count(100, 100),
      count(100, 100),
      count(150, 250),
      event({ type: 'token_count', info: null }),
      count(150, 250),
    ).flatMap((one) => (one.type === 'usage' ? [[one.contextTokens, one.inputTokens, one.totalTokens]] : []));
    expect(usages).toEqual([
      [100, 90, 100],
      [150, 140, 250],
    ]);
  });
});

describe('threads that come from others', () => {
  const meta = (payload: object) => ({ type: 'session_meta', payload: { cwd: '/p', source: 'cli', ...payload } });
  const started = (turn: string) => event({ type: 'task_started', turn_id: turn });

  it('leave out what a fork copied from its parent', () => {
    const parent = '01a1fa50-0000-7000-8000-000000000000';
    const events = decode(
      meta({ id: THREAD, forked_from_id: parent }),
      meta({ id: parent }),
      started('01a1fa50-0001-7000-8000-000000000000'),
      call('old', 'shell', { command: ['npm', 'test'] }),
      output('old', 'Exit code: 1\nOutput:\n'),
      started('01a1fa56-0000-7000-8000-000000000000'),
      call('new', 'shell', { command: ['ls'] }),
    );
    expect(calls(events).map((one) => one.id)).toEqual(['new']);
    expect(events[0]).toMatchObject({ type: 'session_info', forkedFrom: parent });
  });

  it('link a sub-agent to the thread that started it', () => {
    const events = decode(
      meta({
        id: THREAD,
        agent_role: 'explorer',
        source: { subagent: { thread_spawn: { parent_thread_id: 'p1', depth: 1 } } },
      }),
    );
    expect(events[0]).toMatchObject({ type: 'session_info', parent: 'p1', role: 'explorer' });
  });

  it.each([
    [{ type: 'task_complete' }, 'clean'],
    [{ type: 'task_complete', error: { message: 'Overloaded' } }, 'error'],
    [{ type: 'turn_aborted' }, 'interrupted'],
  ])('end a sub-agent with its turn, which leaves a person no move: %o', (record, reason) => {
    const last = (source?: object) => decode(meta({ id: THREAD, source }), event(record)).at(-1);
    expect(last({ subagent: { thread_spawn: { parent_thread_id: 'p1' } } })).toMatchObject({
      type: 'session_end',
      reason,
    });
    expect(last()).toMatchObject({ type: 'turn_end' });
    expect(last({ subagent: { other: 'guardian' } })).toMatchObject({ type: 'turn_end' });
  });

  it("do not show the verdicts of a guardian as messages, but do show a sub-agent's answer in JSON", () => {
    const answered = (source: object) =>
      decode(
        meta({ id: THREAD, source }),
        item({ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: '{"outcome":"allow"}' }] }),
      ).at(-1);
    expect(answered({ subagent: { other: 'guardian' } })).toMatchObject({ type: 'other', name: 'verdict' });
    expect(answered({ subagent: { thread_spawn: { parent_thread_id: 'p1' } } })).toMatchObject({ type: 'assistant' });
  });

  it('stay apart if two of them are in one file', () => {
    const events = decode(
      meta({ id: 'a' }),
      call('c1', 'x', {}),
      meta({ id: 'b' }),
      call('c2', 'x', {}),
      output('c1', 'late'),
    );
    expect(events.filter((one) => one.type !== 'other').map((one) => [one.type, one.session])).toEqual([
      ['session_info', 'a'],
      ['tool_call', 'a'],
      ['session_info', 'b'],
      ['tool_call', 'b'],
      ['tool_result', 'a'],
    ]);
  });

  it('say of a message that the turn continues after it', () => {
    const message = (phase: string) =>
      item({ type: 'message', role: 'assistant', phase, content: [{ type: 'output_text', text: 'I look.' }] });
    const said = decode(message('commentary'), message('final_answer')).filter((one) => one.type === 'assistant');
    expect(said.map(({ isLast }) => isLast)).toEqual([false, undefined]);
  });

  it('wait for approval of the plan that a turn proposed, and for a permission that a call requests', () => {
    const plan = '<proposed_plan>\n1. Add the client\n</proposed_plan>';
    const proposes = item({ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: plan }] });
    const done = event({ type: 'task_complete', turn_id: 't' });
    const planned = decode(proposes, done, done);
    expect(told(planned)).toEqual(['assistant', 'turn_end', 'waiting', 'turn_end']);
    expect(planned[2]).toMatchObject({ for: 'plan', question: '1. Add the client' });
    const asks = decode(call('c1', 'request_permissions', { reason: 'to write to ~/.cache', permissions: {} }));
    expect(asks.at(-1)).toMatchObject({ type: 'waiting', for: 'permission', question: 'to write to ~/.cache' });
  });

  it('contain what 0.169 writes besides the conversation', () => {
    const records = ['retained_context', 'dynamic_tools_updated', 'realtime_item', 'security_risk_score'];
    const quiet = decode(
      ...records.map((type) => ({ type, payload: {} })),
      item({ type: 'configuration_update' }),
      event({ type: 'network_approval_resolved' }),
      event({ type: 'private_session_event' }),
    );
    expect(told(quiet)).toEqual([]);
  });
});
