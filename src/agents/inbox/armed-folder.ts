import { unlinkSync } from 'node:fs';
import { readdir, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { readText, replaceFile } from '../../base/files';
import { parseRecord } from '../../base/util/json';
import { ok, type Result, fail } from '../../base/util/result';
import { inboxFailure, type InboxFailure } from './failure';
import { prepareUnstuck, unstuckFolder } from './folder';

/**
 * `.unstuck/gate-<pid>.json`: the window of this process judges claims of completion in this folder, even of sessions that it does not know yet
 * (docs/gates.md). One file per window: each removes its own.
 */
const NAME = /^gate-\d{1,10}\.json$/;
const LARGEST = 1_024;

function pathOf(root: string, pid: number): string {
  return join(unstuckFolder(root), `gate-${pid}.json`);
}

/** Writes this window's file, and removes the files of windows that are gone. */
export async function armFolder(
  root: string,
  pid: number,
  isAlive: (pid: number) => boolean,
): Promise<Result<void, InboxFailure>> {
  const prepared = await prepareUnstuck(root);
  if (!prepared.ok) return prepared;
  try {
    // Another window may remove it at the same time.
    for (const { path, by } of await marks(root)) if (!isAlive(by)) await unlink(path).catch(() => undefined);
    await replaceFile(pathOf(root, pid), JSON.stringify({ v: 1, pid }));
    return ok(undefined);
  } catch (error) {
    return fail(inboxFailure(error, 'write the state of the gates to', unstuckFolder(root)));
  }
}

/** Removes this window's file. Synchronous: it also runs while an editor closes. */
export function disarmFolder(root: string, pid: number): void {
  try {
    unlinkSync(pathOf(root, pid));
  } catch {
    // It is already gone.
  }
}

/** Returns whether a live window judges claims in this folder. Never throws. */
export async function isFolderArmed(root: string, isAlive: (pid: number) => boolean): Promise<boolean> {
  return (await marks(root)).some(({ by }) => isAlive(by));
}

async function marks(root: string): Promise<readonly { readonly path: string; readonly by: number }[]> {
  const names = await readdir(unstuckFolder(root)).catch(() => []);
  const found: { path: string; by: number }[] = [];
  for (const name of names.filter((one) => NAME.test(one))) {
    const path = join(unstuckFolder(root), name);
    const read = await readText(path, { limit: LARGEST, noFollow: true });
    const pid = parseRecord(read.ok ? read.value : '')?.['pid'];
    if (Number.isSafeInteger(pid) && (pid as number) > 0) found.push({ path, by: pid as number });
  }
  return found;
}
