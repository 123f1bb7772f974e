import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { buildSync } from 'esbuild';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createOpencodeBridge } from '../../../../src/agents/opencode/bridge';
import { pluginFile, pluginText } from '../../../../src/agents/opencode/bridge-file';
import { createPluginHooks, type PluginClient } from '../../../../src/agents/opencode/bridge-plugin';
import {
  deliveries,
  inboxFolder,
  type MessageDraft,
  prepareUnstuck,
  recordRoot,
  sendMessage,
} from '../../../../src/inbox';
import { withdrawMessage } from '../../../../src/inbox/messages/waiting';
import { PATIENCE } from '../../../support/patience';

const project = resolve(__dirname, '../../../..');
const plugin = buildSync({
  entryPoints: [join(project, 'src/opencode-plugin.ts')],
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  mainFields: ['module', 'main'],
  write: false,
}).outputFiles[0]?.text;

let base = '';
let home = '';
let root = '';
let hookFolder = '';
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'unstuck-opencode-bridge-'));
  [home, root, hookFolder] = [join(base, 'home'), join(base, 'work'), join(base, 'storage/hook')];
  for (const folder of [home, root]) mkdirSync(folder, { recursive: true });
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

const SESSION = 'ses_one';
const IDLE = { type: 'session.idle', properties: { sessionID: SESSION } };

/** OpenCode around the plugin: says what its client was asked, and takes prompts as OpenCode does. */
async function running({ argv = ['bun', 'opencode'], session = SESSION } = {}) {
  await prepareUnstuck(root);
  await recordRoot(hookFolder, root);
  const asked: string[] = [];
  const client: PluginClient = {
    session: {
      async promptAsync({ body }) {
        asked.push(`prompt ${body.agent ?? '?'}: ${body.parts[0]?.text ?? ''}`);
        await hooks['chat.message']({ sessionID: session, agent: body.agent }, { message: { agent: body.agent } });
        return { data: undefined };
      },
      prompt: ({ body }) =>
        Promise.resolve(void asked.push(`note${body.noReply ? '' : '?'}: ${body.parts[0]?.text ?? ''}`)),
      abort: () => Promise.resolve(void asked.push('abort')),
    },
  };
  const hooks = createPluginHooks({ client, directory: root }, hookFolder, { now: Date.now, argv });
  await hooks['chat.message']({ sessionID: session }, { message: { agent: 'plan' } });
  const tool = (args: object = { command: 'npm test', description: 'Run it' }) =>
    hooks['tool.execute.before']({ tool: 'bash', sessionID: session, callID: 'c' }, { args });
  const after = () => hooks['tool.execute.after']({ tool: 'bash', sessionID: session, callID: 'c' }, { output: '' });
  return { hooks, asked, tool, after };
}

const nudge = { session: SESSION, agent: 'opencode', kind: 'nudge', text: 'Look elsewhere.', automated: true } as const;
async function send(draft: Partial<MessageDraft> = {}) {
  const sent = await sendMessage(root, { ...nudge, ...draft }, Date.now());
  if (!sent.ok) throw new Error(sent.error.message);
  return sent.value.message.id;
}
const waiting = () => readdirSync(inboxFolder(root, SESSION).new);
const states = async () => {
  const all = await deliveries(root, SESSION, Date.now());
  return all.ok ? all.value.deliveries.map(({ state, message }) => `${message.kind} ${state}`) : [];
};

describe("what the plugin hands to OpenCode's sessions", () => {
  it('gives a text after the next tool call, to the agent that the person has chosen, and once', async () => {
    const { asked, after } = await running();
    const id = await send();
    await after();
    await after();
    expect(asked).toEqual([`prompt plan: Look elsewhere. [unstuck ${id}]`]);
    expect(await states()).toEqual(['nudge taken']);
  });

  it('gives it with an answer that calls no tool, so that the turn goes on', async () => {
    const { asked, hooks } = await running();
    await send();
    await hooks['experimental.text.complete']({ sessionID: SESSION, messageID: 'm', partID: 'p' }, { text: 'Done.' });
    expect(asked).toHaveLength(1);
  });

  it('gives it after a call that failed, which OpenCode tells by an event only', async () => {
    const { asked, hooks } = await running();
    await send();
    const part = { type: 'tool', sessionID: SESSION, state: { status: 'error' } };
    await hooks.event({ event: { type: 'message.part.updated', properties: { sessionID: SESSION, part } } });
    expect(asked).toHaveLength(1);
  });

  it('wakes a session whose turn has ended, at once', async () => {
    const { asked, hooks } = await running();
    await hooks.event({ event: IDLE });
    await send();
    await vi.waitFor(() => expect(asked).toHaveLength(1), PATIENCE);
  });

  it('leaves a text where it is while the session works, so that it can be taken back', async () => {
    const { asked, after } = await running();
    const id = await send();
    await new Promise((done) => setTimeout(done, 150));
    expect(asked).toEqual([]);
    expect((await withdrawMessage(root, SESSION, id, Date.now())).ok).toBe(true);
    await after();
    expect(asked).toEqual([]);
  });

  it('does not start a turn of `opencode run`, which ends with it, nor of a sub-agent', async () => {
    const print = await running({ argv: ['bun', 'opencode', 'run', 'Fix it'] });
    await print.hooks.event({ event: IDLE });
    await send();
    await print.hooks.event({ event: IDLE });
    expect(print.asked).toEqual([]);
    expect(waiting()).toHaveLength(1);
  });

  it('gives nothing while the session asks its user', async () => {
    const { asked, hooks, after } = await running();
    await hooks.event({ event: { type: 'permission.asked', properties: { sessionID: SESSION } } });
    await send();
    await after();
    expect(asked).toEqual([]);
    await hooks.event({ event: { type: 'permission.replied', properties: { sessionID: SESSION } } });
    await after();
    expect(asked).toHaveLength(1);
  });

  it('stops a running session at once, and leaves the reason there', async () => {
    const { asked } = await running();
    const id = await send({ kind: 'stop', text: 'It repeats itself.' });
    await vi.waitFor(() => expect(asked).toEqual([`note: It repeats itself. [unstuck ${id}]`, 'abort']), PATIENCE);
  });

  it('refuses exactly the call that is named, once', async () => {
    const { tool, asked } = await running();
    const call = { name: 'bash', args: { command: 'npm test', description: 'Run npm test' } };
    const id = await send({ kind: 'block', text: 'It fails each time.', call });
    await tool({ command: 'ls' });
    await expect(tool()).rejects.toThrow(`It fails each time. [unstuck ${id}]`);
    await tool();
    expect(asked).toEqual([]);
  });

  it('leaves restarts, other agents, other sessions, and what has expired', async () => {
    const { asked, after } = await running();
    await send({ kind: 'restart', text: '', restart: { mode: 'resume', prompt: 'x' } });
    await send({ agent: 'codex' });
    await send({ session: 'ses_two' });
    await send({ expiresIn: -1 });
    await after();
    expect(asked).toEqual([]);
    expect(waiting()).toHaveLength(2);
  });

  it('never breaks the agent: what goes wrong is for the log', async () => {
    const { hooks, after } = await running();
    await hooks.event({ event: null });
    await hooks['chat.message'](undefined, null);
    await hooks['tool.execute.before'](7, []);
    mkdirSync(inboxFolder(root, SESSION).new, { recursive: true });
    writeFileSync(join(inboxFolder(root, SESSION).new, 'not-a-message'), 'x');
    await after();
    expect(readFileSync(join(hookFolder, 'hook.log'), 'utf8')).toContain('not-a-message');
  });

  it('gives nothing to sessions of another process, which share the database', async () => {
    const { asked, hooks } = await running({ session: 'ses_other' });
    await send();
    await hooks.event({ event: IDLE });
    expect(asked).toEqual([]);
  });
});

describe('Connect OpenCode', () => {
  function bridge() {
    const git = () => Promise.resolve({ code: 1, stdout: '', stderr: '', milliseconds: 1 });
    return createOpencodeBridge({
      home,
      env: {},
      hookFolder,
      hookFiles: () =>
        Promise.resolve({ script: 's', bundle: 'b', runtimes: [process.execPath], ...(plugin && { plugin }) }),
      processes: { git, shell: git },
      now: Date.now,
    });
  }
  const place = () => ({ folder: root, workspaceFolders: [root] });
  const planned = async () => {
    const plan = await bridge().plan({ ...place(), scope: 'user' });
    if (!plan.ok) throw new Error(plan.error.message);
    return plan.value;
  };

  it('shows one file of its own, writes it, is tested, and takes it out whole', async () => {
    const plan = await planned();
    expect(plan.file).toBe(join(home, '.config/opencode/plugin/unstuck.js'));
    expect(plan.before).toBeNull();
    expect(plan.after).toBe(pluginText(hookFolder));
    expect(await bridge().connect(plan)).toMatchObject({ ok: true, value: { state: 'connected', scope: 'user' } });
    expect(await bridge().test()).toMatchObject({ passed: true, answer: expect.stringContaining('This is a test') });
    // Can be done again.
    expect((await planned()).diff).toBe('');
    expect(await bridge().disconnect({ ...place(), scope: 'user' })).toMatchObject({
      ok: true,
      value: { changed: true },
    });
    expect(
      readdirSync(join(home, '.config'), { recursive: true }).filter((name) => String(name).includes('unstuck')),
    ).toEqual([]);
    expect((await bridge().status(place())).state).toBe('not_connected');
  });

  it('leaves a file of that name alone that is not its own', async () => {
    mkdirSync(join(home, '.config/opencode/plugin'), { recursive: true });
    writeFileSync(pluginFile(home, {}), 'export const Mine = async () => ({})\n');
    const plan = await bridge().plan({ ...place(), scope: 'user' });
    expect(plan).toMatchObject({ ok: false, error: { code: 'unexpected_form' } });
    expect(await bridge().disconnect({ ...place(), scope: 'user' })).toMatchObject({
      ok: true,
      value: { changed: false },
    });
  });

  it('says when its file was changed, or what it loads is gone, and renews both', async () => {
    await bridge().connect(await planned());
    writeFileSync(pluginFile(home, {}), `${pluginText(hookFolder)}// more\n`);
    expect((await bridge().status(place())).state).toBe('changed');
    await bridge().connect(await planned());
    rmSync(join(hookFolder, 'opencode-plugin.mjs'));
    expect((await bridge().status(place())).state).toBe('hook_missing');
    expect((await bridge().refresh(place())).state).toBe('connected');
  });

  it('does nothing in OpenCode when the extension is gone', async () => {
    await bridge().connect(await planned());
    rmSync(hookFolder, { recursive: true });
    const loaded = (await import(`${pluginFile(home, {})}?gone`)) as { Unstuck: (context: object) => Promise<object> };
    expect(await loaded.Unstuck({})).toEqual({});
    expect(await bridge().test()).toMatchObject({
      passed: false,
      message: 'The plugin is not installed. Connect again.',
    });
  });
});
