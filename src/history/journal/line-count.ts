import { type FileHandle, mkdir, open, readdir, readFile, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isAbsent } from '../errors';

/**
 * The line count of a journal on disk, in a separate file. A journal that was cut off after a line looks whole; the count shows that lines are
 * missing.
 *
 * Written after the sync of the lines and never before it, so that it can be too low after a crash but never too high. Nothing waits for it, and it
 * may be absent: it can only reveal damage.
 */
export interface LineCount {
  note(lines: number): Promise<void>;
  close(): Promise<void>;
}

/** A fixed length, so that it is overwritten in one piece. */
const DIGITS = 12;
const SAID = /^\d{12}\n$/;

export function createLineCount(folder: string, base: string): LineCount {
  let handle: FileHandle | null = null;
  return {
    async note(lines) {
      try {
        handle ??= await create(join(folder, base));
        await handle.write(`${String(lines).padStart(DIGITS, '0')}\n`, 0);
      } catch {
        // The disk may be full: the previous count remains valid.
      }
    },
    async close() {
      await handle?.close().catch(() => {});
      handle = null;
    },
  };
}

async function create(path: string): Promise<FileHandle> {
  try {
    return await open(path, 'wx', 0o600);
  } catch (error) {
    if (!isAbsent(error)) throw error;
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    return open(path, 'wx', 0o600);
  }
}

/** Returns the minimum number of lines of a journal; 0 if it is not recorded. */
export async function leastLines(folder: string, base: string): Promise<number> {
  const text = await readFile(join(folder, base), 'utf8').catch(() => '');
  return SAID.test(text) ? Number(text) : 0;
}

/** Deletes the counts of journals that are gone. @param remaining names of those that exist */
export async function forgetLineCounts(folder: string, remaining: () => Promise<readonly string[]>): Promise<void> {
  // Listed first, because a count is created after its journal.
  const counted = await readdir(folder).catch(() => []);
  if (counted.length === 0) return;
  const bases = new Set(await remaining());
  for (const base of counted) if (!bases.has(base)) await unlink(join(folder, base)).catch(() => {});
}
