import { describe, expect, it } from 'vitest';
import { generic } from '../../../../src/agents/generic/adapter';
import { fc, test } from '../shared/property';
import { decode } from './support';

const MESSAGE = '01JD8QZ3V5N2M4K6H8T0A2C4E6';

describe('a generic transcript', () => {
  it('shows each of its types', () => {
    const told = decode([
      {
        type: 'session_start',
        session: 's1',
        agent: 'My Agent',
        cwd: '/w',
        model: 'm',
        role: 'r',
        contextWindow: 1000,
        pid: 7,
        parent: 'p',
        tools: [{ name: 'sh', schema: { type: 'object' } }, {}],
      },
      { type: 'user', session: 's1', agent: 'My Agent', text: 'Fix it' },
      { type: 'assistant', session: 's1', agent: 'My Agent', text: 'Look', chunk: true },
      {
        type: 'tool_call',
        session: 's1',
        agent: 'My Agent',
        id: 'c1',
        name: 'bash',
        args: { command: 'cd /w && make' },
        batch: 'b1',
      },
      {
        type: 'tool_result',
        session: 's1',
        agent: 'My Agent',
        id: 'c1',
        output: { lines: 2 },
        exitCode: 2,
        durationMs: 10,
        size: 99,
        merged: true,
      },
      { type: 'error', session: 's1', agent: 'My Agent', message: 'slow down', kind: 'rate_limit' },
      {
        type: 'usage',
        session: 's1',
        agent: 'My Agent',
        contextTokens: 5,
        contextWindow: 10,
        inputTokens: 1,
        outputTokens: 2,
        totalTokens: 3,
        tokenLimit: 4,
        cost: 0.5,
      },
      { type: 'compaction', session: 's1', agent: 'My Agent', summary: 's', trigger: 'auto' },
      {
        type: 'plan',
        session: 's1',
        agent: 'My Agent',
        items: [
          { id: 'a', title: 'A', status: 'completed' },
          { id: 'b', title: 'B', status: 'blocked', blockedBy: ['a'] },
        ],
      },
      { type: 'turn_end', session: 's1', agent: 'My Agent', reason: 'waiting' },
      { type: 'turn_start', session: 's1', agent: 'My Agent' },
      { type: 'waiting', session: 's1', agent: 'My Agent', for: 'permission' },
      { type: 'completion', session: 's1', agent: 'My Agent', claim: 'TASK_COMPLETE' },
      { type: 'message_taken', session: 's1', agent: 'My Agent', message: MESSAGE },
      { type: 'clock', session: 's1', agent: 'My Agent' },
      { type: 'session_end', session: 's1', agent: 'My Agent', reason: 'died' },
    ]);
    expect(told.problems).toEqual([]);
    expect(told.events.every((event) => event.session === 's1' && event.agent === 'generic')).toBe(true);
    expect(told.events.map(({ agent: _a, session: _s, at: _t, source, ...fields }) => [source.line, fields])).toEqual([
      [1, { type: 'session_info', agentName: 'My Agent' }],
      [
        1,
        {
          type: 'session_info',
          cwd: '/w',
          model: 'm',
          role: 'r',
          contextWindow: 1000,
          pid: 7,
          parent: 'p',
          tools: [{ name: 'sh', schema: { type: 'object' } }],
        },
      ],
      [2, { type: 'user', text: 'Fix it', automated: false }],
      [3, { type: 'assistant', text: 'Look', chunk: true }],
      [
        4,
        {
          type: 'tool_call',
          id: 'c1',
          name: 'bash',
          args: { command: 'cd /w && make' },
          batch: 'b1',
          kind: 'ran',
          subject: 'make',
          command: 'cd /w && make',
        },
      ],
      [
        5,
        {
          type: 'tool_result',
          id: 'c1',
          output: '{"lines":2}',
          isError: true,
          exitCode: 2,
          durationMs: 10,
          size: 99,
          merged: true,
        },
      ],
      [6, { type: 'error', kind: 'rate_limit', message: 'slow down' }],
      [
        7,
        {
          type: 'usage',
          contextTokens: 5,
          contextWindow: 10,
          inputTokens: 1,
          outputTokens: 2,
          totalTokens: 3,
          tokenLimit: 4,
          cost: 0.5,
        },
      ],
      [8, { type: 'compaction', summary: 's', trigger: 'auto' }],
      [
        9,
        {
          type: 'plan',
          items: [
            { id: 'a', title: 'A', status: 'completed' },
            { id: 'b', title: 'B', status: 'blocked', blockedBy: ['a'] },
          ],
        },
      ],
      [10, { type: 'turn_end', reason: 'waiting' }],
      [11, { type: 'turn_start' }],
      [12, { type: 'waiting', for: 'permission' }],
      [13, { type: 'completion', claim: 'TASK_COMPLETE' }],
      [14, { type: 'message_taken', message: MESSAGE }],
      [15, { type: 'clock' }],
      [16, { type: 'session_end', reason: 'died' }],
    ]);
  });

  it('names its session after the file, and its agent "agent"', () => {
    const told = decode([{ type: 'user', text: 'x' }]);
    expect(told.events.map((event) => event.session)).toEqual(['run', 'run']);
    expect(told.of('session_info')[0]?.agentName).toBe('agent');
  });

  it('keeps the sessions of one file apart', () => {
    const told = decode([
      { type: 'session_start', session: 'a', agent: 'One', cwd: '/a' },
      { type: 'session_start', session: 'b', agent: 'Two', cwd: '/b', parent: 'a' },
      { type: 'tool_call', session: 'a', agent: 'One', id: '1', name: 'edit', args: { path: '/a/x' } },
      { type: 'tool_call', session: 'b', agent: 'Two', id: '1', name: 'edit', args: { path: '/a/x' } },
    ]);
    expect(told.of('tool_call').map(({ session, subject }) => [session, subject])).toEqual([
      ['a', 'Edit x'],
      ['b', 'Edit /a/x'],
    ]);
    expect(told.of('session_info').filter((event) => event.agentName)).toHaveLength(2);
  });

  it('may have times in both forms, and a line without one takes the time before', () => {
    const told = decode([
      '{"v":1,"t":"2026-11-20T12:00:00Z","type":"clock"}',
      '{"v":1,"type":"clock"}',
      '{"v":1,"t":1795201551421,"type":"clock"}',
    ]);
    expect(told.of('clock').map((event) => event.at)).toEqual([
      Date.UTC(2026, 10, 20, 12),
      Date.UTC(2026, 10, 20, 12),
      1_795_201_551_421,
    ]);
  });

  it('may have arguments as an object or as JSON that may be malformed', () => {
    const told = decode([
      { type: 'tool_call', id: '1', name: 'bash', args: '{"command":"ls"}' },
      { type: 'tool_call', id: '2', name: 'bash', args: '{"command": ls}' },
      { type: 'tool_call', id: '3', name: 'bash', args: '{"command":' },
      { type: 'tool_call', id: '4', name: 'bash', args: '"ls"' },
      { type: 'tool_call', id: '5', name: 'bash', args: ['ls'] },
      { type: 'tool_call', id: 6, name: 'bash' },
    ]);
    expect(told.of('tool_call').map(({ args, malformed }) => [args, malformed])).toEqual([
      [{ command: 'ls' }, undefined],
      ['{"command": ls}', 'the arguments are not valid JSON (character 13)'],
      ['{"command":', 'the arguments are not valid JSON (they end too early)'],
      ['"ls"', 'the arguments are not a JSON object'],
      [['ls'], 'the arguments are not a JSON object'],
      [{}, undefined],
    ]);
  });

  it('ends a call with an error right after it, unless that is an error of the service or of the form', () => {
    const call = '{"type":"tool_call","id":"1","name":"bash","args":{"command":"make"}}';
    const types = (...lines: string[]) => decode(lines).events.map(({ type }) => type);
    const error = (kind: string) => `{"type":"error","message":"no","kind":"${kind}"}`;
    const result = ['session_info', 'tool_call', 'tool_result'];
    expect(types(call, error('other'))).toEqual(result);
    expect(types(call, '{"type":"usage","inputTokens":1}', error('timeout'))).toEqual([
      'session_info',
      'tool_call',
      'usage',
      'tool_result',
    ]);
    expect(types(call, error('api'))).toEqual([...result, 'error']);
    for (const kind of ['rate_limit', 'validation'])
      expect(types(call, error(kind))).toEqual(['session_info', 'tool_call', 'error']);
    expect(types(call, '{"type":"tool_result","id":"1","output":"ok"}', error('other'))).toEqual([...result, 'error']);
  });

  it('shows a failure that only the exit code or the text reveals', () => {
    const told = decode([
      { type: 'tool_result', id: '1', output: 'x', exitCode: 1 },
      { type: 'tool_result', id: '2', output: 'Exit code 3\nx' },
      { type: 'tool_result', id: '3', output: 'Exit code 3\nx', isError: false },
      { type: 'tool_result', id: '4', output: 'x', exitCode: 0, isError: true },
      { type: 'tool_result', id: '5', output: 'fine' },
      { type: 'tool_result', id: '6' },
    ]);
    expect(told.of('tool_result').map(({ isError, exitCode }) => [isError, exitCode])).toEqual([
      [true, 1],
      [true, 3],
      [false, undefined],
      [true, 0],
      [false, undefined],
      [false, undefined],
    ]);
  });

  it('shows our message once, whether the agent reports it or its text appears', () => {
    const told = decode([
      { type: 'user', text: `Read the error first. [unstuck ${MESSAGE}]` },
      { type: 'message_taken', message: MESSAGE },
      { type: 'user', text: 'run', automated: true },
      { type: 'user', text: 'run', scheduled: true },
    ]);
    expect(told.of('message_taken')).toHaveLength(1);
    expect(told.of('user').map(({ automated, scheduled }) => [automated, scheduled])).toEqual([
      [true, undefined],
      [true, undefined],
      [true, true],
    ]);
  });

  it('is read on after lines that are not understood, which are skipped and reported', () => {
    const told = decode([
      { type: 'thought', text: 'x' },
      '{"v":1,',
      '"text"',
      { t: 1 },
      { v: 2, type: 'clock' },
      { type: 'tool_call', name: 'x' },
      { type: 'user' },
      '',
      { type: 'clock', extra: { anything: 1 } },
    ]);
    expect(told.problems.map(({ line, why }) => [line, why])).toEqual([
      [1, 'unknown type "thought"'],
      [2, 'not valid JSON'],
      [3, 'not a JSON object'],
      [4, 'no type'],
      [5, 'version 2 is not supported'],
      [6, 'tool_call without "id"'],
      [7, 'user without "text"'],
    ]);
    expect(told.of('clock')).toHaveLength(1);
  });

  test.prop([
    fc.array(
      fc.oneof(
        fc.string(),
        fc.json(),
        fc.record(
          {
            v: fc.constant(1),
            type: fc.constantFrom('user', 'tool_call', 'tool_result', 'plan', 'usage', 'session_start'),
            text: fc.jsonValue(),
            id: fc.jsonValue(),
            name: fc.jsonValue(),
            args: fc.jsonValue(),
            items: fc.jsonValue(),
            tools: fc.jsonValue(),
            t: fc.jsonValue(),
          },
          { requiredKeys: ['v', 'type'] },
        ),
      ),
    ),
  ])('never causes an exception, and loses no line without a report', (rows) => {
    const told = decode(rows);
    const silent = rows.filter(
      (_row, index) =>
        ![...told.events.map((event) => event.source), ...told.problems].some((place) => place.line === index + 1),
    );
    expect(silent.filter((row) => typeof row !== 'string' || row.trim() !== '')).toEqual([]);
  });
});

describe('a generic file', () => {
  it('is recognised by its name, or by its first lines', () => {
    expect(generic.recognises('', '/x/run.agent.jsonl')).toBe('yes');
    expect(generic.recognises('{"v":1,"type":"user","text":"x"}', '/x/a.jsonl')).toBe('yes');
    expect(generic.recognises('{"t":1,"type":"user","text":"x"}', '/x/a.jsonl')).toBe('maybe');
    expect(generic.recognises('{"type":"user","message":{}}', '/x/a.jsonl')).toBe('no');
    expect(generic.recognises('hello', '/x/a.jsonl')).toBe('no');
  });

  it('names its agent', () => {
    expect(
      generic.peek('{"v":1,"session":"s","type":"session_start","cwd":"/w","parent":"p"}\n', '/x/a.agent.jsonl'),
    ).toEqual({ session: 's', cwd: '/w', parent: 'p' });
    expect(generic.peek('{"v":1,"type":"clock"}', '/x/a.agent.jsonl')).toEqual({ session: 'a' });
  });

  it('holds at most one call per line', () => {
    expect(generic.ownCalls?.('{"type":"tool_call","args":{"type":"tool_call"}}', 2)).toBe(1);
  });
});
