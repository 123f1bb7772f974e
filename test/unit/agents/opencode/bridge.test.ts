import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { KILO, OPENCODE } from '../../../../src/agents/opencode/program';
import { pluginOf } from '../../../../src/agents/opencode/bridge';
import { createPluginBridge } from '../../../../src/agents/shared/connect/plugin-bridge';
import { createPluginHooks, type PluginClient } from '../../../../src/agents/opencode/bridge-plugin';
import {
  deliveries,
  inboxFolder,
  type MessageDraft,
  prepareUnstuck,
  recordRoot,
  sendMessage,
} from '../../../../src/agents/inbox';
import { withdrawMessage } from '../../../../src/agents/inbox/messages/waiting';
import { PATIENCE } from '../../../support/patience';
import { pluginEnvironment, pluginFolders } from '../plugin-stage';

let home = '';
let root = '';
let hookFolder = '';
beforeEach(() => {
  ({ home, root, hookFolder } = pluginFolders());
});

const SESSION = 'ses_one';
const IDLE = { type: 'session.idle', properties: { sessionID: SESSION } };
const WHOLE = { role: 'assistant', time: { created: 1, completed: 2 }, finish: 'stop' };
const failed = (error: string) => ({
  type: 'message.part.updated',
  properties: {
    sessionID: SESSION,
    part: { type: 'tool', messageID: 'msg_0', sessionID: SESSION, state: { status: 'error', error } },
  },
});
const REFUSED = 'The user rejected permission to use this specific tool call.';
const answered = (info: object) => ({ type: 'message.updated', properties: { sessionID: SESSION, info } });

/** OpenCode around the plugin: records the requests to its client, and takes prompts as OpenCode does. */
async function running({ argv = ['bun', 'opencode'], session = SESSION } = {}) {
  await prepareUnstuck(root);
  await recordRoot(hookFolder, root);
  const asked: string[] = [];
  const client: PluginClient = {
    session: {
      async promptAsync({ body }) {
        asked.push(`prompt ${body.agent ?? '?'}: ${body.parts[0]?.text ?? ''}`);
        const parts = body.parts.map((part) => ({ id: 'prt_0', ...part }));
        await hooks['chat.message'](
          { sessionID: session, agent: body.agent },
          { message: { agent: body.agent }, parts },
        );
        return { data: undefined };
      },
      prompt: ({ body }) =>
        Promise.resolve(void asked.push(`note${body.noReply ? '' : '?'}: ${body.parts[0]?.text ?? ''}`)),
      abort: () => Promise.resolve(void asked.push('abort')),
    },
  };
  const hooks = createPluginHooks({ client, directory: root }, hookFolder, { agent: 'opencode', now: Date.now, argv });
  await hooks['chat.message']({ sessionID: session }, { message: { agent: 'plan' } });
  const tool = (args: object = { command: 'npm test', description: 'Run it' }) =>
    hooks['tool.execute.before']({ tool: 'bash', sessionID: session, callID: 'c' }, { args });
  const prompt = async (text: string) => {
    const parts: object[] = [{ id: 'prt_1', messageID: 'msg_1', sessionID: session, type: 'text', text }];
    await hooks['chat.message']({ sessionID: session }, { message: { agent: 'plan' }, parts });
    return parts;
  };
  /** The turn ends on its own. */
  const end = async () => {
    await hooks.event({ event: answered(WHOLE) });
    await hooks.event({ event: IDLE });
  };
  const after = () => hooks['tool.execute.after']({ tool: 'bash', sessionID: session, callID: 'c' }, { output: '' });
  return { hooks, asked, tool, after, prompt, end };
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

describe("what the plugin delivers to OpenCode's sessions", () => {
  it('is a text after the next tool call, for the agent that the person has chosen, and once', async () => {
    const { asked, after } = await running();
    const id = await send();
    await after();
    await after();
    expect(asked).toEqual([`prompt plan: Look elsewhere. [unstuck ${id}]`]);
    expect(await states()).toEqual(['nudge taken']);
  });

  it('is a text with an answer that calls no tool, so that the turn continues', async () => {
    const { asked, hooks } = await running();
    await send();
    await hooks['experimental.text.complete']({ sessionID: SESSION, messageID: 'm', partID: 'p' }, { text: 'Done.' });
    expect(asked).toHaveLength(1);
  });

  it('is a text after a failed call, which OpenCode reports only by an event', async () => {
    const { asked, hooks } = await running();
    await send();
    await hooks.event({ event: failed('No such file.') });
    expect(asked).toHaveLength(1);
  });

  it.each([
    ['with words for the model', `${REFUSED.slice(0, -1)} with the following feedback: Read it first.`],
    ['by a rule', 'The user has specified a rule which prevents you from using this specific tool call.'],
  ])('is a text after a call that was refused %s: the turn continues', async (_how, error) => {
    const { asked, hooks } = await running();
    await send();
    await hooks.event({ event: failed(error) });
    expect(asked).toHaveLength(1);
  });

  it('is a text once the agent continues after a refusal, if its settings say that it does', async () => {
    const { asked, hooks, after } = await running();
    await send();
    await hooks.event({ event: failed(REFUSED) });
    await hooks.event({ event: answered({ ...WHOLE, id: 'msg_0', finish: 'tool-calls' }) });
    await after();
    expect(asked).toEqual([]);
    await hooks.event({ event: answered({ role: 'assistant', id: 'msg_1', time: { created: 3 } }) });
    await after();
    expect(asked).toHaveLength(1);
  });

  it('wakes a session whose turn has ended, at once', async () => {
    const { asked, end } = await running();
    await end();
    await send();
    await vi.waitFor(() => expect(asked).toHaveLength(1), PATIENCE);
  });

  it('wakes one whose empty inbox was cleaned up after a week, once it has been prompted again', async () => {
    const { asked, end, prompt } = await running();
    rmSync(inboxFolder(root, SESSION).path, { recursive: true });
    await prompt('Next task.');
    await end();
    await send();
    await vi.waitFor(() => expect(asked).toHaveLength(1), { timeout: 5_000 });
  });

  it('wakes one whose request failed, too: it was not interrupted', async () => {
    const { asked, hooks } = await running();
    await send();
    const error = { name: 'APIError', data: { message: 'overloaded', statusCode: 529 } };
    await hooks.event({ event: { type: 'session.error', properties: { sessionID: SESSION, error } } });
    await hooks.event({ event: IDLE });
    expect(asked).toHaveLength(1);
  });

  it.each([
    ['Escape while a command runs', { type: 'session.idle', properties: { sessionID: SESSION } }],
    [
      'Escape while the model answers',
      answered({ ...WHOLE, finish: undefined, error: { name: 'MessageAbortedError' } }),
    ],
    ['a permission that was refused', answered({ ...WHOLE, finish: 'tool-calls' })],
    ['a permission that was refused, told by the failed call', failed(REFUSED)],
    ['a question that was put aside', failed('The user dismissed this question')],
  ])(
    'does not restart a turn that a person ended (%s); their next prompt brings the text, once',
    async (_what, event) => {
      const { asked, hooks, after, prompt } = await running();
      const id = await send();
      await hooks.event({ event });
      await hooks.event({ event: IDLE });
      await after();
      await hooks['experimental.text.complete']({ sessionID: SESSION, messageID: 'm', partID: 'p' }, { text: '' });
      await send({ kind: 'gate', text: 'The tests fail.' });
      await new Promise((done) => setTimeout(done, 150));
      expect(asked).toEqual([]);

      const parts = await prompt('Go on then.');
      expect(parts.slice(1)).toEqual([
        expect.objectContaining({ type: 'text', messageID: 'msg_1', text: expect.stringContaining(`[unstuck ${id}]`) }),
      ]);
      expect(parts[1]).toMatchObject({
        id: expect.stringMatching(/^prt_1./),
        text: expect.stringContaining('The tests'),
      });
      await after();
      expect(asked).toEqual([]);
      expect(await states()).toEqual(['nudge taken', 'gate taken']);
    },
  );

  it('stays where it is while the session works, so that it can be withdrawn', async () => {
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
    await print.end();
    await send();
    await print.end();
    expect(print.asked).toEqual([]);
    expect(waiting()).toHaveLength(1);
  });

  it('starts one of `opencode run --interactive`, which stays', async () => {
    const { asked, end, after } = await running({ argv: ['bun', 'opencode', 'run', '--interactive', 'Fix it'] });
    await end();
    await send();
    await after();
    expect(asked).toHaveLength(1);
  });

  it('is nothing while the session asks its user', async () => {
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

  it('excludes restarts, other agents, other sessions, and what has expired', async () => {
    const { asked, after } = await running();
    await send({ kind: 'restart', text: '', restart: { mode: 'resume', prompt: 'x' } });
    await send({ agent: 'codex' });
    await send({ session: 'ses_two' });
    await send({ expiresIn: -1 });
    await after();
    expect(asked).toEqual([]);
    expect(waiting()).toHaveLength(2);
  });

  it('never breaks the agent: errors go to the log', async () => {
    const { hooks, after } = await running();
    await hooks.event({ event: null });
    await hooks['chat.message'](undefined, null);
    await hooks['tool.execute.before'](7, []);
    mkdirSync(inboxFolder(root, SESSION).new, { recursive: true });
    writeFileSync(join(inboxFolder(root, SESSION).new, 'not-a-message'), 'x');
    await after();
    expect(readFileSync(join(hookFolder, 'hook.log'), 'utf8')).toContain('not-a-message');
  });

  it('is nothing for sessions of another process, which share the database', async () => {
    const { asked, hooks } = await running({ session: 'ses_other' });
    await send();
    await hooks.event({ event: IDLE });
    expect(asked).toEqual([]);
  });
});

describe.each([OPENCODE, KILO])('Connect $name', (program) => {
  const bridge = () => createPluginBridge(pluginOf(program), pluginEnvironment({ home, hookFolder }));
  const place = () => ({ folder: root, workspaceFolders: [root] });
  const planned = async () => {
    const plan = await bridge().plan({ ...place(), scope: 'user' });
    if (!plan.ok) throw new Error(plan.error.message);
    return plan.value;
  };

  it('shows one file of its own, writes it, is tested, and removes it completely', async () => {
    const plan = await planned();
    expect(plan.file).toBe(join(home, `.config/${program.program}/plugin/unstuck.js`));
    expect(plan.before).toBeNull();
    expect(plan.after).toBe(pluginOf(program).text(hookFolder));
    expect(await bridge().connect(plan)).toMatchObject({ ok: true, value: { state: 'connected', scope: 'user' } });
    expect(await bridge().test()).toMatchObject({ passed: true, answer: expect.stringContaining('This is a test') });
    // Can be repeated.
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

  it('does not touch a file of that name that is not its own', async () => {
    mkdirSync(join(home, `.config/${program.program}/plugin`), { recursive: true });
    writeFileSync(pluginOf(program).file(home, {}), 'export const Mine = async () => ({})\n');
    const plan = await bridge().plan({ ...place(), scope: 'user' });
    expect(plan).toMatchObject({ ok: false, error: { code: 'unexpected_form' } });
    expect(await bridge().disconnect({ ...place(), scope: 'user' })).toMatchObject({
      ok: true,
      value: { changed: false },
    });
  });

  it('reports when its file was changed or what it loads is gone, and renews both', async () => {
    await bridge().connect(await planned());
    writeFileSync(pluginOf(program).file(home, {}), `${pluginOf(program).text(hookFolder)}// more\n`);
    expect((await bridge().status(place())).state).toBe('changed');
    await bridge().connect(await planned());
    rmSync(join(hookFolder, 'opencode-plugin.mjs'));
    expect((await bridge().status(place())).state).toBe('hook_missing');
    expect((await bridge().refresh(place())).state).toBe('connected');
  });

  it('does nothing in the program when the extension is gone', async () => {
    await bridge().connect(await planned());
    rmSync(hookFolder, { recursive: true });
    const loaded = (await import(`${pluginOf(program).file(home, {})}?gone`)) as {
      Unstuck: (context: object) => Promise<object>;
    };
    expect(await loaded.Unstuck({})).toEqual({});
    expect(await bridge().test()).toMatchObject({
      passed: false,
      message: 'The plugin is not installed. Connect again.',
    });
  });
});
