import { proveNow } from '../inbox/hook/hook-proof';
import {
  canonicalJson,
  filledText,
  fittingTexts,
  joinedMessages,
  refusing,
  stopsIn,
} from '../shared/connect/hook-messages';
import { type Choose, createPluginInbox, type PluginInbox } from '../shared/connect/plugin-inbox';
import { fieldsOf } from '../../base/util/json';
import type { InboxMessage } from '../../core/model';

/** The part that is used of pi's interface for extensions: measured with 0.74.2. */
export interface PiApi {
  on(event: string, handler: (event: unknown, context: PiContext) => unknown): void;
  /** Sends a text. While the agent works, `steer` puts it before the next request; otherwise it starts a turn. */
  sendUserMessage(text: string, options: { readonly deliverAs: 'steer' }): void;
  /** Adds a message to the session. */
  sendMessage(message: PiMessage): void;
}

interface PiMessage {
  readonly customType: string;
  readonly content: string;
  readonly display: boolean;
}

export interface PiContext {
  readonly cwd: string;
  /** False in a run without a person. */
  readonly hasUI: boolean;
  readonly sessionManager: { getSessionId(): string };
  /** Belongs to the running turn. */
  readonly signal?: { readonly aborted: boolean } | undefined;
  isIdle(): boolean;
  abort(): void;
}

/**
 * Delivers messages of the inbox to the session of this process. pi waits for our handlers at a call and at its result, but not at the end of an
 * answer or of a turn. So a text is sent at a result, or, while the model is answering, as soon as it is written: pi keeps it until the calls of that
 * answer are done, and does not end its turn before that. Nothing is ever thrown.
 *
 * @param now milliseconds since the epoch
 */
export function extendPi(pi: PiApi, hookFolder: string, now: () => number): void {
  let inbox: PluginInbox | null = null;
  /** Running calls: a text waits for their results, so that it can still be withdrawn. */
  const running = new Set<string>();
  /** A person ended the last turn: nothing is delivered before they write again. */
  let interrupted = false;
  let stopping: readonly InboxMessage[] = [];

  const inboxOf = (context: PiContext): PluginInbox =>
    (inbox ??= createPluginInbox({ agent: 'pi', hookFolder, directory: context.cwd, now }));

  const take = (event: string, context: PiContext, choose: Choose) =>
    inboxOf(context).take(context.sessionManager.getSessionId(), event, choose);

  const safely = (event: string, context: PiContext, work: () => Promise<void>) => inboxOf(context).safely(event, work);

  /** Takes what may be delivered now. A run without a person ends with its turn: messages that come after that wait. */
  const deliver = async (event: string, context: PiContext, choose: Choose = fittingTexts): Promise<void> => {
    // The result of a call that a person stopped comes before the end of its turn.
    interrupted ||= context.signal?.aborted === true;
    const messages = await take(event, context, (waiting) => {
      const stops = stopsIn(waiting);
      if (stops.length > 0) return stops;
      return interrupted || (context.isIdle() && !context.hasUI) ? [] : choose(waiting);
    });
    const words = joinedMessages(messages);
    if (messages[0]?.kind !== 'stop') {
      if (messages.length > 0) pi.sendUserMessage(words, { deliverAs: 'steer' });
    } else if (!context.isIdle()) {
      stopping = messages;
      context.abort();
    }
  };

  const on = (event: string, work: (given: Record<string, unknown>, context: PiContext) => Promise<void>): void =>
    pi.on(event, (given, context) => safely(event, context, () => work(fieldsOf(given), context)));

  const follow = (session: string, context: PiContext) =>
    inboxOf(context).follow(session, () => deliver('wake', context, running.size > 0 ? () => [] : fittingTexts));

  on('session_start', async (_given, context) => {
    const session = context.sessionManager.getSessionId();
    proveNow(hookFolder, 'pi', session);
    await follow(session, context);
  });
  pi.on('session_shutdown', () => {
    inbox?.close();
    inbox = null;
  });

  pi.on('before_agent_start', async (_given, context) => {
    let words = '';
    await safely('before_agent_start', context, async () => {
      interrupted = false;
      running.clear();
      words = joinedMessages(await take('before_agent_start', context, fittingTexts));
      // A window may have opened the folder since the session started.
      await follow(context.sessionManager.getSessionId(), context);
    });
    return words === '' ? undefined : { message: ofUnstuck(words) };
  });

  pi.on('tool_call', async (given, context) => {
    const { toolName, toolCallId, input } = fieldsOf(given);
    let reason = '';
    await safely('tool_call', context, async () => {
      const refused = await take('tool_call', context, (waiting) =>
        refusing(waiting, filledText(toolName) ?? '', input, (name, args) => `${name} ${canonicalJson(args)}`),
      );
      reason = joinedMessages(refused);
      if (reason === '') running.add(String(toolCallId));
    });
    return reason === '' ? undefined : { block: true, reason };
  });

  on('tool_result', async ({ toolCallId }, context) => {
    running.delete(String(toolCallId));
    await deliver('tool_result', context);
  });
  // Also raised for a call that was refused, or that names no tool: for these, pi has no result to show.
  on('tool_execution_end', async ({ toolCallId }, context) => {
    running.delete(String(toolCallId));
    await deliver('tool_execution_end', context);
  });

  on('agent_end', async ({ messages }, context) => {
    running.clear();
    const last = fieldsOf(Array.isArray(messages) ? messages.at(-1) : undefined);
    interrupted = last['stopReason'] === 'aborted';
    if (stopping.length > 0) pi.sendMessage(ofUnstuck(joinedMessages(stopping)));
    stopping = [];
    await deliver('agent_end', context);
  });
}

function ofUnstuck(content: string): PiMessage {
  return { customType: 'unstuck', content, display: true };
}
