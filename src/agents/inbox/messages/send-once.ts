import { lstat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { ok, type Result } from '../../../base/util/result';
import { checkInbox, inboxFolder } from '../folder';
import type { InboxFailure } from '../failure';
import { type MessageDraft, type SendOptions, sendMessage } from './send';

/**
 * Sends a message that already has its id and may come twice: from another machine, or again after a crash. `known`: it is in the inbox, taken or
 * not, and nothing was written.
 *
 * Only for one writer of such messages per inbox at a time.
 */
export async function sendMessageOnce(
  root: string,
  id: string,
  draft: MessageDraft,
  now: number,
  options: Omit<SendOptions, 'newId'> = {},
): Promise<Result<'queued' | 'known', InboxFailure>> {
  const folder = inboxFolder(root, draft.session);
  const there = await checkInbox(folder);
  if (!there.ok) return there;
  if (there.value === 'folder') {
    const name = `${id}.json`;
    // `new` first: a message that is taken meanwhile is then found in both folders, never in neither.
    if ((await exists(join(folder.new, name))) || (await exists(join(folder.cur, name)))) return ok('known');
    // Removes the draft of a writer that died before the message was complete.
    await unlink(join(folder.tmp, name)).catch(() => undefined);
  }
  const sent = await sendMessage(root, draft, now, { ...options, newId: () => id });
  return sent.ok ? ok('queued') : sent;
}

async function exists(path: string): Promise<boolean> {
  return await lstat(path).then(
    () => true,
    () => false,
  );
}
