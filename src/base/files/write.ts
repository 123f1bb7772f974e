import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { fail, ok, type Result } from '../util/result';
import { type FileProblem, problemOf, problemOfError } from './problem';

/** Absent on Windows, where opening a link for writing is refused by `O_EXCL` or by the earlier check of the folder. */
const NO_FOLLOW = constants.O_NOFOLLOW ?? 0;
const NO_WAIT = constants.O_NONBLOCK ?? 0;

async function closing<T>(file: FileHandle, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } finally {
    await file.close();
  }
}

/**
 * Creates a file that must not exist, and waits until it is on the disk. Throws system errors.
 *
 * @param mode less the umask; by default only its owner may read and write it
 */
export async function writeNew(path: string, text: string, mode = 0o600): Promise<void> {
  const file = await open(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | NO_FOLLOW, mode);
  await closing(file, async () => {
    await file.writeFile(text, 'utf8');
    await file.sync();
  });
}

/**
 * Appends one line to a regular file in one write, so that lines of several writers never mix. If a crash has cut off the last line, it begins a new
 * one. Never throws, and never waits for a reader of a pipe.
 */
export async function appendLine(path: string, line: string): Promise<Result<void, FileProblem>> {
  try {
    const flags = constants.O_RDWR | constants.O_CREAT | constants.O_APPEND | NO_FOLLOW | NO_WAIT;
    const file = await open(path, flags, 0o600);
    return await closing(file, async () => {
      const found = await file.stat();
      if (!found.isFile()) return fail(problemOf('NOTFILE', path));
      const last = Buffer.alloc(1);
      const torn = found.size > 0 && (await file.read(last, 0, 1, found.size - 1)).bytesRead === 1 && last[0] !== 0x0a;
      await file.write(`${torn ? '\n' : ''}${line}\n`);
      return ok(undefined);
    });
  } catch (error) {
    return fail(problemOfError(error, path));
  }
}
