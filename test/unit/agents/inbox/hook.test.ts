import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  deliveries,
  forgetProofs,
  installHook,
  isProven,
  type MessageDraft,
  prepareUnstuck,
  recordRoot,
  sendMessage,
  takeMessages,
} from '../../../../src/agents/inbox';
import { type HookAnswer, type HookForm, type Readiness, SILENT } from '../../../../src/agents/inbox/hook/hook-form';
import { runHook } from '../../../../src/agents/inbox/hook/hook-run';
import { claudeHookForm } from '../../../../src/agents/claude-code/bridge-hook';
import { shared } from '../../support/shared';
import {
  callHook,
  callHookLater,
  hookBundle,
  hookLog,
  hookScript,
  filesIn,
  payload,
  scratch,
  SESSION,
  type Stage,
  stage,
} from './hook-kit';

let place: { path: string; remove: () => void };
let at: Stage;

beforeEach(async () => {
  place = scratch();
  at = await stage(place.path);
});
afterEach(() => place.remove());

async function send(text: string, more: Partial<MessageDraft> = {}): Promise<string> {
  const sent = await sendMessage(
    at.project,
    { session: at.session, agent: 'claude-code', kind: 'nudge', text, automated: true, ...more },
    Date.now(),
  );
  if (!sent.ok) throw new Error(sent.error.message);
  return sent.value.message.id;
}

const INTERACTIVE = { CLAUDE_CODE_ENTRYPOINT: 'cli', HOME: '/home/dev', CLAUDE_PID: '4711' };
const EVENTS = ['SessionStart', 'UserPromptSubmit', 'PreToolUse', 'PostToolBatch', 'Stop', 'FileChanged'];

describe('with nothing waiting', () => {
  it.each(EVENTS)('%s prints nothing and exits with 0', (event) => {
    for (const entry of ['cli', 'sdk-cli']) {
      const answer = callHook(at, event, { env: { CLAUDE_CODE_ENTRYPOINT: entry } });
      expect(answer).toEqual({ code: 0, stdout: '', stderr: '' });
    }
  });

  it('starts no JavaScript runtime, even if a message for another session is queued', async () => {
    await send('for somebody else', { session: 'another-session' });
    writeFileSync(join(at.hook, 'runtime'), '/no/such/runtime\n');
    expect(callHook(at, 'PostToolBatch')).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(hookLog(at)).toBe('');
    await send('for this one');
    callHook(at, 'PostToolBatch');
    expect(hookLog(at)).toContain('no JavaScript runtime could be run');
  });

  it('proves that the agent runs its hooks, for this session alone, until it is connected again', async () => {
    expect(await isProven(at.hook, 'claude-code', at.session)).toBe(false);
    callHook(at, 'UserPromptSubmit');
    expect(await isProven(at.hook, 'claude-code', at.session)).toBe(true);
    expect(await isProven(at.hook, 'claude-code', 'another')).toBe(false);
    expect(await isProven(at.hook, 'codex', at.session)).toBe(false);
    await forgetProofs(at.hook, { before: Date.now() });
    expect(await isProven(at.hook, 'claude-code', at.session)).toBe(true);
    await forgetProofs(at.hook, { agent: 'claude-code' });
    expect(await isProven(at.hook, 'claude-code', at.session)).toBe(false);
    callHook(at, 'PostToolBatch');
    await forgetProofs(at.hook, { before: Date.now() + 8 * 24 * 3_600_000 });
    expect(await isProven(at.hook, 'claude-code', at.session)).toBe(false);
  });

  it('reads a payload of 1 MB to its end, so that the agent never writes into a closed pipe', async () => {
    const raw = JSON.stringify(payload(at, 'PostToolBatch', { padding: 'x'.repeat(1_000_000) }));
    const answer = await callHookLater(at, 'PostToolBatch', { raw });
    expect(answer).toEqual({ code: 0, stdout: '', stderr: '' });
  });
});

describe('with one message waiting', () => {
  it.each(['UserPromptSubmit', 'PostToolBatch'])('%s delivers it as additional context, once', async (event) => {
    const id = await send('The same command failed 6 times. Read the error first.');
    const answer = callHook(at, event);
    expect(answer.code).toBe(0);
    expect(JSON.parse(answer.stdout)).toEqual({
      hookSpecificOutput: {
        hookEventName: event,
        additionalContext: `The same command failed 6 times. Read the error first. [unstuck ${id}]`,
      },
    });
    expect(filesIn(at, 'new')).toEqual([]);
    expect(filesIn(at, 'cur')).toEqual([`${id}.json`]);
    expect(callHook(at, event).stdout).toBe('');
    const known = await deliveries(at.project, at.session, Date.now());
    expect(known.ok && known.value.deliveries.map((one) => [one.state, one.by])).toEqual([['taken', `hook:${event}`]]);
  });

  it('Stop sends the agent on with the text, once, even if a hook of the user has held the turn before', async () => {
    const id = await send('Run the tests before you end.');
    const held = { payload: payload(at, 'Stop', { stop_hook_active: true }) };
    expect(JSON.parse(callHook(at, 'Stop', held).stdout)).toEqual({
      decision: 'block',
      reason: `Run the tests before you end. [unstuck ${id}]`,
    });
    expect(callHook(at, 'Stop', held).stdout).toBe('');
  });

  it('SessionStart delivers nothing: the person may leave before the first prompt, which carries it', async () => {
    const id = await send('Read the error first.');
    const started = callHook(at, 'SessionStart', { env: { CLAUDE_CODE_ENTRYPOINT: 'cli' } });
    expect(started.stdout).toContain('watchPaths');
    expect(started.stdout).not.toContain(id);
    expect(filesIn(at, 'new')).toEqual([`${id}.json`]);
    expect(callHook(at, 'UserPromptSubmit').stdout).toContain(id);
  });

  it('FileChanged does not wake an agent that its person interrupted; their next prompt brings the message', async () => {
    const transcript = join(place.path, 'transcript.jsonl');
    const line = (row: object): string => `${JSON.stringify(row)}\n`;
    const said = (content: string): string => line({ type: 'user', message: { role: 'user', content } });
    writeFileSync(transcript, said('Make the tests pass.') + said('[Request interrupted by user]'));
    const home = join(place.path, 'home');
    const registry = join(home, '.claude/sessions/4711.json');
    mkdirSync(join(registry, '..'), { recursive: true });
    writeFileSync(registry, JSON.stringify({ sessionId: at.session, status: 'idle' }));
    const env = { CLAUDE_CODE_ENTRYPOINT: 'cli', HOME: home, CLAUDE_PID: '4711' };
    const id = await send('Look at the other file.');
    const changed = { payload: payload(at, 'FileChanged', { transcript_path: transcript }), env };
    expect(callHook(at, 'FileChanged', changed)).toEqual({ code: 0, stdout: '', stderr: '' });

    expect(callHook(at, 'UserPromptSubmit').stdout).toContain(id);
  });

  it('an agent that becomes idle while the hook waits is checked once more: the reason may come a moment later', async () => {
    const id = await send('Look at the other file.');
    const woken = (answers: Readiness[]): Promise<HookAnswer> => {
      const form: HookForm = {
        agent: 'claude-code',
        read: () => ({
          sessions: [at.session],
          folders: [at.project],
          choose: (waiting) => waiting,
          watches: false,
          ready: () => answers.shift() ?? 'no',
        }),
        answer: (_event, messages) => ({ ...SILENT, stdout: messages.map((one) => one.id).join() }),
      };
      const call = { event: 'FileChanged', payload: '{}', env: {}, hookFolder: at.hook, log: () => {} };
      return runHook({ ...call, form, now: Date.now() });
    };
    expect((await woken(['not_yet', 'yes', 'no'])).stdout).toBe('');
    expect(filesIn(at, 'new')).toEqual([`${id}.json`]);
    expect((await woken(['not_yet', 'yes', 'yes'])).stdout).toBe(id);
  });

  it('FileChanged wakes the parent of a sub-agent that works in the background: its own turn has ended, whatever the registry says', () => {
    const ready = (...rows: object[]): Readiness | undefined =>
      claudeHookForm
        .read('FileChanged', { session_id: 'one', cwd: '/w', transcript_path: '/t' }, INTERACTIVE, () => null)
        ?.ready?.({
          small: () => JSON.stringify({ sessionId: 'one', status: 'busy' }),
          end: () => rows.map((row) => JSON.stringify(row)).join('\n'),
          now: () => 0,
        });
    const ended = { type: 'system', subtype: 'turn_duration' };
    const prompt = { type: 'user', message: { content: 'Go on.' } };
    expect(ready({ type: 'assistant', message: {} }, ended)).toBe('yes');
    expect(ready(ended, { type: 'user', isSidechain: true, message: { content: 'of the sub-agent' } })).toBe('yes');
    expect(ready(ended, prompt)).toBe('not_yet');
    expect(ready(ended, prompt, { type: 'assistant', message: { stop_reason: 'tool_use' } })).toBe('not_yet');
  });

  it('FileChanged waits for the reason why a session has just become idle: lines of its transcript come later than its registry entry', () => {
    const call = { type: 'assistant', message: { stop_reason: 'tool_use' } };
    const escape = {
      type: 'user',
      message: { content: [{ type: 'text', text: '[Request interrupted by user for tool use]' }] },
    };
    const ready = (age: number, ...rows: object[]): Readiness | undefined =>
      claudeHookForm
        .read('FileChanged', { session_id: 'one', cwd: '/w', transcript_path: '/t' }, INTERACTIVE, () => null)
        ?.ready?.({
          small: () => JSON.stringify({ sessionId: 'one', status: 'idle', statusUpdatedAt: 10_000 }),
          end: () => rows.map((row) => JSON.stringify(row)).join('\n'),
          now: () => 10_000 + age,
        });
    expect(ready(50, call)).toBe('not_yet');
    expect(ready(150, call, escape)).toBe('no');
    expect(ready(50, call, { type: 'system', subtype: 'turn_duration' })).toBe('yes');
    expect(ready(600, call)).toBe('yes');
  });

  it('FileChanged wakes an interactive agent by standard error and exit code 2', async () => {
    const id = await send('Look at the other file.');
    const answer = callHook(at, 'FileChanged', { env: { CLAUDE_CODE_ENTRYPOINT: 'cli' } });
    expect(answer).toEqual({ code: 2, stdout: '', stderr: `Look at the other file. [unstuck ${id}]\n` });
    const again = callHook(at, 'FileChanged', { env: { CLAUDE_CODE_ENTRYPOINT: 'cli' } });
    expect(again).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  it('FileChanged takes nothing in print mode, where its text would be lost', async () => {
    const id = await send('Look at the other file.');
    expect(callHook(at, 'FileChanged')).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(filesIn(at, 'new')).toEqual([`${id}.json`]);
  });

  it('FileChanged leaves a message to the next tool call while the session is busy, and wakes it if the turn ends meanwhile', async () => {
    const home = join(place.path, 'home');
    const registry = join(home, '.claude/sessions/4711.json');
    mkdirSync(join(registry, '..'), { recursive: true });
    const status = (now: string): void =>
      writeFileSync(registry, JSON.stringify({ pid: 4711, sessionId: at.session, status: now }));
    const env = { CLAUDE_CODE_ENTRYPOINT: 'cli', HOME: home, CLAUDE_PID: '4711' };
    status('busy');
    const id = await send('Look at the other file.');
    const woken = callHookLater(at, 'FileChanged', { env });
    expect(callHook(at, 'PostToolBatch', { env }).stdout).toContain(id);
    expect(await woken).toEqual({ code: 0, stdout: '', stderr: '' });

    const next = await send('And at the tests.');
    const waiting = callHookLater(at, 'FileChanged', { env });
    setTimeout(() => status('idle'), 300);
    expect((await waiting).stderr).toContain(next);
  });

  it('FileChanged follows the registry of Claude Code, and wakes the agent if that says nothing', () => {
    const ready = (text: string | null): Readiness | undefined =>
      claudeHookForm
        .read('FileChanged', { session_id: 'one', cwd: '/w' }, INTERACTIVE, () => null)
        ?.ready?.({
          small: (path) => (path === '/home/dev/.claude/sessions/4711.json' ? text : null),
          end: () => null,
          now: () => 0,
        });
    const says = (status: string, sessionId = 'one'): string => JSON.stringify({ sessionId, status });
    expect(['busy', 'waiting'].map((status) => ready(says(status)))).toEqual(['not_yet', 'not_yet']);
    for (const text of [says('idle'), says('other'), says('busy', 'another'), null, '', '[]', 'null']) {
      expect(ready(text)).toBe('yes');
    }
  });

  it('PreToolUse leaves a nudge to the event after the call', async () => {
    const id = await send('Read the error first.');
    expect(callHook(at, 'PreToolUse').stdout).toBe('');
    expect(filesIn(at, 'new')).toEqual([`${id}.json`]);
  });

  it('of several hooks at once, exactly one delivers it', async () => {
    const id = await send('Once only.');
    const answers = await Promise.all(Array.from({ length: 5 }, () => callHookLater(at, 'PostToolBatch')));
    expect(answers.filter((answer) => answer.stdout.includes(id))).toHaveLength(1);
    expect(answers.every((answer) => answer.code === 0)).toBe(true);
  });

  it('the answer is the same with dash and with bash as sh', async () => {
    for (const shell of ['dash', 'bash']) {
      const id = await send(`for ${shell}`);
      const options = shell === 'bash' ? { shell, env: { POSIXLY_CORRECT: '1' } } : { shell };
      const answer = callHook(at, 'PostToolBatch', options);
      expect(answer.stdout).toContain(id);
      expect(callHook(at, 'PostToolBatch', options)).toEqual({ code: 0, stdout: '', stderr: '' });
    }
  });
});

describe('the payloads that Claude Code really wrote', () => {
  const recorded = shared('transcripts/claude-code/hook-payloads.jsonl');

  it.skipIf(recorded === undefined)(
    'are each answered as their event requires, and events that carry no message get no answer',
    async () => {
      const lines = readFileSync(recorded ?? '', 'utf8')
        .split('\n')
        .filter(Boolean);
      const answered: string[] = [];
      for (const line of lines) {
        const given = { ...(JSON.parse(line) as Record<string, unknown>), cwd: at.project };
        const { session_id: session, hook_event_name: event } = given as unknown as Record<string, string>;
        if (session === undefined || event === undefined) throw new Error('not a payload');
        const id = await send('A nudge.', { session });
        const answer = callHook(at, event, { payload: given, env: { CLAUDE_CODE_SESSION_ID: session } });
        expect([answer.code, answer.stderr]).toEqual([0, '']);
        if (answer.stdout !== '') {
          expect(JSON.parse(answer.stdout)).toEqual(expect.anything());
          expect(answer.stdout).toContain(id);
          answered.push(event);
        }
        await takeMessages({ root: at.project, session, by: 'test', now: Date.now(), choose: (all) => all });
      }
      expect(answered).toEqual(['UserPromptSubmit', 'PostToolBatch', 'Stop']);
    },
  );
});

describe('the delivery', () => {
  it('contains all texts that wait in one answer, oldest first, each with its mark', async () => {
    const first = await send('First.');
    const second = await send('Second.', { kind: 'gate' });
    const { additionalContext } = JSON.parse(callHook(at, 'PostToolBatch').stdout).hookSpecificOutput;
    expect(additionalContext).toBe(`First. [unstuck ${first}]\n\nSecond. [unstuck ${second}]`);
  });

  it('leaves more than one answer carries to the next call, and cuts a single long text but keeps its mark', async () => {
    const first = await send('a'.repeat(20_000));
    const second = await send('b'.repeat(100));
    const one = JSON.parse(callHook(at, 'PostToolBatch').stdout).hookSpecificOutput.additionalContext as string;
    expect(one.length).toBeLessThanOrEqual(9_000);
    expect(one.endsWith(`… [unstuck ${first}]`)).toBe(true);
    expect(filesIn(at, 'new')).toEqual([`${second}.json`]);
    expect(callHook(at, 'PostToolBatch').stdout).toContain(second);
  });

  it('never includes an expired message, which goes to cur with its receipt', async () => {
    const id = await send('Too late.', { expiresIn: -1 });
    expect(callHook(at, 'PostToolBatch').stdout).toBe('');
    expect(filesIn(at, 'cur')).toEqual([`${id}.json`]);
    const known = await deliveries(at.project, at.session, Date.now());
    expect(known.ok && known.value.deliveries[0]?.state).toBe('expired');
  });

  it('leaves restart and escalate to the supervisor', async () => {
    const restart = { mode: 'resume', prompt: 'Go on from here.' } as const;
    const ids = [await send('', { kind: 'restart', restart }), await send('', { kind: 'escalate', restart })];
    for (const event of EVENTS) expect(callHook(at, event).stdout).toBe('');
    expect(filesIn(at, 'new')).toEqual(ids.map((id) => `${id}.json`));
  });

  it('ends the turn at a stop after the batch, before any text', async () => {
    const nudge = await send('A nudge.');
    const stop = await send('It repeats itself.', { kind: 'stop' });
    expect(JSON.parse(callHook(at, 'PostToolBatch').stdout)).toEqual({
      continue: false,
      stopReason: `It repeats itself. [unstuck ${stop}]`,
    });
    expect(filesIn(at, 'new')).toEqual([`${nudge}.json`]);
  });

  it('takes a stop that waits when the turn ends on its own, without a word, so that it does not end the next turn', async () => {
    const stop = await send('It repeats itself.', { kind: 'stop' });
    expect(callHook(at, 'Stop').stdout).toBe('');
    expect(filesIn(at, 'cur')).toEqual([`${stop}.json`]);
  });

  it('block refuses exactly that call, once, whatever the order of its arguments and its description', async () => {
    const call = { name: 'Bash', args: { description: 'again', timeout: 5, command: 'pytest -q' } };
    const id = await send('It failed 6 times with the same error.', { kind: 'block', call });
    const asked = (command: string): string =>
      callHook(at, 'PreToolUse', {
        payload: payload(at, 'PreToolUse', { tool_input: { command, timeout: 5, run_in_background: false } }),
      }).stdout;
    expect(asked('pytest')).toBe('');
    expect(JSON.parse(asked('pytest -q'))).toEqual({
      hookSpecificOutput: {
        hookEventName: 'PreToolUse',
        permissionDecision: 'deny',
        permissionDecisionReason: `It failed 6 times with the same error. [unstuck ${id}]`,
      },
    });
    expect(asked('pytest -q')).toBe('');
  });

  it('keeps quotes, line breaks and other alphabets as they were written', async () => {
    const text = 'Say "no"\nto \\ and $(rm -rf /) and `x` — 読んで 🙂';
    const id = await send(text);
    const { additionalContext } = JSON.parse(callHook(at, 'PostToolBatch').stdout).hookSpecificOutput;
    expect(additionalContext).toBe(`${text} [unstuck ${id}]`);
  });

  it('moves a file that is no message to cur as failed, and nothing else is kept from arriving', async () => {
    const id = await send('A good one.');
    const bad = '01JDAAAAAAAAAAAAAAAAAAAAAA';
    writeFileSync(join(at.project, '.unstuck/inbox', at.session, 'new', `${bad}.json`), '{ "v": 1, "text": ');
    expect(callHook(at, 'PostToolBatch').stdout).toContain(id);
    expect(filesIn(at, 'cur')).toEqual([`${bad}.json`, `${id}.json`].sort());
    const receipts = readFileSync(join(at.project, '.unstuck/inbox', at.session, 'receipts.jsonl'), 'utf8');
    expect(receipts).toContain(`"id":"${bad}","state":"failed"`);
    expect(hookLog(at)).toContain('not valid JSON');
  });
});

describe('the recipient of a message', () => {
  const SUB = 'ac8755bb1fb322fd8';

  it("is not a sub-agent's call if the message is for its parent, but is if it is for the sub-agent", async () => {
    const parent = await send('For the parent.');
    const own = await send('For the sub-agent.', { session: `agent-${SUB}` });
    const inSub = payload(at, 'PostToolBatch', {}, SUB);
    const answer = callHook(at, 'PostToolBatch', { payload: inSub });
    expect(answer.stdout).toContain(own);
    expect(answer.stdout).not.toContain(parent);
    expect(filesIn(at, 'new')).toEqual([`${parent}.json`]);
  });

  it('may be a sub-agent even while its parent has no message', async () => {
    const own = await send('For the sub-agent.', { session: `agent-${SUB}` });
    expect(callHook(at, 'PostToolBatch').stdout).toBe('');
    const inSub = payload(at, 'PostToolBatch', {}, SUB);
    expect(callHook(at, 'PostToolBatch', { payload: inSub }).stdout).toContain(own);
  });

  it('may be an agent in a subfolder of the workspace folder', async () => {
    const sub = join(at.project, 'packages/a');
    mkdirSync(sub, { recursive: true });
    const id = await send('For the one below.');
    const answer = callHook(at, 'PostToolBatch', {
      cwd: sub,
      env: { CLAUDE_PROJECT_DIR: sub },
      payload: payload(at, 'PostToolBatch', { cwd: sub }),
    });
    expect(answer.stdout).toContain(id);
  });

  it('may be an agent in a git worktree elsewhere, which belongs to the open repository', async () => {
    const tree = join(place.path, 'worktree');
    mkdirSync(join(at.project, '.git/worktrees/worktree'), { recursive: true });
    mkdirSync(tree);
    writeFileSync(join(tree, '.git'), `gitdir: ${at.project}/.git/worktrees/worktree\n`);
    writeFileSync(join(at.project, '.git/worktrees/worktree/commondir'), '../..\n');
    const id = await send('For the one in the worktree.');
    const options = { cwd: tree, env: { CLAUDE_PROJECT_DIR: tree, CLAUDE_CODE_ENTRYPOINT: 'cli' } };
    const base = { cwd: tree };
    expect(callHook(at, 'PostToolBatch', { ...options, payload: payload(at, 'PostToolBatch', base) }).stdout).toContain(
      id,
    );
    const start = callHook(at, 'SessionStart', { ...options, payload: payload(at, 'SessionStart', base) });
    expect(JSON.parse(start.stdout).hookSpecificOutput.watchPaths).toEqual([
      join(at.project, '.unstuck/inbox', at.session, 'wake'),
    ]);
  });

  it('an agent that works outside of every recorded folder gets nothing, even under the same session id', async () => {
    const elsewhere = join(place.path, 'elsewhere');
    mkdirSync(elsewhere);
    const id = await send('Not for it.');
    const answer = callHook(at, 'PostToolBatch', {
      cwd: elsewhere,
      env: { CLAUDE_PROJECT_DIR: elsewhere },
      payload: payload(at, 'PostToolBatch', { cwd: elsewhere }),
    });
    expect(answer).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(filesIn(at, 'new')).toEqual([`${id}.json`]);
  });

  it('may be a session whose id is no plain name, or whose id is not in the environment', async () => {
    const odd = 'a session/with ünusual name';
    const id = await send('For the odd one.', { session: odd });
    const answer = callHook(at, 'PostToolBatch', {
      env: { CLAUDE_CODE_SESSION_ID: odd },
      payload: payload(at, 'PostToolBatch', { session_id: odd }),
    });
    expect(answer.stdout).toContain(id);
    const other = await send('For the older agent.');
    expect(callHook(at, 'PostToolBatch', { env: { CLAUDE_CODE_SESSION_ID: '' } }).stdout).toContain(other);
  });

  it('is not another agent that shares the session id', async () => {
    const id = await send('For Codex.', { agent: 'codex' });
    expect(callHook(at, 'PostToolBatch').stdout).toBe('');
    expect(filesIn(at, 'new')).toEqual([`${id}.json`]);
  });
});

describe('SessionStart', () => {
  const cli = { env: { CLAUDE_CODE_ENTRYPOINT: 'cli' } };

  it('watches the wake file, whose folder it makes if the workspace folder has .unstuck', async () => {
    expect(callHook(at, 'SessionStart', cli).stdout).toBe('');
    expect(existsSync(join(at.project, '.unstuck'))).toBe(false);
    await prepareUnstuck(at.project);
    const wake = join(at.project, '.unstuck/inbox', SESSION, 'wake');
    expect(JSON.parse(callHook(at, 'SessionStart', cli).stdout)).toEqual({
      hookSpecificOutput: { hookEventName: 'SessionStart', watchPaths: [wake] },
    });
    expect(existsSync(join(wake, '..'))).toBe(true);
    expect(callHook(at, 'SessionStart').stdout).toBe('');
  });

  it('does so even for paths that need care in JSON, and leaves what waits to the prompt', async () => {
    const odd = join(place.path, 'a "quoted" \\ folder');
    mkdirSync(odd);
    await recordRoot(at.hook, odd);
    await prepareUnstuck(odd);
    const there = { ...at, project: odd };
    const wake = join(odd, '.unstuck/inbox', SESSION, 'wake');
    expect(JSON.parse(callHook(there, 'SessionStart', cli).stdout).hookSpecificOutput.watchPaths).toEqual([wake]);
    at = there;
    await send('Welcome back.');
    const answer = JSON.parse(callHook(there, 'SessionStart', cli).stdout).hookSpecificOutput;
    expect(answer).toEqual({ hookEventName: 'SessionStart', watchPaths: [wake] });
  });
});

describe('the agent is never harmed', () => {
  const hostile: [string, (stage: Stage) => void][] = [
    ['hook.js is gone', ({ hook }) => rmSync(join(hook, 'hook.js'))],
    ['hook.js is broken', ({ hook }) => writeFileSync(join(hook, 'hook.js'), 'throw new Error("no");')],
    ['the runtime is gone', ({ hook }) => writeFileSync(join(hook, 'runtime'), '/no/such/node\n')],
    ['the runtime is a folder', ({ hook }) => writeFileSync(join(hook, 'runtime'), `${hook}\n`)],
    ['the list of runtimes is gone', ({ hook }) => rmSync(join(hook, 'runtime'))],
    [
      'the runtime is no program',
      ({ hook }) => {
        writeFileSync(join(hook, 'odd'), '\u0000\u0001', { mode: 0o755 });
        writeFileSync(join(hook, 'runtime'), `${join(hook, 'odd')}\n`);
      },
    ],
    ['the runtime ends with 2', ({ hook }) => writeFileSync(join(hook, 'hook.js'), 'process.exit(2);')],
    [
      'the runtime is killed',
      ({ hook }) => writeFileSync(join(hook, 'hook.js'), 'process.kill(process.pid, "SIGKILL");'),
    ],
  ];

  it.each(hostile)('%s: exit code 0, nothing printed, the reason in the log', async (_, harm) => {
    const id = await send('A nudge.');
    harm(at);
    for (const event of ['PreToolUse', 'PostToolBatch', 'Stop']) {
      expect(callHook(at, event)).toEqual({ code: 0, stdout: '', stderr: '' });
    }
    expect(hookLog(at)).not.toBe('');
    expect(filesIn(at, 'new')).toEqual([`${id}.json`]);
  });

  it.each(['', '{', 'null', '[]', '{"session_id":7}', '{"session_id":"x","tool_calls":'])('payload %j', async (raw) => {
    await send('A nudge.', { session: 'x' });
    for (const event of EVENTS) {
      const answer = callHook(at, event, { raw, env: { CLAUDE_CODE_SESSION_ID: '' } });
      expect([answer.code, answer.stdout, answer.stderr]).toEqual([0, '', '']);
    }
  });

  it('an inbox replaced by a symbolic link is refused, and so is a link among the messages', async () => {
    const id = await send('A nudge.');
    const inbox = join(at.project, '.unstuck/inbox');
    const file = join(inbox, at.session, 'new', `${id}.json`);
    renameSync(file, join(place.path, 'elsewhere.json'));
    symlinkSync(join(place.path, 'elsewhere.json'), file);
    expect(callHook(at, 'PostToolBatch')).toEqual({ code: 0, stdout: '', stderr: '' });
    await send('Another nudge.');
    renameSync(inbox, join(place.path, 'moved'));
    symlinkSync(join(place.path, 'moved'), inbox);
    expect(callHook(at, 'PostToolBatch')).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(hookLog(at)).toContain('symbolic_link');
  });

  it('an unknown agent or event prints nothing', async () => {
    await send('A nudge.');
    for (const event of ['', 'PostToolUse', 'constructor', '__proto__']) {
      expect(callHook(at, event)).toEqual({ code: 0, stdout: '', stderr: '' });
    }
  });

  it('options for Node.js in the environment of the agent do not reach the hook', async () => {
    const id = await send('A nudge.');
    const answer = callHook(at, 'PostToolBatch', { env: { NODE_OPTIONS: '--require /no/such/file.js' } });
    expect(answer.stdout).toContain(id);
  });

  it('the log stays small', async () => {
    await send('A nudge.');
    writeFileSync(join(at.hook, 'runtime'), '/no/such/node\n');
    writeFileSync(join(at.hook, 'hook.log'), 'x'.repeat(70_000));
    callHook(at, 'PostToolBatch');
    expect(hookLog(at).length).toBeLessThan(1_000);
    expect(readFileSync(join(at.hook, 'hook.log.1'), 'utf8')).toHaveLength(70_000);
  });

  it('the second runtime of the list is used if the first is gone', async () => {
    const files = { script: hookScript, bundle: hookBundle(), runtimes: ['/no/such/node', process.execPath] };
    await installHook(at.hook, files);
    const id = await send('A nudge.');
    expect(callHook(at, 'PostToolBatch').stdout).toContain(id);
  });
});
