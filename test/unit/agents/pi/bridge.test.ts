import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { inboxFolder, type MessageDraft, prepareUnstuck, recordRoot, sendMessage } from '../../../../src/agents/inbox';
import { piExtension } from '../../../../src/agents/pi/bridge';
import { createPluginBridge } from '../../../../src/agents/shared/connect/plugin-bridge';
import { extendPi, type PiContext } from '../../../../src/agents/pi/bridge-extension';
import { PATIENCE } from '../../../support/patience';
import { pluginEnvironment, pluginFolders } from '../plugin-stage';

let home = '';
let root = '';
let hookFolder = '';
beforeEach(() => {
  ({ home, root, hookFolder } = pluginFolders());
});

const SESSION = '01a21ac8-4bd3-7dfa-997d-7ee7c437d43c';

/** pi around the extension, in the middle of a turn: records what it was asked to do. */
async function running({ hasUI = true, openedLater = false } = {}) {
  const openFolder = async () => {
    await prepareUnstuck(root);
    await recordRoot(hookFolder, root);
  };
  if (!openedLater) await openFolder();
  const asked: string[] = [];
  const handlers = new Map<string, (event: unknown, context: PiContext) => unknown>();
  const state = { idle: false, aborted: false };
  const context: PiContext = {
    cwd: root,
    hasUI,
    sessionManager: { getSessionId: () => SESSION },
    isIdle: () => state.idle,
    get signal() {
      return state.idle ? undefined : { aborted: state.aborted };
    },
    abort: () => void asked.push('abort'),
  };
  const pi = {
    on: (event: string, handler: (event: unknown, context: PiContext) => unknown) => void handlers.set(event, handler),
    sendUserMessage: (text: string, { deliverAs }: { deliverAs: string }) => void asked.push(`${deliverAs}: ${text}`),
    sendMessage: ({ content }: { content: string }) => void asked.push(`note: ${content}`),
  };
  let later = 0;
  extendPi(pi, hookFolder, () => Date.now() + later);
  const raise = (event: string, given: object = {}) => Promise.resolve(handlers.get(event)?.(given, context));
  await raise('session_start');
  if (openedLater) await openFolder();
  later = openedLater ? 60_000 : 0;
  await raise('before_agent_start', { prompt: 'Fix it.' });
  const call = (command: string, toolCallId = 'call_1') =>
    raise('tool_call', { toolName: 'bash', toolCallId, input: { command } });
  const result = (toolCallId = 'call_1') => raise('tool_result', { toolName: 'bash', toolCallId });
  /** The turn ends. */
  const end = async (stopReason = 'stop') => {
    state.idle = true;
    await raise('agent_end', { messages: [{ role: 'assistant', stopReason }] });
  };
  /** Escape, while a call runs. */
  const escape = async () => {
    state.aborted = true;
    await result();
    await end('aborted');
  };
  return { asked, raise, call, result, end, escape };
}

const nudge = { session: SESSION, agent: 'pi', kind: 'nudge', text: 'Look elsewhere.', automated: true } as const;
async function send(draft: Partial<MessageDraft> = {}) {
  const sent = await sendMessage(root, { ...nudge, ...draft }, Date.now());
  if (!sent.ok) throw new Error(sent.error.message);
  return sent.value.message.id;
}
const waiting = () => readdirSync(inboxFolder(root, SESSION).new);
const moment = () => new Promise((done) => setTimeout(done, 150));

describe("what the extension delivers to pi's sessions", () => {
  it('is a text with the result of the running call, not earlier, and once', async () => {
    const { asked, call, result } = await running();
    await call('npm test');
    const id = await send();
    await moment();
    expect(asked).toEqual([]);
    await result();
    await result();
    expect(asked).toEqual([`steer: Look elsewhere. [unstuck ${id}]`]);
  });

  it('is a text delivered at once while the model answers: at the end of a turn pi does not wait', async () => {
    const { asked } = await running({ hasUI: false });
    await send();
    await vi.waitFor(() => expect(asked).toHaveLength(1), PATIENCE);
  });

  it('wakes a session in a terminal whose turn has ended', async () => {
    const { asked, end } = await running();
    await end();
    await send();
    await vi.waitFor(() => expect(asked).toHaveLength(1), PATIENCE);
  });

  it('wakes a session that ran before its folder was opened here, once its person has written', async () => {
    const { asked, end } = await running({ openedLater: true });
    await end();
    await send();
    await vi.waitFor(() => expect(asked).toHaveLength(1), PATIENCE);
  });

  it('stays where it is when a run without a person has ended', async () => {
    const { asked, end } = await running({ hasUI: false });
    await end();
    await send();
    await moment();
    expect(asked).toEqual([]);
    expect(waiting()).toHaveLength(1);
  });

  it('does not restart a turn that a person ended; their next prompt brings the text', async () => {
    const { asked, call, escape, raise } = await running();
    await call('npm test');
    const id = await send();
    await escape();
    await moment();
    expect(asked).toEqual([]);
    expect(await raise('before_agent_start', { prompt: 'Go on then.' })).toMatchObject({
      message: { content: `Look elsewhere. [unstuck ${id}]`, display: true },
    });
  });

  it('stops a working session at once, and leaves the reason there', async () => {
    const { asked, call, end } = await running();
    await call('npm test');
    const id = await send({ kind: 'stop', text: 'It repeats itself.' });
    await vi.waitFor(() => expect(asked).toEqual(['abort']), PATIENCE);
    await end('aborted');
    expect(asked).toEqual(['abort', `note: It repeats itself. [unstuck ${id}]`]);
  });

  it('refuses exactly the call that is named, once', async () => {
    const { call, asked } = await running();
    const id = await send({
      kind: 'block',
      text: 'It fails each time.',
      call: { name: 'bash', args: { command: 'npm test' } },
    });
    expect(await call('ls')).toBeUndefined();
    expect(await call('npm test')).toEqual({ block: true, reason: `It fails each time. [unstuck ${id}]` });
    expect(await call('npm test')).toBeUndefined();
    expect(asked).toEqual([]);
  });

  it('never breaks the agent, and is nothing after the session has ended', async () => {
    const { asked, raise } = await running();
    for (const event of ['tool_call', 'tool_result', 'agent_end', 'before_agent_start']) await raise(event, [7]);
    await raise('session_shutdown');
    await send();
    await moment();
    expect(asked).toEqual([]);
  });
});

describe('Connect pi', () => {
  const bridge = () => createPluginBridge(piExtension, pluginEnvironment({ home, hookFolder }));
  const place = () => ({ folder: root, workspaceFolders: [root] });
  const file = () => join(home, '.pi/agent/extensions/unstuck.js');
  async function connected() {
    const plan = await bridge().plan({ ...place(), scope: 'user' });
    if (!plan.ok) throw new Error(plan.error.message);
    return bridge().connect(plan.value);
  }

  it('writes one file, which is tested, reports when it was changed, and is removed completely', async () => {
    expect(await connected()).toMatchObject({ ok: true, value: { state: 'connected', file: file() } });
    expect(await bridge().test()).toMatchObject({ passed: true, answer: expect.stringContaining('This is a test') });
    writeFileSync(file(), `${piExtension.text(hookFolder)}// more\n`);
    expect((await bridge().status(place())).state).toBe('changed');
    expect(await connected()).toMatchObject({ ok: true, value: { state: 'connected' } });
    await bridge().disconnect({ ...place(), scope: 'user' });
    expect(existsSync(file())).toBe(false);
  });

  it('does nothing in pi when Unstuck is gone', async () => {
    await connected();
    rmSync(hookFolder, { recursive: true });
    const loaded = (await import(`${file()}?gone`)) as { default: (pi: object) => Promise<void> };
    await expect(loaded.default({})).resolves.toBeUndefined();
  });

  it.each([
    ['/elsewhere', '/elsewhere/extensions/unstuck.js'],
    ['~/mine', '/home/me/mine/extensions/unstuck.js'],
  ])('writes where PI_CODING_AGENT_DIR=%s says', (folder, path) => {
    expect(piExtension.file('/home/me', { PI_CODING_AGENT_DIR: folder })).toBe(path);
  });
});
