import { chmodSync, lstatSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { UsageError } from '../output';

/** Mode bits that allow the group and others to write. */
const OTHERS_WRITE = 0o022;

/** Makes a fleet's folder if it does not exist. */
export function makeFolder(folder: string): void {
  if (mkdirSync(folder, { recursive: true, mode: 0o700 }) !== undefined) chmodSync(folder, 0o700);
  refuseFolderOfOthers(folder);
}

/** Throws if another user could replace the files of a fleet. */
export function refuseFolderOfOthers(folder: string): void {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  if (!found) return;
  const user = process.getuid?.();
  // Windows has neither users nor modes of this kind.
  const isOfOthers = user !== undefined && (found.uid !== user || (found.mode & OTHERS_WRITE) !== 0);
  if (!found.isDirectory() || isOfOthers)
    throw new UsageError(
      'unreadable',
      `unstuck fleet: ${folder} must be your own folder, not a link, and writable only by you. Run chmod 700 on it, or name another one.`,
    );
}

/** Writes a file that only its owner can read, whatever the umask. Throws if the file exists. */
export function writeOwnFile(path: string, text: string): void {
  writeFileSync(path, text, { flag: 'wx', mode: 0o600 });
  chmodSync(path, 0o600);
}

/** Does the same for a file that may exist. The server may read it at any moment. */
export function replace(path: string, text: string): void {
  rmSync(`${path}.new`, { force: true });
  writeOwnFile(`${path}.new`, text);
  renameSync(`${path}.new`, path);
}
