import { link, open, rename, stat, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { errorCode } from '../../base/util/error-code';
import { syncFolder } from '../journal/journal-writer';

/** Replaces a file so that a crash at any moment leaves the old or the new one. */
export async function replaceWhole(
  path: string,
  temporary: string,
  data: Uint8Array,
  isStillAllowed: () => Promise<boolean>,
): Promise<boolean> {
  const handle = await open(temporary, 'wx', 0o600);
  try {
    await handle.writeFile(data);
    await handle.sync();
  } finally {
    await handle.close();
  }
  if (!(await isStillAllowed())) {
    await unlink(temporary);
    return false;
  }
  await renameOver(temporary, path);
  await syncFolder(dirname(path));
  return true;
}

/** Renames a file over another. Windows refuses that while another process reads it, so it is retried for a moment. */
async function renameOver(from: string, to: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await rename(from, to);
      return;
    } catch (error) {
      const code = errorCode(error);
      if (attempt >= 10 || (code !== 'EPERM' && code !== 'EACCES' && code !== 'EBUSY')) throw error;
      await new Promise((resolve) => setTimeout(resolve, 20 * attempt));
    }
  }
}

/** Moves away anything in a file's place that is no file. */
export async function makeWay(path: string, aside: string): Promise<void> {
  const there = await stat(path).catch(() => null);
  if (there && !there.isFile()) await rename(path, aside);
}

/** Keeps what is at a path under a second name, so that replacing it does not delete it. Anything but a file is moved away. */
export async function setAside(path: string, aside: string): Promise<void> {
  try {
    await link(path, aside);
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ENOENT' || code === 'EEXIST') return;
    // It is a folder, or the file system has no second names.
    await rename(path, aside);
  }
}
