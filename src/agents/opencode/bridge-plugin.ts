import { type FSWatcher, readdirSync, statSync, watch } from 'node:fs';
import { inboxFolder, prepareInbox, unstuckFolder } from '../../inbox/folder';
import { recordedRoots } from '../../inbox/hook/hook-folder';
import { logHook } from '../../inbox/hook/hook-log';
import { inboxRoots } from '../../inbox/root';
import { takeFromAll } from '../../inbox/messages/take-all';
import type { InboxMessage } from '../../model';
import { fittingTexts, joined, refusing, stopsIn, text } from '../shared/connect/hook-messages';
import { fieldsOf } from '../../util/json';
import { canonicalCall } from './bridge-call';

/** What of OpenCode's client is used: measured with 1.18.33. */
export interface PluginClient {
  readonly session: {
    promptAsync(options: { path: { id: string }; body: PromptBody }): Promise<unknown>;
    prompt(options: { path: { id: string }; body: PromptBody }): Promise<unknown>;
    abort(options: { path: { id: string } }): Promise<unknown>;
  };
}

interface PromptBody {
  readonly agent?: string;
  readonly noReply?: boolean;
  readonly parts: readonly { readonly type: 'text'; readonly text: string }[];
}

export interface PluginContext {
  readonly client: PluginClient;
  /** Folder in which OpenCode works. */
  readonly directory: string;
}

/** The hooks of OpenCode that are used. All but `event` are waited for. */
export interface PluginHooks {
  event(input: { readonly event: unknown }): Promise<void>;
  'chat.message'(input: unknown, output: unknown): Promise<void>;
  'tool.execute.before'(input: unknown, output: unknown): Promise<void>;
  'tool.execute.after'(input: unknown, output: unknown): Promise<void>;
  'experimental.text.complete'(input: unknown, output: unknown): Promise<void>;
}

export interface PluginMachine {
  readonly now: () => number;
  /** Arguments of the program: `opencode run` ends with its turn. */
  readonly argv: readonly string[];
}

/** A session that was given a prompt in this process: the others may belong to another one, which shares the database. */
interface OwnSession {
  /** The agent of the last prompt (`build`, `plan`), so that a message of ours does not change it. */
  agent: string | undefined;
  busy: boolean;
  /** It asks its user for something: a text could be read as the answer. */
  asks: boolean;
  isChild: boolean;
}

/** How long the recorded folders are taken for granted, milliseconds. */
const ROOTS_KNOWN_FOR = 2_000;
/** How long to wait until a text stands among the session's messages, milliseconds. */
const ACCEPTED_WITHIN = 2_000;

/**
 * Hands messages of the inbox to the sessions of this process. While a session works, a text becomes a message of its user, which the next
 * request of the model carries; when it is idle, one starts a turn. A call is refused by throwing before it runs. Where nothing waits, a
 * call costs one look into a folder. Nothing else is ever thrown.
 *
 * @param hookFolder folder of the extension's storage with the recorded workspace folders (src/inbox/hook-folder.ts).
 */
export function createPluginHooks(context: PluginContext, hookFolder: string, machine: PluginMachine): PluginHooks {
  const { client, directory } = context;
  const sessions = new Map<string, OwnSession>();
  const children = new Set<string>();
  const watchers = new Map<string, FSWatcher>();
  const delivering = new Map<string, Promise<void>>();
  const accepted = new Map<string, () => void>();
  const isPrint = machine.argv.slice(2).find((word) => !word.startsWith('-')) === 'run';
  let roots: readonly string[] = [];
  let rootsAt = Number.NEGATIVE_INFINITY;

  const log = (line: string): void => logHook(hookFolder, machine.now(), `opencode ${line}`);

  const knownRoots = async (): Promise<readonly string[]> => {
    if (machine.now() - rootsAt < ROOTS_KNOWN_FOR) return roots;
    roots = inboxRoots(await recordedRoots(hookFolder), directory);
    rootsAt = machine.now();
    return roots;
  };

  type Choose = (waiting: readonly InboxMessage[]) => readonly InboxMessage[];

  const take = async (session: string, event: string, choose: Choose): Promise<readonly InboxMessage[]> => {
    const roots = (await knownRoots()).filter((root) => anyWaits(root, session));
    return takeFromAll({
      roots,
      sessions: [session],
      now: machine.now(),
      by: `plugin:${event}`,
      choose: (waiting) => choose(waiting.filter((message) => message.agent === 'opencode')),
      log: (line) => log(`${event}: ${line}`),
    });
  };

  /** Gives a session what waits for it. One after the other for each session: hooks of parallel calls come at once. */
  const deliver = (session: string, event: string, choose: Choose): Promise<void> => {
    const before = delivering.get(session) ?? Promise.resolve();
    const now = before.then(() => safely(event, () => deliverNow(session, event, choose)));
    delivering.set(session, now);
    return now;
  };

  const deliverNow = async (session: string, event: string, choose: Choose): Promise<void> => {
    const messages = await take(session, event, choose);
    const stops = stopsIn(messages);
    if (stops.length > 0) await stop(session, stops, sessions.get(session)?.busy === true);
    else if (messages.length > 0) await prompt(session, messages);
  };

  const bodyOf = (session: string, messages: readonly InboxMessage[]): PromptBody => {
    const agent = sessions.get(session)?.agent;
    return { ...(agent !== undefined && { agent }), parts: [{ type: 'text', text: joined(messages) }] };
  };

  const prompt = async (session: string, messages: readonly InboxMessage[]): Promise<void> => {
    const stands = standsThere(session);
    failOn(await client.session.promptAsync({ path: { id: session }, body: bodyOf(session, messages) }));
    // The turn must not end before the message stands among those of the session.
    await stands;
  };

  const standsThere = (session: string): Promise<void> =>
    new Promise((resolve) => {
      const late = setTimeout(resolve, ACCEPTED_WITHIN);
      accepted.set(session, () => {
        clearTimeout(late);
        resolve();
      });
    });

  /** A turn that has ended by itself needs no end. The reason stays in the session, for whoever goes on with it. */
  const stop = async (session: string, stops: readonly InboxMessage[], busy: boolean): Promise<void> => {
    if (!busy) return;
    failOn(await client.session.prompt({ path: { id: session }, body: { ...bodyOf(session, stops), noReply: true } }));
    failOn(await client.session.abort({ path: { id: session } }));
  };

  /** What may be handed over now: a text only where nobody is asked and somebody will answer. */
  const fit = (session: string): Choose => {
    return (waiting) => {
      const own = sessions.get(session);
      const stops = stopsIn(waiting);
      if (stops.length > 0) return stops;
      if (!own || own.asks) return [];
      const ended = !own.busy && (isPrint || own.isChild);
      return ended ? [] : fittingTexts(waiting);
    };
  };

  const follow = async (session: string): Promise<void> => {
    for (const root of await knownRoots()) {
      const folder = inboxFolder(root, session);
      if (watchers.has(folder.path) || !statSync(unstuckFolder(root), { throwIfNoEntry: false })?.isDirectory())
        continue;
      if (!(await prepareInbox(folder)).ok) continue;
      const watcher = watch(folder.path, { persistent: false }, (_kind, name) => {
        if (name === 'wake' || name === null) void safely('wake', () => woken(session));
      });
      watcher.on('error', () => watcher.close());
      watchers.set(folder.path, watcher);
    }
  };

  /** A message was written. While the session works, texts are left to its next step, so that they can still be taken back. */
  const woken = (session: string): Promise<void> =>
    deliver(session, 'wake', (waiting) =>
      sessions.get(session)?.busy === true ? stopsIn(waiting) : fit(session)(waiting),
    );

  const safely = async (event: string, work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      log(`${event}: ${error instanceof Error ? `${error.name}: ${error.message}`.slice(0, 300) : 'failed'}`);
    }
  };

  return {
    event: ({ event }) =>
      safely('event', async () => {
        const { type, properties } = fieldsOf(event);
        const about = fieldsOf(properties);
        const session = text(about['sessionID']) ?? text(fieldsOf(about['part'])['sessionID']);
        if (session === null) return;
        if (type === 'session.created' && text(fieldsOf(about['info'])['parentID']) !== null) children.add(session);
        const own = sessions.get(session);
        if (!own) return;
        switch (type) {
          case 'session.status': {
            own.busy = fieldsOf(about['status'])['type'] !== 'idle';
            if (!own.busy) own.asks = false;
            return;
          }
          case 'session.idle':
            own.busy = false;
            return deliver(session, 'session.idle', fit(session));
          case 'permission.asked':
          case 'question.asked':
            own.asks = true;
            return;
          case 'permission.replied':
          case 'question.replied':
          case 'question.rejected':
            own.asks = false;
            return;
          case 'message.part.updated': {
            // `tool.execute.after` is not raised for a failed call.
            const part = fieldsOf(about['part']);
            if (part['type'] !== 'tool' || fieldsOf(part['state'])['status'] !== 'error') return;
            return deliver(session, 'tool.error', fit(session));
          }
          default:
        }
      }),
    'chat.message': (input, output) =>
      safely('chat.message', async () => {
        const session = text(fieldsOf(input)['sessionID']);
        if (session === null) return;
        const agent =
          text(fieldsOf(fieldsOf(output)['message'])['agent']) ?? text(fieldsOf(input)['agent']) ?? undefined;
        const own = sessions.get(session) ?? { agent, busy: false, asks: false, isChild: children.has(session) };
        own.agent = agent ?? own.agent;
        own.busy = true;
        sessions.set(session, own);
        // It is written down right after this hook.
        setImmediate(() => {
          accepted.get(session)?.();
          accepted.delete(session);
        });
        await follow(session);
      }),
    async 'tool.execute.before'(input, output) {
      const { tool, sessionID } = fieldsOf(input);
      const session = text(sessionID);
      if (session === null) return;
      let refused: readonly InboxMessage[] = [];
      await safely('tool.execute.before', async () => {
        refused = await take(session, 'tool.execute.before', (waiting) =>
          refusing(waiting, text(tool) ?? '', fieldsOf(output)['args'], canonicalCall),
        );
      });
      if (refused.length > 0) throw new Error(joined(refused));
    },
    'tool.execute.after': (input) =>
      safely('tool.execute.after', async () => {
        const session = text(fieldsOf(input)['sessionID']);
        if (session !== null) await deliver(session, 'tool.execute.after', fit(session));
      }),
    'experimental.text.complete': (input) =>
      safely('text.complete', async () => {
        const session = text(fieldsOf(input)['sessionID']);
        if (session !== null) await deliver(session, 'text.complete', fit(session));
      }),
  };
}

/** Does any file lie in the inbox? The one look that is made at each call. */
function anyWaits(root: string, session: string): boolean {
  try {
    return readdirSync(inboxFolder(root, session).new).length > 0;
  } catch {
    return false;
  }
}

/** The client gives `{error}` instead of throwing. */
function failOn(answer: unknown): void {
  const { error } = fieldsOf(answer);
  if (error !== undefined && error !== null)
    throw new Error(`OpenCode refused: ${JSON.stringify(error).slice(0, 200)}`);
}
