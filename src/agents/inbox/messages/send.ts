import { rename, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { monotonicFactory } from 'ulid';
import type { Delivery, InboxMessage } from '../../../core/model';
import { presentable } from '../../../base/util/redact';
import { fail, ok, type Result } from '../../../base/util/result';
import { inboxFailure, type InboxFailure } from '../failure';
import { replaceFile, writeNew } from '../../../base/files';
import { type InboxFolder, inboxFolder, prepareInbox } from '../folder';
import { withMark, withoutMark } from './mark';
import { appendReceipt, receipt } from './receipts';
import { DEFAULT_EXPIRY, LARGEST_MESSAGE, parseMessage } from './schema';

/** Fields of a message that come from its sender; the rest (id, times, mark) is added when it is sent. */
export type MessageDraft = Pick<InboxMessage, 'session' | 'agent' | 'kind' | 'text' | 'automated'> &
  Partial<Pick<InboxMessage, 'incident' | 'attempt' | 'task' | 'restart' | 'call' | 'via'>> & {
    /** Milliseconds until it expires; 10 minutes if absent. */
    readonly expiresIn?: number;
  };

export interface SendOptions {
  /** Creates the id, a ULID, so that ids sort in the order of sending. */
  readonly newId?: (now: number) => string;
  /** Sender, for the receipt. */
  readonly by?: string;
}

const nextId = monotonicFactory();

/** Returns the message for a draft: its words without secrets and hidden characters. A call to refuse stays as the agent makes it. */
export function messageOf(draft: MessageDraft, id: string, now: number): InboxMessage {
  const { expiresIn = DEFAULT_EXPIRY, text, session, agent, kind, automated, task, restart, ...rest } = draft;
  return {
    v: 1,
    id,
    t: new Date(now).toISOString(),
    session,
    agent,
    kind,
    text: withMark(presentable(text), id),
    ...rest,
    ...(task && {
      task: { ...task, avoid: task.avoid.map((one) => presentable(one)), prompt: presentable(task.prompt) },
    }),
    ...(restart && { restart: { ...restart, prompt: presentable(restart.prompt) } }),
    from: 'unstuck',
    automated,
    expires: new Date(now + expiresIn).toISOString(),
  };
}

/** Returns the draft for sending a failed or expired message again: the same words, a new id. */
export function draftAgain(message: InboxMessage): MessageDraft {
  const { v: _v, id, t, from: _from, expires, text, ...rest } = message;
  const expiresIn = Date.parse(expires) - Date.parse(t);
  return { ...rest, text: withoutMark(text, id), ...(expiresIn > 0 ? { expiresIn } : {}) };
}

/**
 * Puts a message into an inbox: it is created in `tmp`, synced, and renamed into `new`; then `wake` is replaced with its id, and the receipt `queued`
 * is written.
 *
 * Once it is in `new` it counts as sent: a later failure (wake, receipt) costs speed or a line, not the message.
 *
 * @param root the workspace folder (see `inboxRoot`).
 * @param now milliseconds since the epoch.
 */
export async function sendMessage(
  root: string,
  draft: MessageDraft,
  now: number,
  options: SendOptions = {},
): Promise<Result<Delivery, InboxFailure>> {
  const id = (options.newId ?? nextId)(now);
  const by = options.by ?? 'unstuck';
  const folder = inboxFolder(root, draft.session);
  const message = messageOf(draft, id, now);
  const text = `${JSON.stringify(message)}\n`;
  const checked = parseMessage(text, id);
  if (!checked.ok || Buffer.byteLength(text) > LARGEST_MESSAGE) {
    const why = checked.ok ? 'it is too long' : checked.error.why;
    return fail({ code: 'invalid', message: `The message cannot be sent: ${why}.`, path: folder.path });
  }

  const prepared = await prepareInbox(folder);
  if (!prepared.ok) return prepared;
  const draftFile = join(folder.tmp, `${id}.json`);
  try {
    await writeNew(draftFile, text);
    await rename(draftFile, join(folder.new, `${id}.json`));
  } catch (error) {
    await unlink(draftFile).catch(() => undefined);
    return fail(inboxFailure(error, 'write the message to', folder.path));
  }
  await callAgent(folder, id);
  await appendReceipt(folder, receipt(id, 'queued', by, now));
  return ok({ message, state: 'queued', times: { queued: now }, by });
}

/**
 * Replaces `wake`, the fixed path that agents can watch. It is replaced rather than written into, so that a watcher sees it complete. Never throws.
 */
export async function callAgent(folder: InboxFolder, id: string): Promise<void> {
  // If it fails, the message still waits in `new`: the agent's next tool call takes it.
  await replaceFile(folder.wake, id, { drafts: folder.tmp }).catch(() => undefined);
}
