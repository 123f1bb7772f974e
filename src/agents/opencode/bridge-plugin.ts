import { proveNow } from '../inbox/hook/hook-proof';
import type { AgentId, InboxMessage } from '../../core/model';
import { fittingTexts, joinedMessages, refusing, stopsIn, filledText } from '../shared/connect/hook-messages';
import { type Choose, createPluginInbox } from '../shared/connect/plugin-inbox';
import { fieldsOf, type JsonRecord } from '../../base/util/json';
import { canonicalCall } from './bridge-call';

/** The part of OpenCode's client that is used: measured with 1.18.33. */
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

/** The hooks of OpenCode that are used. OpenCode waits for all but `event`. */
export interface PluginHooks {
  event(input: { readonly event: unknown }): Promise<void>;
  'chat.message'(input: unknown, output: unknown): Promise<void>;
  'tool.execute.before'(input: unknown, output: unknown): Promise<void>;
  'tool.execute.after'(input: unknown, output: unknown): Promise<void>;
  'experimental.text.complete'(input: unknown, output: unknown): Promise<void>;
}

export interface PluginMachine {
  readonly agent: AgentId;
  readonly now: () => number;
  /** Arguments of the program: `opencode run` ends with its turn. */
  readonly argv: readonly string[];
}

/** A session that received a prompt in this process: other sessions may belong to another process, which shares the database. */
interface OwnSession {
  /** Agent of the last prompt (`build`, `plan`), kept so that a message from Unstuck does not change it. */
  agent: string | undefined;
  busy: boolean;
  /** It is asking its user something: a text could be read as the answer. */
  asks: boolean;
  isChild: boolean;
  /**
   * State of the turn. `interrupted`: it ended without a complete answer and without an error, so a person ended it (Escape, a refused permission);
   * nothing is delivered until they write to it again.
   */
  turn: 'open' | 'over' | 'interrupted';
  /** The answer in which a person refused a call. With `experimental.continue_loop_on_deny`, another answer still follows. */
  refusedIn?: string | null;
}

/** Longest wait in milliseconds until a text appears among the session's messages. */
const ACCEPTED_WITHIN = 2_000;

/**
 * Delivers messages of the inbox to the sessions of this process. While a session works, a text becomes a message of its user, which the model's next
 * request carries; if it is idle, the text starts a turn. A call is refused by throwing before it runs. If nothing waits, a call costs one look into
 * a folder. Nothing else is ever thrown.
 *
 * @param hookFolder folder of the extension's storage with the recorded workspace folders (src/agents/inbox/hook/hook-folder.ts).
 */
export function createPluginHooks(context: PluginContext, hookFolder: string, machine: PluginMachine): PluginHooks {
  const { client, directory } = context;
  const sessions = new Map<string, OwnSession>();
  const children = new Set<string>();
  const delivering = new Map<string, Promise<void>>();
  const accepted = new Map<string, { readonly text: string; readonly settle: () => void }>();
  const words = machine.argv.slice(2);
  // With `--interactive` it stays open, so that its person can type.
  const isPrint =
    words.find((word) => !word.startsWith('-')) === 'run' && !words.includes('--interactive') && !words.includes('-i');
  const inbox = createPluginInbox({ agent: machine.agent, hookFolder, directory, now: machine.now });
  const { take, safely } = inbox;

  /** Delivers the waiting messages of a session. One delivery at a time for each session: hooks of parallel calls come at once. */
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
    return { ...(agent !== undefined && { agent }), parts: [{ type: 'text', text: joinedMessages(messages) }] };
  };

  const prompt = async (session: string, messages: readonly InboxMessage[]): Promise<void> => {
    const body = bodyOf(session, messages);
    const acceptance = whenAccepted(session, body.parts[0]?.text ?? '');
    failOn(await client.session.promptAsync({ path: { id: session }, body }));
    // The turn must not end before the message is among those of the session.
    await acceptance;
  };

  const whenAccepted = (session: string, text: string): Promise<void> =>
    new Promise((resolve) => {
      const late = setTimeout(resolve, ACCEPTED_WITHIN);
      accepted.set(session, {
        text,
        settle: () => {
          clearTimeout(late);
          resolve();
        },
      });
    });

  /** Stops a session. A turn that has ended on its own needs no stop. The reason stays in the session, for the next reader. */
  const stop = async (session: string, stops: readonly InboxMessage[], busy: boolean): Promise<void> => {
    if (!busy) return;
    failOn(await client.session.prompt({ path: { id: session }, body: { ...bodyOf(session, stops), noReply: true } }));
    failOn(await client.session.abort({ path: { id: session } }));
  };

  /** Selects the messages that may be delivered now: a text only if no question is open and the agent will answer. */
  const fit = (session: string): Choose => {
    return (waiting) => {
      const own = sessions.get(session);
      const stops = stopsIn(waiting);
      if (stops.length > 0) return stops;
      if (!own || own.asks || own.turn === 'interrupted') return [];
      const ended = !own.busy && (isPrint || own.isChild);
      return ended ? [] : fittingTexts(waiting);
    };
  };

  /** Handles a new message. While the session works, texts are left to its next step, so that they can still be withdrawn. */
  const woken = (session: string): Promise<void> =>
    deliver(session, 'wake', (waiting) =>
      sessions.get(session)?.busy === true ? stopsIn(waiting) : fit(session)(waiting),
    );

  /** Handles a person's prompt: messages that waited for it go with it, as a further part. */
  const goAlong = async (session: string, parts: unknown[]): Promise<void> => {
    const like = fieldsOf(parts.at(-1));
    const id = filledText(like['id']);
    if (id === null) return;
    const messages = await take(session, 'chat.message', fittingTexts);
    if (messages.length === 0) return;
    // The ids of parts sort in the order of the parts.
    const { messageID } = like;
    parts.push({
      id: `${id}u`,
      messageID,
      sessionID: session,
      type: 'text',
      text: joinedMessages(messages),
      synthetic: true,
    });
  };

  return {
    event: ({ event }) =>
      safely('event', async () => {
        const { type, properties } = fieldsOf(event);
        const about = fieldsOf(properties);
        const session = filledText(about['sessionID']) ?? filledText(fieldsOf(about['part'])['sessionID']);
        if (session === null) return;
        if (type === 'session.created' && filledText(fieldsOf(about['info'])['parentID']) !== null)
          children.add(session);
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
            if (own.turn === 'open') own.turn = 'interrupted';
            return deliver(session, 'session.idle', fit(session));
          case 'session.error':
            own.turn = isAbort(about['error']) ? 'interrupted' : 'over';
            return;
          case 'message.updated': {
            const info = fieldsOf(about['info']);
            if (info['role'] !== 'assistant') return;
            if (own.refusedIn !== undefined && own.refusedIn !== filledText(info['id'])) {
              own.turn = 'open';
              delete own.refusedIn;
            }
            if (own.turn === 'open') own.turn = turnAfter(info);
            return;
          }
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
            const state = fieldsOf(part['state']);
            if (part['type'] !== 'tool' || state['status'] !== 'error') return;
            const ended = endedBy(filledText(state['error']) ?? '');
            if (ended !== null) own.turn = 'interrupted';
            if (ended === 'refusal') own.refusedIn = filledText(part['messageID']);
            return deliver(session, 'tool.error', fit(session));
          }
          default:
        }
      }),
    'chat.message': (input, output) =>
      safely('chat.message', async () => {
        const session = filledText(fieldsOf(input)['sessionID']);
        if (session === null) return;
        const agent =
          filledText(fieldsOf(fieldsOf(output)['message'])['agent']) ??
          filledText(fieldsOf(input)['agent']) ??
          undefined;
        const fresh = { agent, busy: false, asks: false, isChild: children.has(session), turn: 'open' } as const;
        if (!sessions.has(session)) proveNow(hookFolder, machine.agent, session);
        const own: OwnSession = sessions.get(session) ?? { ...fresh };
        own.agent = agent ?? own.agent;
        own.busy = true;
        own.turn = 'open';
        delete own.refusedIn;
        sessions.set(session, own);
        const given = fieldsOf(output)['parts'];
        const parts: unknown[] = Array.isArray(given) ? given : [];
        const ours = accepted.get(session);
        if (ours && parts.some((part) => fieldsOf(part)['text'] === ours.text)) {
          accepted.delete(session);
          // It is written right after this hook.
          setImmediate(ours.settle);
        } else await goAlong(session, parts);
        await inbox.follow(session, () => woken(session));
      }),
    async 'tool.execute.before'(input, output) {
      const { tool, sessionID } = fieldsOf(input);
      const session = filledText(sessionID);
      if (session === null) return;
      let refused: readonly InboxMessage[] = [];
      await safely('tool.execute.before', async () => {
        refused = await take(session, 'tool.execute.before', (waiting) =>
          refusing(waiting, filledText(tool) ?? '', fieldsOf(output)['args'], canonicalCall),
        );
      });
      if (refused.length > 0) throw new Error(joinedMessages(refused));
    },
    'tool.execute.after': (input, output) =>
      safely('tool.execute.after', async () => {
        const session = filledText(fieldsOf(input)['sessionID']);
        const own = sessions.get(session ?? '');
        // A stopped command has `exit: null`; the end of the turn may be reported only after this.
        if (own && fieldsOf(fieldsOf(output)['metadata'])['exit'] === null) own.turn = 'interrupted';
        if (session !== null) await deliver(session, 'tool.execute.after', fit(session));
      }),
    'experimental.text.complete': (input) =>
      safely('text.complete', async () => {
        const session = filledText(fieldsOf(input)['sessionID']);
        if (session !== null) await deliver(session, 'text.complete', fit(session));
      }),
  };
}

/**
 * Returns how a person ended the turn with this call, from its error (1.18.33). A refusal with words for the model, or by a rule, ends nothing: the
 * turn continues.
 */
function endedBy(error: string): 'abort' | 'refusal' | null {
  if (error.startsWith('Tool execution aborted')) return 'abort';
  if (error === 'The user dismissed this question') return 'refusal';
  return error === 'The user rejected permission to use this specific tool call.' ? 'refusal' : null;
}

function isAbort(error: unknown): boolean {
  const name = fieldsOf(error)['name'];
  return name === 'MessageAbortedError' || name === 'AbortedError';
}

/** Returns the state of the turn after an answer: it continues after one that calls tools. */
function turnAfter({ error, time, finish }: JsonRecord): OwnSession['turn'] {
  if (error !== undefined && error !== null) return isAbort(error) ? 'interrupted' : 'over';
  const isWhole = fieldsOf(time)['completed'] !== undefined && finish !== undefined;
  return isWhole && finish !== 'tool-calls' ? 'over' : 'open';
}

/** Throws if the client returned an error, as it returns `{error}` instead of throwing. */
function failOn(answer: unknown): void {
  const { error } = fieldsOf(answer);
  if (error !== undefined && error !== null)
    throw new Error(`OpenCode refused: ${JSON.stringify(error).slice(0, 200)}`);
}
