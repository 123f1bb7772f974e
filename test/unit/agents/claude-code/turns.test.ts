import { describe, expect, it } from 'vitest';
import {
  answer,
  attachment,
  call,
  decode,
  envelope,
  goodBye,
  MESSAGE,
  prompt,
  request,
  result,
  say,
  SESSION,
  system,
} from './support';

describe('the move', () => {
  it('passes with a prompt, a request and an answer: the turn ends with the answer and the process says goodbye', () => {
    const told = decode([prompt('Fix it', { entrypoint: 'sdk-cli' }), request('sdk'), say('Done.'), goodBye]);
    expect(told.story).toEqual(['user', 'request', 'assistant', 'turn_end', 'session_end']);
    expect(told.of('session_end')[0]?.reason).toBe('clean');
    expect(told.of('session_info')[0]).toMatchObject({
      cwd: '/home/dev/project',
      branch: 'main',
      version: '2.1.329',
      mode: 'print',
    });
  });

  it('continues after the turn of a session in the panel of an editor, and only a prompt begins the next turn', () => {
    const mode = (entrypoint: string) => decode([prompt('Fix it', { entrypoint })]).of('session_info')[0]?.mode;
    expect(['cli', 'claude-vscode', 'sdk-ts', 'other'].map(mode)).toEqual(['interactive', 'panel', 'print', undefined]);
  });

  it('passes once at the end of a turn, whether the answer or the line after it says so', () => {
    expect(
      decode([prompt('x'), say('Done.'), system('stop_hook_summary', { hookErrors: [] }), system('turn_duration')])
        .story,
    ).toEqual(['user', 'assistant', 'turn_end']);
    // Before 2.1 answers had no stop reason.
    expect(decode([prompt('x'), say('Done.', { stop_reason: null }), system('turn_duration')]).story).toEqual([
      'user',
      'assistant',
      'turn_end',
    ]);
  });

  it('does not pass with reasoning that is written before its text', () => {
    const thought = answer([{ type: 'thinking', thinking: 'hm' }], {}, { id: 'msg_t', stop_reason: 'end_turn' });
    expect(decode([prompt('x'), thought, say('Done.', { id: 'msg_t' })]).story).toEqual([
      'user',
      'assistant',
      'turn_end',
    ]);
  });

  it('returns to the agent when a stop hook sends it on', () => {
    const feedback = prompt('Stop hook feedback:\nrun the tests', { isMeta: true });
    const told = decode([
      prompt('x'),
      say('Done.'),
      feedback,
      system('stop_hook_summary', { hookErrors: ['run'] }),
      request(),
      say('Done.'),
    ]);
    expect(told.story).toEqual(['user', 'assistant', 'turn_end', 'user', 'request', 'assistant', 'turn_end']);
    expect(told.of('user').map((event) => event.automated)).toEqual([false, true]);
    const named = prompt('Stop hook feedback:\n[test -f [a]; exit 2]: Write it first.\n', { isMeta: true });
    expect(decode([named]).of('user')[0]?.hook).toEqual({ name: 'test -f [a]; exit 2', cap: 9 });
    // Additional context of a stop hook leaves no user line: the request shows it.
    const context = decode([
      prompt('x'),
      say('Done.'),
      attachment('hook_additional_context', { content: ['go'] }),
      request(),
      say('ok'),
    ]);
    expect(context.story).toEqual(['user', 'assistant', 'turn_end', 'turn_start', 'request', 'assistant', 'turn_end']);
  });

  it("does not pass with the CLI's own questions to the model", () => {
    expect(
      decode([prompt('x'), say('Done.'), request('prompt_suggestion'), request('generate_session_title')]).story,
    ).toEqual(['user', 'assistant', 'turn_end']);
  });

  it('passes with an interruption', () => {
    const told = decode([
      prompt('x'),
      call('a', 'Bash', { command: 'sleep 9' }),
      envelope({
        type: 'user',
        message: { role: 'user', content: [{ type: 'text', text: '[Request interrupted by user for tool use]' }] },
      }),
    ]);
    expect(told.of('turn_end')[0]?.reason).toBe('interrupted');
    expect(told.of('user')).toHaveLength(1);
  });

  it('passes when a process ends in the middle of a turn, which was interrupted', () => {
    expect(decode([prompt('x'), call('a', 'Bash', { command: 'y' }), goodBye]).of('session_end')[0]?.reason).toBe(
      'interrupted',
    );
    const stopped = decode([
      prompt('x'),
      call('a', 'Bash', { command: 'y' }),
      attachment('hook_stopped_continuation', { message: 'stop' }),
      goodBye,
    ]);
    expect(stopped.of('turn_end')[0]?.reason).toBe('interrupted');
  });

  it('can pass again in a second run in the same file', () => {
    const told = decode([prompt('x'), say('Done.'), goodBye, goodBye, prompt('go on'), say('Ok.'), goodBye]);
    expect(told.story.filter((type) => type === 'session_end')).toHaveLength(2);
  });

  it('waits for the person with a question, or with a plan to approve', () => {
    const question = { questions: [{ question: 'Which color?', options: [] }] };
    const told = decode([
      prompt('x'),
      call('q', 'AskUserQuestion', question),
      result('q', 'Blue'),
      call('p', 'ExitPlanMode', { plan: '…' }),
    ]);
    expect(told.of('waiting')).toMatchObject([
      { for: 'input', question: 'Which color?' },
      { for: 'plan', question: '…' },
    ]);
    expect(told.of('tool_call').map((event) => event.kind)).toEqual(['asked', 'asked']);
  });
});

describe('what the person does without the agent', () => {
  const local = (name: string, output: string) => [
    prompt(`<command-name>/${name}</command-name><command-args></command-args>`),
    prompt(`<local-command-stdout>${output}</local-command-stdout>`),
  ];

  it('ends a turn that no line ended, if the CLI answers a command on its own', () => {
    const open = [prompt('x'), say('Done.', { stop_reason: null })];
    expect(decode([...open, ...local('context', 'full')]).story).toEqual(['user', 'assistant', 'turn_end', 'other']);
    // Some commands are answered while a call runs.
    expect(decode([prompt('x'), call('a', 'Bash', { command: 'y' }), ...local('status', '')]).story).not.toContain(
      'turn_end',
    );
  });

  it('ends the session with /exit', () => {
    const told = decode([prompt('x'), say('Done.', { stop_reason: null }), ...local('exit', 'See ya!')]);
    expect(told.story).toEqual(['user', 'assistant', 'turn_end', 'session_end', 'other']);
    expect(told.of('session_end')[0]?.reason).toBe('clean');
  });

  it('is a prompt only if the agent answers it', () => {
    const own = [prompt('<bash-input>npm test</bash-input>'), prompt('<bash-stdout>1 failed</bash-stdout>')];
    expect(decode([prompt('x'), say('Done.'), ...own]).story).not.toContain('turn_start');
    expect(decode([prompt('x'), say('Done.'), ...own]).of('user')).toHaveLength(1);
    const answered = decode([prompt('x'), say('Done.'), ...own, say('One test fails.')]);
    expect(answered.of('user')[1]).toMatchObject({ text: '!npm test', automated: false });
    // Nor does the next command say that it was answered.
    const another = prompt('<bash-input>git pull</bash-input>');
    expect(decode([prompt('x'), say('Done.'), ...own, another]).of('user')).toHaveLength(1);
  });
});

it('a message itself says whether the turn continues after it', () => {
  const told = decode([prompt('x'), say('I look.', { id: 'm', stop_reason: 'tool_use' })]);
  expect(told.of('assistant')[0]?.isLast).toBe(false);
  expect(told.story).toEqual(['user', 'assistant']);
});

describe('the user lines', () => {
  it.each([
    ['a prompt', {}, 'Fix the tests', ['user']],
    ['a prompt of the SDK', { promptSource: 'sdk', turnOrigin: 'sdk' }, 'Fix the tests', ['user']],
    ['a caveat', { isMeta: true }, '<local-command-caveat>Caveat: …', ['other']],
    ['a reminder', { isMeta: true }, '<system-reminder>\nx\n</system-reminder>', ['other']],
    ["the output of the person's own shell", {}, '<bash-stdout>a</bash-stdout>', ['other']],
    ['an open file, in a line of its own', {}, '<ide_opened_file>The user opened a.ts.</ide_opened_file>', ['other']],
    ['a memory note', {}, '<user-memory-input>always x</user-memory-input>', ['other']],
  ])('%s', (_what, more, text, story) => {
    const told = decode([prompt(text, more)]);
    expect(told.story).toEqual(story);
    expect(told.of('user').every((event) => !event.automated)).toBe(true);
  });

  it('include notices of background agents, of peers and of the CLI, which are automated', () => {
    const told = decode([
      prompt('<task-notification>…</task-notification>', { origin: { kind: 'task-notification' } }),
      prompt('Hello from the other session', { origin: { kind: 'peer' } }),
      prompt('Base directory for this skill: /x', { isMeta: true }),
      prompt('typed', { origin: { kind: 'human' } }),
    ]);
    expect(told.of('user').map((event) => event.automated)).toEqual([true, true, true, false]);
  });

  it("open a scheduled turn with the prompt of a loop command, but not with the person's first one", () => {
    const told = decode([
      prompt('/loop 10m npm run smoke', { turnOrigin: 'human' }),
      prompt('npm run smoke', { turnOrigin: 'scheduled' }),
    ]);
    expect(told.of('user').map(({ automated, scheduled }) => [automated, scheduled])).toEqual([
      [false, undefined],
      [true, true],
    ]);
  });

  it('open no turn with a slash command that the CLI answers on its own, but one with a command for the agent', () => {
    const command = prompt(
      '<command-name>/model</command-name>\n<command-message>model</command-message>\n<command-args>sonnet</command-args>',
    );
    const output = prompt('<local-command-stdout>Set model</local-command-stdout>');
    expect(decode([command, output]).story).toEqual(['other']);
    const init = prompt('<command-message>init is analyzing…</command-message>\n<command-name>/init</command-name>');
    const told = decode([init, prompt('Please analyze this codebase', { isMeta: true }), say('Ok.')]);
    expect(told.of('user').map((event) => event.text)).toEqual(['/init', 'Please analyze this codebase']);
    expect(told.of('user')[0]?.source.line).toBe(1);
  });

  it('do not contain what the editor adds to a prompt', () => {
    const told = decode([
      prompt('', {
        message: {
          role: 'user',
          content: [
            { type: 'text', text: '<ide_opened_file>a.ts</ide_opened_file>' },
            { type: 'text', text: 'Fix it' },
          ],
        },
      }),
    ]);
    expect(told.of('user')[0]?.text).toBe('Fix it');
  });

  it('contain a prompt typed while the agent works when the attachment delivers it, not when it is queued', () => {
    const told = decode([
      prompt('x'),
      { type: 'queue-operation', operation: 'enqueue', sessionId: SESSION, content: 'and the docs' },
      {
        type: 'queue-operation',
        operation: 'remove',
        sessionId: SESSION,
        content: 'and the docs',
        reason: 'absorbed_mid_turn',
      },
      attachment('queued_command', { prompt: 'and the docs', commandMode: 'prompt', origin: { kind: 'human' } }),
      attachment('queued_command', {
        prompt: 'Stop hook feedback',
        commandMode: 'task-notification',
        origin: { kind: 'task-notification' },
      }),
    ]);
    expect(told.of('user').map(({ text, automated }) => [text, automated])).toEqual([
      ['x', false],
      ['and the docs', false],
      ['Stop hook feedback', true],
    ]);
  });
});

describe('our own messages', () => {
  const nudge = `pytest failed 4 times with the same error. [unstuck ${MESSAGE}]`;

  it.each([
    ['a hook after a tool', attachment('hook_additional_context', { content: [nudge] })],
    ['a hook that blocks the end', attachment('hook_blocking_error', { blockingError: { blockingError: nudge } })],
    ['a hook that stops', attachment('hook_stopped_continuation', { message: nudge })],
    ['the queue', attachment('queued_command', { prompt: nudge, commandMode: 'prompt', origin: { kind: 'human' } })],
    [
      'a wake',
      prompt(
        `<task-notification>
<summary>Stop hook feedback</summary>
</task-notification>
<system-reminder>
Stop hook blocking error from command "FileChanged": ${nudge}

</system-reminder>`,
      ),
    ],
    [
      'a bare reminder',
      prompt(`<system-reminder>
${nudge}
</system-reminder>`),
    ],
    ['a prompt', prompt(nudge)],
    ['a stop hook', prompt(`Stop hook feedback:\n${nudge}`, { isMeta: true })],
  ])('delivered by %s are seen', (_how, row) => {
    const told = decode([prompt('x'), row]);
    expect(told.of('message_taken').map((event) => event.message)).toEqual([MESSAGE]);
    expect(told.of('user').every((event) => event.text === 'x' || event.automated)).toBe(true);
  });

  it('are seen once, although three lines carry them', () => {
    const told = decode([
      prompt('x'),
      { type: 'queue-operation', operation: 'enqueue', sessionId: SESSION, content: nudge },
      attachment('hook_blocking_error', { blockingError: { blockingError: nudge } }),
      prompt(`Stop hook feedback:\n${nudge}`, { isMeta: true }),
    ]);
    expect(told.of('message_taken')).toHaveLength(1);
  });

  it('are not delivered while they are in the queue', () => {
    expect(
      decode([{ type: 'queue-operation', operation: 'enqueue', sessionId: SESSION, content: nudge }]).events,
    ).toEqual([]);
  });

  it('are recognised in a call that our hook refused, but not in a file that contains them', () => {
    const refused = result(
      'a',
      `PreToolUse:Bash hook error: ${nudge}`,
      { is_error: true },
      { toolDenialKind: 'permission-rule', permissionDecision: { source: 'hook' } },
    );
    expect(decode([call('a', 'Bash', { command: 'x' }), refused]).of('message_taken')).toHaveLength(1);
    expect(decode([call('a', 'Read', { file_path: '/x' }), result('a', nudge)]).of('message_taken')).toHaveLength(0);
  });
});

describe("what is not a person's prompt", () => {
  it('may be a failed stop hook that does not block: it ends the turn', () => {
    const failed = 'Failed with non-blocking status code: /bin/sh: notify: not found';
    const ended = (summary: object) =>
      decode([prompt('x'), say('Done.', { stop_reason: null }), system('stop_hook_summary', { ...summary })]).story;
    expect(ended({ hookErrors: [failed] })).toEqual(['user', 'assistant', 'turn_end']);
    // Newer versions say which of the errors are failures.
    expect(ended({ hookErrors: ['not found'], failedHookErrorIndexes: [0] })).toEqual([
      'user',
      'assistant',
      'turn_end',
    ]);
    expect(ended({ hookErrors: [], preventedContinuation: true })).toEqual(['user', 'assistant', 'turn_end']);
    expect(ended({ hookErrors: [failed, 'run the tests'] })).toEqual(['user', 'assistant']);
    expect(ended({ hookErrors: ['run the tests'], failedHookErrorIndexes: [] })).toEqual(['user', 'assistant']);
    expect(ended({ hookAdditionalContext: ['run the tests'] })).toEqual(['user', 'assistant']);
  });

  it('may be a slash command that the CLI answers with a system line: it opens no turn', () => {
    const command = prompt('<command-name>/reload-plugins</command-name>\n<command-args></command-args>');
    const output = system('local_command', { content: '<local-command-stdout>Reloaded</local-command-stdout>' });
    expect(decode([prompt('x'), say('Done.'), command, output, prompt('y')]).story).toEqual([
      'user',
      'assistant',
      'turn_end',
      'other',
      'user',
    ]);
  });

  it.each([
    '<task-notification>\n<task-id>b1</task-id>',
    '<teammate-message from="lead">',
    '<ci-monitor-event>CI failed',
  ])('may be news sent by a program: it is automated, whatever its origin says: %s', (text) => {
    const told = decode([
      prompt(text, { origin: { kind: 'human' }, promptSource: 'sdk' }),
      attachment('queued_command', { prompt: text, commandMode: 'prompt' }),
    ]);
    expect(told.of('user').map((event) => event.automated)).toEqual([true, true]);
  });

  it('may be lines that a rewound conversation repeats with new ids and old times: they count once', () => {
    const asked = prompt('x', { timestamp: '2026-11-20T12:00:01.000Z' });
    const text = { type: 'text', text: 'Let me look.' };
    const said = answer([text], { timestamp: '2026-11-20T12:00:02.000Z' }, { id: 'msg_a' });
    const again = (row: object) => ({ ...envelope(), ...row, uuid: envelope()['uuid'] });
    const told = decode([asked, said, again(asked), again(said)]);
    expect(told.story).toEqual(['user', 'assistant', 'other', 'other']);
    // The editor added an open file to the prompt, and the repetition does not.
    const beside = [
      { type: 'text', text: '<ide_opened_file>a.ts</ide_opened_file>' },
      { type: 'text', text: 'x' },
    ];
    const withFile = prompt(beside, { timestamp: '2026-11-20T12:00:01.000Z' });
    expect(decode([withFile, said, again(asked), again(said)]).story).toEqual(['user', 'assistant', 'other', 'other']);
    // The same words a second later are a new message.
    const later = answer([text], { timestamp: '2026-11-20T12:00:03.000Z' }, { id: 'msg_a' });
    expect(decode([asked, said, later]).story).toEqual(['user', 'assistant', 'assistant']);
  });
});
