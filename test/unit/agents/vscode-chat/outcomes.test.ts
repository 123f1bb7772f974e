import { describe, expect, it } from 'vitest';
import { command, FAIL, push, read, record, request, result, session, set, START, terminal, tool, whole } from './kit';

/** Record that our hook writes about a command: its text, and no exit code. */
const told = (call: string) => ({
  v: 1,
  t: new Date().toISOString(),
  hook: 'PostToolUse',
  call,
  tool: 'run_in_terminal',
  output: FAIL,
});

describe('the outcome of the calls of the chat agent', () => {
  it('is reported once the log is saved, in the order of the calls', () => {
    const run = session();
    run.transcript(record.start(), record.user(0, 'Fix it'));
    run.transcript(record.asks(1, command('a')), record.done(2, 'a'));
    run.transcript(record.asks(3, command('b')), record.done(4, 'b'));
    run.transcript(record.asks(5, command('c')));
    run.settle();
    expect(run.results()).toEqual([]);
    run.log(whole(request('Fix it')), push(0, terminal('a', 1, FAIL), terminal('b', 1, FAIL)));
    run.settle();
    expect(run.results()).toEqual([
      ['a', 'failed'],
      ['b', 'failed'],
    ]);
    run.log(push(0, terminal('c', 0, 'ok')));
    run.settle();
    expect(run.results().at(-1)).toEqual(['c', 'ok']);
    expect(run.events.filter(({ type }) => type === 'user')).toHaveLength(1);
  });

  it('is not taken from a transcript that calls every end a success', () => {
    const run = session();
    run.transcript(record.start(), record.user(0, 'Fix it'), record.asks(1, command('a')), record.done(2, 'a', true));
    run.settle();
    expect(run.results()).toEqual([]);
  });

  it('is unknown if a later outcome is known, and reported late when the turn ends', () => {
    const run = session();
    run.transcript(record.start(), record.user(0, 'Fix it'));
    run.transcript(record.asks(1, read('look')), record.done(2, 'look'));
    run.transcript(record.asks(3, command('test')), record.done(4, 'test'));
    run.transcript(record.asks(5, command('again')));
    run.log(whole(request('Fix it')), push(0, tool('look', 'copilot_readFile'), terminal('test', 1, FAIL)));
    run.settle();
    expect(run.results()).toEqual([
      ['look', 'unknown'],
      ['test', 'failed'],
    ]);
    run.log(set(0, 'result', result({ look: 'alpha', test: FAIL, again: FAIL })));
    run.log(set(0, 'modelState', { value: 1, completedAt: Date.now() }));
    run.settle();
    expect(run.results().slice(2)).toEqual([
      ['again', 'failed'],
      ['look', 'late'],
    ]);
  });

  it('is the same for a command whether the hook reports it or the log, once the log has its exit code', () => {
    const run = session();
    run.transcript(record.start(), record.user(0, 'Fix it'), record.asks(1, command('a')));
    run.log(whole(request('Fix it')), push(0, terminal('a', 1, FAIL)));
    run.settle();
    run.transcript(record.asks(2, command('b')));
    run.log(told('b__vscode-1'));
    run.settle();
    expect(run.results()).toEqual([
      ['a', 'failed'],
      ['b', 'failed'],
    ]);
  });

  it("says that a command's exit code is late if the hook reported the same text before", () => {
    const run = session();
    run.transcript(record.start(), record.user(0, 'Fix it'), record.asks(1, command('a')));
    run.log(told('a__vscode-1'));
    run.settle();
    // Saved now, with the exit code of the first.
    run.log(whole(request('Fix it')), push(0, terminal('a', 1, FAIL)));
    run.transcript(record.asks(2, command('b')));
    run.log(told('b__vscode-2'));
    run.settle();
    run.transcript(record.asks(3, command('c')));
    run.log(push(0, terminal('c', 1, FAIL)));
    run.settle();
    expect(run.results()).toEqual([
      ['a', 'ok'],
      ['b', 'failed'],
      ['c', 'failed'],
    ]);
    const late = () => run.events.map((event) => (event.type === 'tool_result' ? event.exitCodeLate : undefined));
    expect(late().filter(Boolean)).toHaveLength(2);
    // Another text is another outcome.
    run.transcript(record.asks(4, command('d')));
    run.log(push(0, terminal('d', 1, 'FAIL test_mean')));
    run.settle();
    expect(run.results().at(-1)).toEqual(['d', 'failed']);
    expect(late().at(-1)).toBeUndefined();
  });

  it('of a file that was read does not contain what a hook adds to it', () => {
    const run = session();
    run.transcript(record.start(), record.user(0, 'Look'), record.asks(1, read('a')));
    const output = '\n<PreToolUse-context>\nLook there. [unstuck 01JDKQ8V7R00000000000000ZZ]\n</PreToolUse-context>';
    run.log({ v: 1, t: new Date().toISOString(), hook: 'PostToolUse', call: 'a__vscode-1', tool: 'read_file', output });
    run.settle();
    expect(run.results()).toEqual([]);
    expect(run.types()).not.toContain('message_taken');
  });

  it('is reported for each of several parallel calls as it becomes known', () => {
    const run = session();
    run.transcript(record.start(), record.user(0, 'Look'), record.asks(1, read('one'), command('two'), read('three')));
    run.log(whole(request('Look')), push(0, tool('one', 'copilot_readFile'), terminal('two', 0, 'two')));
    run.settle();
    expect(run.results()).toEqual([['two', 'ok']]);
  });

  it('of a command without shell integration is its output, once it has ended', () => {
    const run = session();
    const ended = (id: string, state: object, text: string) => {
      const part = terminal(id, 0, text);
      return { ...part, toolSpecificData: { ...part.toolSpecificData, terminalCommandState: state } };
    };
    run.transcript(record.start(), record.asks(1, command('a')), record.done(2, 'a'), record.asks(3, command('b')));
    run.log(whole(request('Fix it')), push(0, ended('a', { timestamp: START, duration: 260 }, '')));
    run.log(push(0, ended('b', { timestamp: START }, '')));
    run.settle();
    expect(run.results()).toEqual([['a', 'ok']]);
    expect(run.events.find(({ type }) => type === 'tool_result')).not.toHaveProperty('exitCode');
  });

  it('waits for the output that follows an exit code', () => {
    const run = session();
    run.transcript(record.start(), record.user(0, 'Fix it'), record.asks(1, command('a')));
    run.log(whole(request('Fix it')), push(0, terminal('a', 1)));
    run.settle();
    expect(run.results()).toEqual([]);
    run.log({ ...push(0, terminal('a', 1, `\u001b[31m${FAIL}\u001b[0m\r\n\u001b[?2004h`)), i: 0 });
    run.settle();
    expect(run.events.find(({ type }) => type === 'tool_result')).toMatchObject({ output: FAIL, exitCode: 1 });
  });

  it('includes calls that never ran: malformed, skipped by the person, denied by a hook', () => {
    const run = session();
    run.transcript(record.start(), record.user(0, 'Go'));
    for (const [index, id] of ['bad', 'broken', 'unknown', 'skipped', 'denied'].entries())
      run.transcript(record.asks(index + 1, [id, 'run_in_terminal', id === 'broken' ? {} : { command: id }]));
    run.transcript(record.done(6, 'broken', false));
    run.log(whole(request('Go')));
    const told = {
      bad: "ERROR: Your input to the tool was invalid (must have required property 'filePath')\nPlease try again.",
      broken: "ERROR while calling tool: Cannot read properties of undefined (reading 'match')",
      unknown: 'ERROR: The tool "no_such_tool" does not exist\nPlease try again.',
      skipped: 'The user chose to skip the tool call, they want to proceed without running it',
      denied: 'Tool execution denied: it failed 9 times. [unstuck 01JDKQ8V7R00000000000000ZZ]',
    };
    run.log(set(0, 'result', result(told)), set(0, 'modelState', { value: 1 }));
    run.settle();
    const results = run.events.flatMap((event) => (event.type === 'tool_result' ? [event] : []));
    expect(results.map(({ validation, denied }) => validation?.kind ?? denied)).toEqual([
      'invalid_arguments',
      'unparsable',
      'unknown_tool',
      'user',
      'hook',
    ]);
    expect(run.events.find(({ type }) => type === 'message_taken')).toMatchObject({
      message: '01JDKQ8V7R00000000000000ZZ',
    });
  });
});

describe('a message that a hook delivered', () => {
  it('is seen with the next answer of the agent, but not with one of a sub-agent', () => {
    const run = session();
    const seen = () => run.events.filter(({ type }) => type === 'message_taken').length;
    run.transcript(record.start(), record.user(0, 'Go'), record.asks(1, ['sub', 'runSubagent', { prompt: 'Look' }]));
    run.log({
      v: 1,
      t: new Date(START + 2_000).toISOString(),
      id: '01JDKQ8V7R00000000000000ZZ',
      state: 'taken',
      by: 'hook:PreToolUse',
    });
    run.settle();
    run.transcript(record.user(3, 'Look'), record.asks(4, read('inner')));
    expect(seen()).toBe(0);
    run.transcript(record.done(5, 'sub'), record.says(6, 'I see.'));
    expect(seen()).toBe(1);
  });
});

describe('the move in a chat', () => {
  it('may be the person’s again once they no longer approve everything', () => {
    const run = session();
    const level = (permissionLevel: string) => ({ modeInfo: { permissionLevel } });
    run.log(
      whole(
        request('One', { ...level('autoApprove'), modelState: { value: 1, completedAt: START + 1_000 } }),
        request('Two', level('default'), 2),
      ),
    );
    run.settle();
    const modes = run.events.flatMap((event) => (event.type === 'session_info' ? (event.permissionMode ?? []) : []));
    expect(modes).toEqual(['nothing', 'escalation']);
  });

  it('is the person’s while a tool requests permission, and the agent’s after the click', () => {
    const run = session();
    run.transcript(record.start(), record.user(0, 'Run it'), record.asks(1, command('a', 'rm -rf build')));
    const asking = { ...terminal('a'), isConfirmed: undefined };
    run.log(whole(request('Run it', { modelState: { value: 4 }, response: [asking] })));
    run.settle();
    run.settle();
    expect(run.events.filter(({ type }) => type === 'waiting')).toMatchObject([
      { for: 'permission', question: 'rm -rf build' },
    ]);
    const before = run.events.length;
    run.log(set(0, 'modelState', { value: 0 }));
    run.settle();
    expect(run.events.slice(before).map(({ type }) => type)).toContain('request');
  });

  it.each([
    [1, 'done'],
    [2, 'interrupted'],
    [3, 'error'],
  ])('is the person’s after state %i, which ended %s', (value, reason) => {
    const run = session();
    run.transcript(record.start(), record.user(0, 'Go'), record.asks(1, command('a')), record.done(2, 'a'));
    run.log(whole(request('Go')), set(0, 'result', result({ a: 'fine' })), set(0, 'modelState', { value }));
    run.settle();
    expect(run.events.at(-1)).toMatchObject({ type: 'turn_end', reason });
    expect(run.results()).toHaveLength(1);
  });

  it('is the person’s after a reload in the middle, or a stop while the model answered, which leave no result', () => {
    const run = session();
    run.transcript(record.start(), record.user(0, 'Go'));
    run.log(whole(request('Go')), set(0, 'modelState', { value: 2, completedAt: Date.now() }));
    run.settle();
    expect(run.events.at(-1)).toMatchObject({ type: 'turn_end', reason: 'interrupted' });
    expect(run.types()).not.toContain('session_end');
  });

  it('follows a prompt that only the log has, but not one that was answered long ago', () => {
    const known = session();
    known.log(whole(request('Fix it')));
    known.transcript(record.start(), record.asks(1, command('a')));
    expect(known.types()).toEqual(['session_info', 'session_info', 'user', 'assistant', 'tool_call']);

    const late = session();
    late.transcript(record.start(), record.asks(1, command('a')), record.done(2, 'a'));
    late.log(whole(request('Fix it')));
    late.settle();
    expect(late.types()).not.toContain('user');
    expect(late.events.find((event) => event.type === 'session_info' && event.title !== undefined)).toMatchObject({
      title: 'Fix it',
    });
  });

  it('is reported once for each of several prompts, with the end of the previous turn', () => {
    const run = session();
    run.log(
      whole(
        request('go on', { modelState: { value: 2, completedAt: START + 4_000 }, result: result({}) }),
        request('go on', { modelState: { value: 1 } }, 5),
      ),
    );
    run.transcript(record.start(), record.user(0.2, 'go on'), record.asks(1, command('a')));
    run.transcript(record.user(5.1, 'go on'), record.says(6, 'Done.'));
    run.settle();
    expect(run.types().filter((type) => type === 'user' || type === 'turn_end')).toEqual([
      'user',
      'turn_end',
      'user',
      'turn_end',
    ]);
  });
});

describe('sub-agents of a chat', () => {
  it('are separate sessions, and end with the call that started them', () => {
    const run = session();
    const task = { prompt: 'Look at a.txt', description: 'look' };
    run.transcript(record.start(), record.user(0, 'Go'), record.asks(1, ['sub', 'runSubagent', task]));
    run.transcript(record.user(2, 'Look at a.txt'), record.asks(3, read('inner')), record.done(4, 'inner'));
    run.transcript(record.says(5, 'It says alpha.'), record.done(6, 'sub'), record.says(7, 'Done.'));
    const child = run.events.filter((event) => event.session !== run.events[0]?.session);
    expect(new Set(child.map(({ session: of }) => of))).toEqual(new Set([`${run.events[0]?.session}_sub`]));
    expect(child.filter(({ type }) => type !== 'other' && type !== 'request').map(({ type }) => type)).toEqual([
      'session_info',
      'user',
      'assistant',
      'tool_call',
      'assistant',
      'tool_result',
      'session_end',
    ]);
  });

  it('that run in parallel are distinguished by the log', () => {
    const run = session();
    const inner = { ...tool('in-one', 'copilot_readFile'), subAgentInvocationId: 'one' };
    run.log(whole(request('Go')), push(0, tool('one', 'runSubagent'), tool('two', 'runSubagent'), inner));
    run.transcript(record.start(), record.user(0.2, 'Go'));
    run.transcript(
      record.asks(1, ['one', 'runSubagent', { prompt: 'First' }], ['two', 'runSubagent', { prompt: 'Second' }]),
    );
    run.transcript(record.user(2, 'First'), record.user(2.1, 'Second'), record.asks(3, read('in-one')));
    const call = run.events.find((event) => event.type === 'tool_call' && event.id === 'in-one');
    expect(call?.session).toMatch(/_one$/);
  });
});

describe('a chat without a transcript', () => {
  it('is read from its log alone, calls and results in order', () => {
    const run = session();
    const rounds = [
      {
        response: 'Running.',
        timestamp: 1795341860000,
        toolCalls: [{ id: 'a__vscode-1', name: 'run_in_terminal', arguments: '{"command":"npm run unit"}' }],
      },
      { response: 'All well.', timestamp: 1795341870000, toolCalls: [] },
    ];
    run.log(whole(request('Go', { result: result({ a: FAIL }, rounds), modelState: { value: 1 } })));
    run.settle();
    expect(run.types()).toEqual([
      'session_info',
      'user',
      'assistant',
      'tool_call',
      'tool_result',
      'assistant',
      'turn_end',
    ]);
  });
});
