import { randomBytes } from 'node:crypto';
import { rename, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { writeNew } from './write';

export interface Replacement {
  /** Mode of the file, less the umask. Where absent, only its owner may read and write it. */
  readonly mode?: number;
  /** Folder of the draft, on the same file system. Where absent, the folder of the file. */
  readonly drafts?: string;
}

/**
 * Replaces a file atomically: a reader sees the old text or the whole new one, even after a crash. The draft `<name>.<12 hex digits>.tmp` is removed
 * when writing fails. Throws system errors.
 */
export async function replaceFile(path: string, text: string, { mode, drafts }: Replacement = {}): Promise<void> {
  const draft = join(drafts ?? dirname(path), `${basename(path)}.${randomBytes(6).toString('hex')}.tmp`);
  try {
    await writeNew(draft, text, mode);
    await rename(draft, path);
  } catch (error) {
    await unlink(draft).catch(() => undefined);
    throw error;
  }
}
