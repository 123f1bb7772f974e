import { spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createBridges } from '../../../../src/agents/bridges';
import { vscodeChat } from '../../../../src/agents/vscode-chat/adapter';
import { prepareUnstuck } from '../../../../src/agents/inbox';
import { hookBundle, hookLog, hookScript, filesIn, scratch, type Stage, stage } from '../inbox/hook-kit';
import { command, read, record } from '../vscode-chat/kit';
import { call as callCopilot, recorded, send } from './kit';

/** VS Code 1.139.1 runs those events of Copilot CLI's file that it knows, with its own input. */
const NAMES = {
  PreToolUse: 'preToolUse',
  PostToolUse: 'postToolUse',
  Stop: 'agentStop',
  UserPromptSubmit: 'userPromptSubmitted',
};
type Event = keyof typeof NAMES;

let place: { path: string; remove: () => void };
let at: Stage;
let transcript: string;

beforeEach(async () => {
  place = scratch();
  at = await stage(place.path);
  await prepareUnstuck(at.project);
  transcript = join(place.path, 'W/GitHub.copilot-chat/transcripts', `${at.session}.jsonl`);
  mkdirSync(dirname(transcript), { recursive: true });
});
afterEach(() => place.remove());

const folder = () => join(at.project, '.unstuck/inbox', at.session);
const calls = () => join(folder(), 'calls.jsonl');
const written = () =>
  readFileSync(calls(), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

function write(...records: readonly object[]): void {
  appendFileSync(transcript, records.map((one) => `${JSON.stringify(one)}\n`).join(''));
}

/** The recorded form of VS Code's payloads, for a call with this id. */
function payload(event: Event, id = 'call_1', more: object = {}): object {
  const head = {
    timestamp: '2026-11-22T10:07:42.690Z',
    hook_event_name: event,
    session_id: at.session,
    transcript_path: transcript,
  };
  const tool = { tool_name: 'run_in_terminal', tool_input: { command: 'npm run unit', explanation: 'run the tests' } };
  const use = { tool_use_id: `${id}__vscode-1795341859270` };
  switch (event) {
    case 'PreToolUse':
      return { ...head, ...tool, ...use, cwd: at.project, ...more };
    case 'PostToolUse':
      return { ...head, ...tool, tool_response: 'FAIL expected 6 got 5', ...use, cwd: at.project, ...more };
    case 'Stop':
      return { ...head, stop_hook_active: false, cwd: at.project, ...more };
    case 'UserPromptSubmit':
      return { ...head, prompt: 'Fix it', cwd: at.project, ...more };
  }
}

function call(event: Event, given: object = payload(event)): unknown {
  const ran = spawnSync('sh', [join(at.hook, 'hook.sh'), 'copilot-cli', NAMES[event]], {
    cwd: at.project,
    env: { PATH: process.env['PATH'] ?? '' },
    input: JSON.stringify(given),
    encoding: 'utf8',
  });
  expect([ran.status, ran.stderr]).toEqual([0, '']);
  return ran.stdout === '' ? null : (JSON.parse(ran.stdout) as unknown);
}

const output = (fields: object) => ({ hookSpecificOutput: fields });

describe('a message for VS Code’s chat agent', () => {
  it('comes after the result of its next call, once', async () => {
    write(record.start(), record.user(0, 'Fix it'), record.asks(1, command('call_1')));
    const id = await send(at, 'vscode-chat', at.session);
    expect(call('PreToolUse')).toEqual(
      output({ hookEventName: 'PreToolUse', additionalContext: `Read the error first. [unstuck ${id}]` }),
    );
    expect(call('PreToolUse')).toBeNull();
    expect(filesIn(at, 'cur')).toEqual([`${id}.json`]);
  });

  it('holds the end of its turn', async () => {
    const id = await send(at, 'vscode-chat', at.session);
    expect(call('UserPromptSubmit')).toBeNull();
    expect(call('PostToolUse')).toBeNull();
    expect(call('Stop')).toEqual(
      output({ hookEventName: 'Stop', decision: 'block', reason: `Read the error first. [unstuck ${id}]` }),
    );
  });

  it('refuses exactly the call that it names, whatever reason the agent gives for it', async () => {
    write(record.start(), record.asks(1, command('call_1')));
    const block = {
      kind: 'block',
      text: 'It failed 9 times.',
      call: { name: 'run_in_terminal', args: { command: 'npm run unit', explanation: 'try again', goal: 'see' } },
    } as const;
    const id = await send(at, 'vscode-chat', at.session, block);
    const other = payload('PreToolUse', 'call_1', { tool_input: { command: 'npm run lint' } });
    expect(call('PreToolUse', other)).toBeNull();
    expect(call('PreToolUse')).toEqual(
      output({
        hookEventName: 'PreToolUse',
        permissionDecision: 'deny',
        permissionDecisionReason: `It failed 9 times. [unstuck ${id}]`,
      }),
    );
  });

  it('is not taken by its sub-agent, whose calls carry the same session', async () => {
    const task = ['sub', 'runSubagent', { prompt: 'Look' }] as const;
    write(
      record.start(),
      record.asks(1, task, command('beside')),
      record.user(2, 'Look'),
      record.asks(3, read('inner')),
    );
    await send(at, 'vscode-chat', at.session);
    expect(call('PreToolUse', payload('PreToolUse', 'inner'))).toBeNull();
    expect(call('PreToolUse', payload('PreToolUse', 'not-written-yet'))).toBeNull();
    expect(filesIn(at, 'new')).toHaveLength(1);
    expect(call('PreToolUse', payload('PreToolUse', 'beside'))).not.toBeNull();
    await send(at, 'vscode-chat', at.session);
    write(record.done(5, 'sub'), record.asks(6, command('after')));
    expect(call('PreToolUse', payload('PreToolUse', 'after'))).not.toBeNull();
  });

  it('waits if the transcript cannot be read, or is none', async () => {
    await send(at, 'vscode-chat', at.session);
    expect(call('PreToolUse')).toBeNull();
    expect(call('PreToolUse', payload('PreToolUse', 'call_1', { transcript_path: '/etc/passwd' }))).toBeNull();
    expect(call('Stop')).not.toBeNull();
  });

  it('and one for Copilot CLI are distinguished by their caller', async () => {
    const one = recorded('copilot-cli').find(({ event }) => event === 'postToolUse');
    if (!one) throw new Error('nothing was recorded');
    await send(at, 'copilot-cli', String(one.payload['sessionId']));
    await send(at, 'vscode-chat', at.session);
    write(record.start(), record.asks(1, command('call_1')));
    expect(callCopilot(at, 'copilot-cli', one)).toHaveProperty('additionalContext');
    expect(call('PreToolUse')).toHaveProperty('hookSpecificOutput');
    expect(hookLog(at)).toBe('');
  });
});

it('a call of VS Code proves its own connection, and not that of Copilot CLI', () => {
  const proofs = () => readdirSync(join(at.hook, 'proofs'));
  call('UserPromptSubmit');
  expect(proofs()).toEqual([`vscode-chat.${at.session}`]);
  const [one] = recorded('copilot-cli');
  if (one) callCopilot(at, 'copilot-cli', one);
  expect(proofs().sort()).toEqual(['copilot-cli', `vscode-chat.${at.session}`]);
});

describe('the outcome of a call', () => {
  it('is written down next to the messages, for the chat alone', () => {
    for (const one of recorded('copilot-cli')) callCopilot(at, 'copilot-cli', one);
    expect(existsSync(calls())).toBe(false);
    call('PostToolUse');
    const tricky = 'says ","tool_use_id":"x" and\n"cwd":"/tmp" \\ \u0001 ünï';
    call('PostToolUse', payload('PostToolUse', 'call_2', { tool_response: tricky }));
    expect(written()).toEqual([
      {
        v: 1,
        t: '2026-11-22T10:07:42.690Z',
        hook: 'PostToolUse',
        call: 'call_1__vscode-1795341859270',
        tool: 'run_in_terminal',
        output: 'FAIL expected 6 got 5',
      },
      expect.objectContaining({ call: 'call_2__vscode-1795341859270', output: tricky }),
    ]);
    expect(hookLog(at)).toBe('');
  });

  it('starts no JavaScript runtime, even while a message waits', async () => {
    await send(at, 'vscode-chat', at.session);
    writeFileSync(join(at.hook, 'runtime'), '/no/such/runtime\n');
    expect(call('PostToolUse')).toBeNull();
    expect(call('UserPromptSubmit')).toBeNull();
    expect(hookLog(at)).toBe('');
    expect(written()).toHaveLength(1);
  });

  it.each([
    ['an id that is a path', { tool_use_id: '../../../x' }],
    ['a session that is a path', { session_id: '../../../../x' }],
    ['a folder that is not open', { cwd: '/' }],
    ['a folder that is none', { cwd: '/no/such/folder' }],
    ['a name that is no tool', { tool_name: 'run"; rm -rf /' }],
    ['a time that is none', { timestamp: '$(date)' }],
    ['a result that is no text', { tool_response: { a: 1 } }],
    ['a result of 1 MB', { tool_response: 'x'.repeat(1_000_000) }],
    ['no call', { tool_use_id: undefined }],
    ['an event that is none', { hook_event_name: '../../x' }],
  ])('is left out for %s', (_what, more) => {
    expect(call('PostToolUse', payload('PostToolUse', 'call_1', more))).toBeNull();
    expect(existsSync(calls())).toBe(false);
    expect(existsSync(join(place.path, 'x'))).toBe(false);
  });

  it('never follows a link, and does not grow without limit', () => {
    const elsewhere = join(place.path, 'elsewhere');
    mkdirSync(elsewhere);
    mkdirSync(dirname(folder()), { recursive: true });
    symlinkSync(elsewhere, folder());
    call('PostToolUse');
    expect(existsSync(join(elsewhere, 'calls.jsonl'))).toBe(false);
    const other = { session_id: 'another' };
    const file = join(dirname(folder()), 'another/calls.jsonl');
    mkdirSync(dirname(file));
    writeFileSync(file, `${'x'.repeat(2_100_000)}\n`);
    call('PostToolUse', payload('PostToolUse', 'call_1', other));
    expect(readFileSync(file, 'utf8').split('\n')).toHaveLength(2);
  });

  it('is read along with the session', () => {
    expect(vscodeChat.files?.(transcript, at.project).companions).toContain(calls());
  });
});

it('one file connects both, each says so, and undoing either restores it byte for byte', async () => {
  const home = join(place.path, 'home');
  const file = join(home, '.copilot/hooks/unstuck.json');
  const before =
    '{\n  "version": 1,\n  "hooks": {\n    "postToolUse": [{ "type": "command", "bash": "say done" }]\n  }\n}\n';
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, before);
  const bridges = createBridges({
    home,
    env: { PATH: process.env['PATH'] },
    hookFolder: at.hook,
    hookFiles: () => Promise.resolve({ script: hookScript, bundle: hookBundle(), runtimes: [process.execPath] }),
    now: () => Date.now(),
  });
  const target = { folder: at.project, workspaceFolders: [at.project], scope: 'user' } as const;
  const [chat, copilot] = [bridges.get('vscode-chat'), bridges.get('copilot-cli')];
  const plan = await chat?.plan(target);
  if (!chat || !copilot || !plan?.ok) throw new Error('no plan');
  expect((await chat.connect(plan.value)).ok).toBe(true);
  expect((await copilot.status(target)).state).toBe('connected');
  expect((await chat.status(target)).state).toBe('connected');
  expect(await chat.test()).toMatchObject({ passed: true });
  expect(await copilot.test()).toMatchObject({ passed: true });
  expect((await copilot.disconnect(target)).ok).toBe(true);
  expect(readFileSync(file, 'utf8')).toBe(before);
  expect((await chat.status(target)).state).toBe('not_connected');
});
