import { lstat, readdir, rename } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { type FileProblem, readBytes } from '../../../base/files';
import type { DeliveryState, InboxMessage } from '../../../core/model';
import { fail, ok, type Result } from '../../../base/util/result';
import { errorCode } from '../../../base/util/error-code';
import { inboxFailure, type InboxFailure } from '../failure';
import { checkInbox, type InboxFolder, inboxFolder } from '../folder';
import { heldFor, type Interruption, readInterruptions } from '../interruptions';
import { isMessageId } from './mark';
import { appendReceipt, receipt } from './receipts';
import { DEFAULT_EXPIRY, LARGEST_MESSAGE, parseMessage } from './schema';

const ENDING = '.json';

/** A file in an inbox that is not a message for us, and the reason. */
export interface InboxProblem {
  readonly path: string;
  readonly code: 'json' | 'version' | 'schema' | 'name' | 'session' | 'size' | 'symbolic_link' | 'unreadable';
  /** One short sentence without the file's text. */
  readonly why: string;
  /** Expiry of a message of a later version: milliseconds since the epoch. */
  readonly expires?: number;
}

interface FoundMessage {
  readonly message: InboxMessage;
  /** Time of the last rename or write of the file, in milliseconds since the epoch. */
  readonly changedAt: number;
}

export interface FoundMessages {
  /** Oldest first. */
  readonly found: readonly FoundMessage[];
  readonly problems: readonly InboxProblem[];
}

/** Largest number of files read in one folder: anyone with write access to the workspace can put a million there. */
export const MOST_MESSAGES = 1_000;

/**
 * Reads the messages of `new` or `cur`, oldest first; if there are too many, only the oldest or the newest. Files that disappear meanwhile were taken
 * by another process and are left out.
 */
export async function readMessages(folder: string, keep: 'oldest' | 'newest' = 'oldest'): Promise<FoundMessages> {
  let names: string[];
  try {
    names = await readdir(folder);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return { found: [], problems: [] };
    return {
      found: [],
      problems: [{ path: folder, code: 'unreadable', why: inboxFailure(error, 'read', folder).message }],
    };
  }
  const found: FoundMessage[] = [];
  const problems: InboxProblem[] = [];
  names.sort();
  if (names.length > MOST_MESSAGES) {
    const why = `it holds ${names.length} files; ${MOST_MESSAGES} of them are looked at`;
    problems.push({ path: folder, code: 'unreadable', why });
  }
  // Counted separately: files with any other name, which are never removed, must not keep messages from being read.
  const [messages, others] = [names.filter(isMessageFile), names.filter((name) => !isMessageFile(name))];
  const kept = keep === 'oldest' ? messages.slice(0, MOST_MESSAGES) : messages.slice(-MOST_MESSAGES);
  for (const name of kept) {
    const path = join(folder, name);
    const id = basename(name, ENDING);
    const file = await readBytes(path, { limit: LARGEST_MESSAGE, noFollow: true });
    if (file.ok) {
      const parsed = parseMessage(file.value.bytes.toString('utf8'), id);
      if (parsed.ok) found.push({ message: parsed.value, changedAt: file.value.changedAt });
      else if (parsed.error.code === 'version')
        problems.push({ path, expires: file.value.changedAt + DEFAULT_EXPIRY, ...parsed.error });
      else problems.push({ path, ...parsed.error });
    } else if (file.error.reason !== 'missing') problems.push(unread(file.error));
  }
  for (const name of others.slice(0, MOST_MESSAGES)) {
    problems.push({ path: join(folder, name), code: 'name', why: 'its name is not a message id and .json' });
  }
  return { found, problems };
}

function isMessageFile(name: string): boolean {
  return name.endsWith(ENDING) && isMessageId(basename(name, ENDING));
}

function unread(problem: FileProblem): InboxProblem {
  const { path, reason } = problem;
  switch (reason) {
    case 'link':
      return { path, code: 'symbolic_link', why: 'it is a symbolic link' };
    case 'too_large':
      return { path, code: 'size', why: 'it is larger than 1 MB' };
    case 'not_regular':
      return { path, code: 'unreadable', why: 'it is not a regular file' };
    case 'missing':
    case 'no_permission':
    case 'too_many_open':
    case 'other':
      return { path, code: 'unreadable', why: inboxFailure(problem, 'read', path).message };
  }
}

async function isThere(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return false;
    throw error;
  }
}

/** Moves a message from `new` to `cur`. If several takers try at once, exactly one succeeds; all others fail with `not_waiting`. */
async function claim(folder: InboxFolder, id: string): Promise<Result<void, InboxFailure>> {
  const from = join(folder.new, `${id}${ENDING}`);
  const to = join(folder.cur, `${id}${ENDING}`);
  try {
    // A rename would replace it: a message in `cur` was already delivered, and must not be delivered twice.
    if ((await isThere(to)) && (await isThere(from))) {
      return fail({ code: 'duplicate', message: `Message ${id} was already delivered.`, path: from });
    }
    await rename(from, to);
    return ok(undefined);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') {
      return fail({ code: 'not_waiting', message: `Message ${id} is no longer waiting.`, path: from });
    }
    return fail(inboxFailure(error, 'take', from));
  }
}

/** Claims a message and writes the receipt with the reason. */
async function moveToCur(
  folder: InboxFolder,
  id: string,
  state: DeliveryState,
  by: string,
  now: number,
  reason?: string,
): Promise<Result<void, InboxFailure>> {
  const claimed = await claim(folder, id);
  if (!claimed.ok) return claimed;
  // The move decides. If the receipt cannot be written, the file's place still shows that the message was taken.
  await appendReceipt(folder, receipt(id, state, by, now, reason === undefined ? {} : { reason }));
  return claimed;
}

/**
 * Moves a file that can never be delivered to `cur` with the receipt `failed`: left in `new`, it would start the hook's runtime at each tool call. A
 * message of a later version is left to that version until it expires. Links and files that are not named like a message are left alone; they start
 * nothing.
 */
async function putAside(folder: InboxFolder, problem: InboxProblem, by: string, now: number): Promise<void> {
  const id = basename(problem.path, ENDING);
  if (!isMessageId(id)) return;
  switch (problem.code) {
    case 'json':
    case 'schema':
    case 'name':
    case 'session':
    case 'size':
      await moveToCur(folder, id, 'failed', by, now, problem.why);
      return;
    case 'version':
      if ((problem.expires ?? now) <= now) await moveToCur(folder, id, 'expired', by, now, problem.why);
      return;
    case 'symbolic_link':
    case 'unreadable':
      return;
  }
}

/** Returns the expiry of a message, in milliseconds since the epoch: its clock stops while a person has the agent interrupted. */
export function expiresAt(message: InboxMessage, interruptions: readonly Interruption[], now: number): number {
  return Date.parse(message.expires) + heldFor(interruptions, Date.parse(message.t), now);
}

function isExpired(message: InboxMessage, interruptions: readonly Interruption[], now: number): boolean {
  return expiresAt(message, interruptions, now) <= now;
}

export interface TakeRequest {
  readonly root: string;
  readonly session: string;
  /** Receiver, for the receipt: `hook:PostToolBatch`, `supervisor`. */
  readonly by: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Selects the waiting messages to take, oldest first. The others stay in `new`. */
  readonly choose: (waiting: readonly InboxMessage[]) => readonly InboxMessage[];
}

export interface Taken {
  /** Messages for this caller alone, in the order in which they were chosen. */
  readonly messages: readonly InboxMessage[];
  readonly problems: readonly InboxProblem[];
}

/**
 * Takes messages of a session: each is renamed from `new` to `cur`, and delivered only to the caller whose rename succeeded. Expired ones are never
 * delivered: they go to `cur` with the receipt `expired`.
 */
export async function takeMessages(request: TakeRequest): Promise<Result<Taken, InboxFailure>> {
  const { root, session, by, now } = request;
  const folder = inboxFolder(root, session);
  const checked = await checkInbox(folder);
  if (!checked.ok) return checked;
  if (checked.value === 'absent') return ok({ messages: [], problems: [] });

  const { found, problems } = await readMessages(folder.new);
  const interruptions = found.length > 0 ? await readInterruptions(folder) : [];
  const unusable = [...problems];
  const waiting: InboxMessage[] = [];
  for (const { message } of found) {
    if (message.session !== session) {
      const path = join(folder.new, `${message.id}${ENDING}`);
      unusable.push({ path, code: 'session', why: 'it is for another session' });
    } else if (isExpired(message, interruptions, now)) await moveToCur(folder, message.id, 'expired', by, now);
    else waiting.push(message);
  }
  for (const problem of unusable) await putAside(folder, problem, by, now);
  const messages: InboxMessage[] = [];
  for (const message of request.choose(waiting)) {
    if ((await moveToCur(folder, message.id, 'taken', by, now)).ok) messages.push(message);
  }
  return ok({ messages, problems: unusable });
}

/** Withdraws a message that still waits. `not_waiting`: the agent was faster. */
export async function withdrawMessage(
  root: string,
  session: string,
  id: string,
  now: number,
  by = 'unstuck',
): Promise<Result<void, InboxFailure>> {
  const folder = inboxFolder(root, session);
  const path = join(folder.new, id);
  if (!isMessageId(id)) return fail({ code: 'invalid', message: 'This is not the id of a message.', path });
  const checked = await checkInbox(folder);
  if (!checked.ok) return checked;
  if (checked.value === 'absent') {
    return fail({ code: 'not_waiting', message: `Message ${id} is no longer waiting.`, path });
  }
  return moveToCur(folder, id, 'withdrawn', by, now);
}

/** Moves expired messages from `new` to `cur`, each with its receipt. Returns their number. */
export async function expireMessages(
  root: string,
  session: string,
  now: number,
): Promise<Result<number, InboxFailure>> {
  let expired = 0;
  const folder = inboxFolder(root, session);
  const checked = await checkInbox(folder);
  if (!checked.ok) return checked;
  if (checked.value === 'absent') return ok(0);
  const { found } = await readMessages(folder.new);
  const interruptions = found.length > 0 ? await readInterruptions(folder) : [];
  for (const { message } of found) {
    if (isExpired(message, interruptions, now) && (await moveToCur(folder, message.id, 'expired', 'unstuck', now)).ok)
      expired++;
  }
  return ok(expired);
}
