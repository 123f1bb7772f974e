import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';

/** Absent on Windows, where opening a link for writing is refused by `O_EXCL` or by the check of the folder before. */
const NO_FOLLOW = constants.O_NOFOLLOW ?? 0;

async function closing<T>(file: FileHandle, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } finally {
    await file.close();
  }
}

/** Creates a file that must not exist, and waits until it is on the disk. Throws system errors. */
export async function writeNew(path: string, text: string): Promise<void> {
  const file = await open(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | NO_FOLLOW, 0o600);
  await closing(file, async () => {
    await file.writeFile(text, 'utf8');
    await file.sync();
  });
}

/**
 * Appends one line with one write, so that lines of several writers never mix. Where the last line was torn off by a crash, it begins a new
 * one. Throws system errors.
 */
export async function appendLine(path: string, line: string): Promise<void> {
  const file = await open(path, constants.O_RDWR | constants.O_CREAT | constants.O_APPEND | NO_FOLLOW, 0o600);
  await closing(file, async () => {
    const { size } = await file.stat();
    const last = Buffer.alloc(1);
    const torn = size > 0 && (await file.read(last, 0, 1, size - 1)).bytesRead === 1 && last[0] !== 0x0a;
    await file.write(`${torn ? '\n' : ''}${line}\n`);
  });
}

/** Bytes of the end of a regular file, at most `limit`, as text. A symbolic link is refused with ELOOP. Throws system errors. */
export async function readEnd(path: string, limit: number): Promise<string> {
  const file = await open(path, constants.O_RDONLY | NO_FOLLOW);
  return closing(file, async () => {
    const { size } = await file.stat();
    const start = Math.max(0, size - limit);
    const bytes = Buffer.alloc(size - start);
    const { bytesRead } = await file.read(bytes, 0, bytes.length, start);
    return bytes.toString('utf8', 0, bytesRead);
  });
}

/** A whole regular file as text with the time of its last rename or write, null where it is no regular file or larger than `limit`. Throws system errors. */
export async function readWhole(path: string, limit: number): Promise<{ text: string; changedAt: number } | null> {
  // Not to wait for a writer where the name is a pipe.
  const file = await open(path, constants.O_RDONLY | NO_FOLLOW | (constants.O_NONBLOCK ?? 0));
  return closing(file, async () => {
    const found = await file.stat();
    if (!found.isFile() || found.size > limit) return null;
    return { text: await file.readFile('utf8'), changedAt: found.ctimeMs };
  });
}
