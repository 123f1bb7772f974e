import { beforeEach, describe, expect, it, vi } from 'vitest';
import { sendMessage, takeMessages } from '../../../../src/agents/inbox';
import { ChatWay } from '../../../../src/editor/chat/chat-way';
import { Nudges } from '../../../../src/editor/nudges/nudges';
import { MINUTE, T0 } from '../../history/support/incidents';
import { folder } from '../../support/folder';
import { recordingLog } from '../../support/log';
import { editor, env, resetEditor } from '../support/vscode';
import { ownMessages } from '../support/own-messages';
import { agentView } from '../support/views';

vi.mock('vscode', () => import('../support/vscode'));
beforeEach(resetEditor);

interface Chat {
  readonly connected?: boolean;
  readonly waitingFor?: 'permission' | 'turn_end' | null;
  readonly openCall?: boolean;
  readonly asksNoPermission?: boolean;
  /** True if the agent asks for permission while the person reads the question. */
  readonly thenAsks?: true;
  /** True if the agent begins a call while the person reads the question. */
  readonly thenCalls?: true;
  readonly breaks?: true;
  /** True if the agent's hook takes the message before the chat gets it. */
  readonly hookTakes?: true;
}

/** A session of this window's chat, a person with a message for it, and what was sent to the chat. */
function stage({ connected = false, waitingFor = null, openCall, asksNoPermission = false, ...rest }: Chat = {}) {
  const root = folder();
  const did: string[] = [];
  let waits = waitingFor;
  const log = recordingLog();
  const situation = () => ({
    trusted: true,
    inFolder: true,
    state: { kind: 'working' as const, since: T0 },
    liveness: 'unknown' as const,
    waitingFor: waits,
  });
  const doing = { kind: 'tool' as const, subject: 'npm test', since: T0 };
  const view = agentView('s', {}, { agent: 'vscode-chat', cwd: root, ...(openCall && { doing }) });
  let now = view;
  const mailChanged = vi.fn();
  const services = {
    engine: { agent: () => now, session: () => ({ asksNoPermission }), mailChanged },
    store: { appendEvent: () => Promise.resolve() },
    settings: () => ({ nudgeExpiryMs: 10 * MINUTE }),
    folders: () => [root],
    now: () => T0,
    log,
  } as never;
  const chats = {
    isHere: () => true,
    show: () => {
      did.push('show');
      if (rest.thenAsks) waits = 'permission';
      if (rest.thenCalls) now = { ...view, doing };
      return Promise.resolve();
    },
    cancel: () => Promise.resolve(void did.push('cancel')),
    ask: (text: string) => {
      did.push(text.replace(/\[unstuck .*\]/, '[mark]').replace(/\s+/g, ' '));
      return rest.breaks ? Promise.reject(new Error('gone')) : Promise.resolve();
    },
  } as never;
  const route = { connected, connectedAt: null, wakesIdle: false, joinsRunning: true, proof: 'proven', chat: true };
  const routes = { learn: () => Promise.resolve(), routeOf: () => route };
  const way = new ChatWay({ services, chats, routeOf: () => route as never, situation });
  const own = ownMessages({ root });
  if (rest.hookTakes) {
    const write = own.message.bind(own);
    own.message = async (...all) => {
      const sent = await write(...all);
      await takeMessages({ root, session: 's', by: 'hook', now: T0, choose: (waiting) => waiting });
      return sent;
    };
  }
  const nudges = new Nudges(services, own, routes as never, {} as never, {} as never, way);
  const send = (text = 'Print the path.') => nudges.send(view, text, undefined);
  return { root, did, way, view, mailChanged, send };
}

const agreed = () => void editor.answers.push('Send to Chat');

describe('a message for the chat of this window', () => {
  it('is sent at its prompt once the person has agreed, and counts as taken', async () => {
    const { did, send } = stage({ waitingFor: 'turn_end' });
    agreed();
    expect(await send()).toMatchObject({ sent: { state: 'taken' } });
    expect(did).toEqual(['show', 'Print the path. [mark]']);
    expect(JSON.stringify(editor.shown)).toContain('comes to the front');
  });

  it('ends the running turn first', async () => {
    const { did, send } = stage({ openCall: true, asksNoPermission: true });
    agreed();
    await send();
    expect(did).toEqual(['show', 'cancel', 'Print the path. [mark]']);
  });

  it('says beforehand whether a running turn is stopped', async () => {
    const asked = async (chat: Chat) => {
      await stage(chat).send();
      return JSON.stringify(editor.shown.at(-1)?.buttons[0]);
    };
    expect(await asked({ waitingFor: 'turn_end' })).not.toContain('Its running turn is stopped first.');
    expect(await asked({ openCall: true, asksNoPermission: true })).toContain('Its running turn is stopped first.');
  });

  it('goes nowhere without a yes', async () => {
    const { did, send } = stage();
    expect(await send()).toEqual({ handled: true });
    expect(did).toEqual([]);
  });

  it('is refused, with Copy offered, while a call may be waiting for permission: the message would cancel it', async () => {
    const { did, send } = stage({ openCall: true });
    editor.answers.push('Copy');
    expect(await send()).toEqual({ handled: true });
    expect([did, env.copied]).toEqual([[], ['Print the path.']]);
    expect(editor.shown[0]?.text).toContain('may be waiting for your permission');
  });

  it('is refused where the agent asked something while the person read the question', async () => {
    const { did, send } = stage({ thenAsks: true });
    agreed();
    expect(await send()).toEqual({ handled: true });
    expect(did).toEqual(['show']);
    expect(editor.shown.at(-1)?.text).toContain('needs your permission');
  });

  it('is refused where a call began while the person read the question: it may be waiting for permission by now', async () => {
    const { did, send } = stage({ thenCalls: true });
    agreed();
    expect(await send()).toEqual({ handled: true });
    expect(did).toEqual(['show']);
    expect(editor.shown.at(-1)?.text).toContain('may be waiting for your permission');
  });

  it('can be copied where the chat does not take it', async () => {
    const { send } = stage({ breaks: true });
    editor.answers.push('Send to Chat', 'Copy');
    expect(await send()).toEqual({ handled: true });
    expect(env.copied).toEqual(['Print the path.']);
  });

  it('is not sent twice where a hook of the agent was faster', async () => {
    const { did, send } = stage({ waitingFor: 'turn_end', hookTakes: true });
    agreed();
    expect(await send()).toMatchObject({ sent: { state: 'queued' } });
    expect(did).toEqual(['show']);
  });

  it('says why it could not be written, and sends nothing to the chat', async () => {
    const { did, way, view } = stage({ waitingFor: 'turn_end' });
    agreed();
    const written = await way.send(view, 'Print the path.', () => Promise.resolve({ message: 'The disk is full.' }));
    expect(written).toEqual({ message: 'The disk is full.' });
    expect(did).toEqual(['show']);
  });

  it('is copied without secrets, and only when asked', async () => {
    const { send } = stage({ openCall: true });
    const secret = `sk-ant-api03-${'aB3'.repeat(20)}`;
    await send(`Use ${secret}`);
    expect(env.copied).toEqual([]);
    editor.answers.push('Copy');
    await send(`Use ${secret}`);
    expect(env.copied).toHaveLength(1);
    expect(env.copied[0]).not.toContain(secret);
  });

  it('is shown as taken at once', async () => {
    const { send, mailChanged } = stage({ waitingFor: 'turn_end' });
    agreed();
    mailChanged.mockClear();
    await send();
    expect(mailChanged).toHaveBeenCalledWith('s');
  });

  it('does not touch another message that waits in its inbox', async () => {
    const { root, did, send } = stage({ waitingFor: 'turn_end' });
    const other = {
      session: 's',
      agent: 'vscode-chat',
      kind: 'gate',
      text: 'Two tests fail.',
      automated: false,
    } as const;
    await sendMessage(root, other, T0);
    agreed();
    await send();
    expect(did).toEqual(['show', 'Print the path. [mark]']);
  });
});

describe('a message goes through the chat', () => {
  it('without a hook, and at the prompt where no hook can wake the agent; otherwise the hook takes it', () => {
    const leads = (chat: Chat) => {
      const { way, view } = stage(chat);
      return way.leadsTo(view);
    };
    expect(leads({})).toBe(true);
    expect(leads({ connected: true, waitingFor: 'turn_end' })).toBe(true);
    expect(leads({ connected: true })).toBe(false);
  });
});
