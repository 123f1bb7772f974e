import { lstat, readdir, rmdir, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { decodeTime } from 'ulid';
import { readText } from '../../../base/files';
import { errorCode } from '../../../base/util/error-code';
import { parseRecord } from '../../../base/util/json';
import { isProcessAlive } from '../../../base/util/process';
import { checkInbox, type InboxFolder, inboxFolderNamed } from '../folder';
import { inboxNames } from './deliveries';
import { isMessageId } from './mark';
import { expireMessages, readMessages } from './waiting';

const DAY = 24 * 3600_000;
/** Milliseconds for which taken, expired or withdrawn messages are kept. */
const KEPT_FOR = 7 * DAY;
/** Milliseconds after which a draft in `tmp` counts as left behind by a writer that died. */
const DRAFT_LEFT_AFTER = 3600_000;
/** Size limit in bytes for a file with the process id of a supervisor or a window. */
const LARGEST_MARK = 4_096;

export interface Cleaned {
  readonly expired: number;
  readonly messages: number;
  readonly folders: number;
}

/**
 * Keeps a workspace folder's inboxes small: expires overdue messages, deletes messages from `cur` 7 days after they were written, deletes drafts that
 * a dead writer left behind, and removes the folder of a session in which nothing happened for 7 days. Waiting messages stay, and so does the folder
 * of a session that a live process supervises or publishes verdicts on. Never throws.
 *
 * @param now milliseconds since the epoch.
 */
export async function cleanInboxes(root: string, now: number, isAlive = isProcessAlive): Promise<Cleaned> {
  const names = await inboxNames(root);
  let expired = 0;
  let messages = 0;
  let folders = 0;
  for (const name of names.ok ? names.value : []) {
    const folder = inboxFolderNamed(root, '', name);
    const checked = await checkInbox(folder);
    if (!checked.ok) continue;
    if (checked.value === 'folder') {
      for (const session of await sessionsWaiting(folder)) {
        const done = await expireMessages(root, session, now);
        if (done.ok) expired += done.value;
      }
      messages += await removeOlder(folder.cur, now - KEPT_FOR);
      await removeOlder(folder.tmp, now - DRAFT_LEFT_AFTER);
      await removeDrafts(folder.tmp, now - DRAFT_LEFT_AFTER);
    }
    if (!(await isInUse(folder, isAlive)) && (await removeSilent(folder, now - KEPT_FOR))) folders++;
  }
  return { expired, messages, folders };
}

/** Files besides the messages: states of windows, hooks and supervisors. */
const OTHERS = ['supervisor.json', 'gate.json', 'ended.json', 'interruptions.json', 'calls.jsonl'];

async function sessionsWaiting(folder: InboxFolder): Promise<ReadonlySet<string>> {
  return new Set((await readMessages(folder.new)).found.map(({ message }) => message.session));
}

async function names(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch {
    return [];
  }
}

async function removeOlder(folder: string, before: number): Promise<number> {
  let removed = 0;
  for (const name of await names(folder)) {
    const id = name.slice(0, 26);
    if (!isMessageId(id) || decodeTime(id) >= before) continue;
    if (await quietly(() => unlink(join(folder, name)))) removed++;
  }
  return removed;
}

/** Removes the drafts of a process that was killed while it wrote a state. */
async function removeDrafts(folder: string, before: number): Promise<void> {
  for (const name of await names(folder)) {
    if (!/^(?:(?:gate|ended|interruptions|supervisor)(?:\.json)?|wake)\.[0-9a-f]{12}\.tmp$/.test(name)) continue;
    const path = join(folder, name);
    await quietly(async () => {
      if ((await lstat(path)).mtimeMs < before) await unlink(path);
    });
  }
}

/** Returns whether a supervisor or a window that is still running has left its mark in this folder. */
async function isInUse(folder: InboxFolder, isAlive: (pid: number) => boolean): Promise<boolean> {
  for (const name of ['supervisor.json', 'gate.json']) {
    const read = await readText(join(folder.path, name), { limit: LARGEST_MARK, noFollow: true });
    const pid = parseRecord(read.ok ? read.value : '')?.['pid'];
    if (typeof pid === 'number' && isAlive(pid)) return true;
  }
  return false;
}

/** Removes a session's folder that holds no message, and in which nothing was written since `before`. */
async function removeSilent(folder: InboxFolder, before: number): Promise<boolean> {
  for (const inner of [folder.new, folder.cur, folder.tmp]) if ((await names(inner)).length > 0) return false;
  const calls = join(folder.path, 'calls.jsonl');
  for (const path of [folder.path, folder.receipts, folder.wake, folder.new, folder.cur, calls]) {
    try {
      if ((await lstat(path)).mtimeMs >= before) return false;
    } catch (error) {
      if (errorCode(error) !== 'ENOENT') return false;
    }
  }
  const left = [folder.wake, folder.receipts, ...OTHERS.map((name) => join(folder.path, name))];
  for (const file of left) await quietly(() => unlink(file));
  // `rmdir` refuses a folder into which another process has just written.
  for (const inner of [folder.tmp, folder.new, folder.cur]) await quietly(() => rmdir(inner));
  return quietly(() => rmdir(folder.path));
}

async function quietly(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch {
    return false;
  }
}
