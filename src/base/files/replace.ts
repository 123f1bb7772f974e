import { randomBytes } from 'node:crypto';
import { rename, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { writeNew } from './write';

export interface Replacement {
  /** Mode of the file, less the umask. Only its owner reads and writes it where absent. */
  readonly mode?: number;
  /** Folder of the draft, on the same file system. That of the file where absent. */
  readonly drafts?: string;
}

/**
 * Writes a file at once: a reader sees the old text or the whole new one, also after a crash. The draft `<name>.<12 hex digits>.tmp` is
 * removed when writing fails. Throws system errors.
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
