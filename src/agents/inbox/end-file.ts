import { type FSWatcher, watch } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { readText, replaceFile } from '../../base/files';
import type { Disposable } from '../../base/util/disposable';
import { parseJson } from '../../base/util/json';
import { fail, ok, type Result } from '../../base/util/result';
import { inboxFailure, type InboxFailure } from './failure';
import { checkInbox, inboxFolder } from './folder';

/**
 * `<session>/ended.json`: a hook informs the window that the agent is about to end its turn. For agents that write the end of a turn only after their
 * end hook has returned, or not at all: no transcript can show it in time (docs/gates.md).
 */
const NAME = 'ended.json';
const LARGEST = 4_096;

const schema = z.object({
  v: z.literal(1),
  session: z.string().check(z.minLength(1), z.maxLength(1000)),
  /** Time of the hook's call, in milliseconds since the epoch. */
  at: z.number(),
});

/** Reports that a turn is about to end. The inbox already exists, because a window judges this session. */
export async function reportEnd(root: string, session: string, at: number): Promise<Result<void, InboxFailure>> {
  const folder = inboxFolder(root, session);
  try {
    await replaceFile(join(folder.path, NAME), JSON.stringify({ v: 1, session, at }), { drafts: folder.tmp });
    return ok(undefined);
  } catch (error) {
    return fail(inboxFailure(error, 'say the end of the turn in', folder.path));
  }
}

/**
 * Returns the time at which a hook last reported the end of a turn of this session; null if none did, or if the file is not Unstuck's. Never throws.
 */
async function readEnd(root: string, session: string): Promise<number | null> {
  const folder = inboxFolder(root, session);
  const checked = await checkInbox(folder);
  if (!checked.ok || checked.value === 'absent') return null;
  const read = await readText(join(folder.path, NAME), { limit: LARGEST, noFollow: true });
  const parsed = z.safeParse(schema, parseJson(read.ok ? read.value : ''));
  return parsed.success && parsed.data.session === session ? parsed.data.at : null;
}

/**
 * Calls `onEnd` once for each turn end that a hook reports from `since` on. The session's folder must exist. If it cannot be watched, `onEnd` is
 * never called, and the hook gives up after a moment.
 */
export function watchEnds(root: string, session: string, since: number, onEnd: (at: number) => void): Disposable {
  let last = since - 1;
  let watcher: FSWatcher | null = null;
  const look = async (): Promise<void> => {
    const at = await readEnd(root, session);
    if (at === null || at <= last || watcher === null) return;
    last = at;
    onEnd(at);
  };
  try {
    watcher = watch(inboxFolder(root, session).path, { persistent: false }, (_kind, name) => {
      if (name === NAME || name === null) void look();
    });
    watcher.on('error', () => watcher?.close());
    // It may have been reported while watching began.
    void look();
  } catch {
    // The folder is gone: no hook reports anything in it.
  }
  return {
    dispose: () => {
      watcher?.close();
      watcher = null;
    },
  };
}
