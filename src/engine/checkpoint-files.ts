import { copyFile, lstat, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CheckpointFiles } from '../recover/checkpoint';

/** The machine's files, for checkpoints. */
export const systemCheckpointFiles: CheckpointFiles = {
  temporary: () => mkdtemp(join(tmpdir(), 'unstuck-')),
  remove: (folder) => rm(folder, { recursive: true, force: true }),
  async copy(from, to) {
    try {
      await copyFile(from, to);
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
      throw error;
    }
  },
  async size(path) {
    const stat = await lstat(path).catch(() => null);
    return stat?.isFile() ? stat.size : null;
  },
};
