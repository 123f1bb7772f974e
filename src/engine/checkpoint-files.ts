import { copyFile, lstat, mkdtemp, rm, stat, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CheckpointFiles } from '../recover/checkpoint';
import { errorCode } from '../util/error-code';

/** The machine's files, for checkpoints. */
export const systemCheckpointFiles: CheckpointFiles = {
  temporary: () => mkdtemp(join(tmpdir(), 'unstuck-')),
  remove: (folder) => rm(folder, { recursive: true, force: true }),
  async copy(from, to) {
    try {
      const found = await stat(from);
      if (!found.isFile()) return false;
      const { mtimeMs } = found;
      await copyFile(from, to);
      const second = Math.floor(mtimeMs / 1000);
      await utimes(to, second, second);
      return true;
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return false;
      throw error;
    }
  },
  async size(path) {
    const stat = await lstat(path).catch(() => null);
    return stat?.isFile() ? stat.size : null;
  },
};
