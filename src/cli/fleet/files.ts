import { chmodSync, lstatSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { UsageError } from '../output';

/** Bits of a mode that let the group and others write. */
const OTHERS_WRITE = 0o022;

/** Makes the folder of a fleet where there is none. */
export function makeFolder(folder: string): void {
  if (mkdirSync(folder, { recursive: true, mode: 0o700 }) !== undefined) chmodSync(folder, 0o700);
  refuseFolderOfOthers(folder);
}

/** Throws where another user could exchange the files of a fleet. */
export function refuseFolderOfOthers(folder: string): void {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  if (!found) return;
  const user = process.getuid?.();
  // Windows knows neither users nor modes of this kind.
  const isOfOthers = user !== undefined && (found.uid !== user || (found.mode & OTHERS_WRITE) !== 0);
  if (!found.isDirectory() || isOfOthers)
    throw new UsageError(
      'unreadable',
      `unstuck fleet: ${folder} must be a folder of yours, not a link, that nobody else can write to. Run chmod 700 on it, or name another one.`,
    );
}

/** Writes a file that only its owner reads, whatever the umask. Throws where there is one. */
export function writeOwnFile(path: string, text: string): void {
  writeFileSync(path, text, { flag: 'wx', mode: 0o600 });
  chmodSync(path, 0o600);
}

/** The same where there may be one. The server may read it at any moment. */
export function replace(path: string, text: string): void {
  rmSync(`${path}.new`, { force: true });
  writeOwnFile(`${path}.new`, text);
  renameSync(`${path}.new`, path);
}
