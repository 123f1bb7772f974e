import {
  appendFile,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readlink,
  realpath,
  rm,
  rmdir,
  symlink,
  unlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, sep } from 'node:path';
import { readPieces } from '../../base/files';
import type { CheckpointFiles, FoundEntry } from './';
import { errorCode } from '../../base/util/error-code';

/** The files of this machine, for checkpoints. */
export const systemCheckpointFiles: CheckpointFiles = {
  temporary: async () => realpath(await mkdtemp(join(tmpdir(), 'unstuck-'))),
  remove: (folder) => rm(folder, { recursive: true, force: true }),
  async repositoryAbove(folder) {
    const start = await realpath(folder).catch(() => null);
    for (let at = start; at !== null; at = dirname(at) === at ? null : dirname(at))
      if (await lstat(join(at, '.git')).catch(() => null)) return at;
    return null;
  },
  async look(root, path): Promise<FoundEntry | null> {
    const stat = await lstat(place(root, path), { bigint: true }).catch(() => null);
    if (!stat) return null;
    const kind = stat.isFile() ? 'file' : stat.isDirectory() ? 'folder' : stat.isSymbolicLink() ? 'link' : 'other';
    return {
      kind,
      isExecutable: (stat.mode & 0o100n) !== 0n,
      size: Number(stat.size),
      contentAt: stat.mtimeNs,
      // On Windows, git stores the time when the file was created here.
      statusAt: process.platform === 'win32' ? null : stat.ctimeNs,
    };
  },
  async names(root, path) {
    const names = await readdir(place(root, path), { encoding: 'buffer' }).catch(() => []);
    return names.map((name) => name.toString('latin1'));
  },
  read: (root, path, each) => read(root, path, async (piece) => each(piece)),
  async copy(root, path, to, limit) {
    await writeFile(to, '', { flag: 'wx', mode: 0o600 });
    let bytes = 0;
    const tooLarge = new Error('too large');
    try {
      const size = await read(root, path, async (piece) => {
        bytes += piece.length;
        if (bytes > limit) throw tooLarge;
        await appendFile(to, piece);
      });
      return size ?? 'special';
    } catch (error) {
      if (error === tooLarge) return 'too_large';
      throw error;
    }
  },
  link: (folder, at) => symlink(folder, at, process.platform === 'win32' ? 'junction' : 'dir'),
  async write(root, path, content, form) {
    await makeFolders(root, path);
    const at = place(root, path);
    // An empty folder may have been left here.
    await rmdir(at).catch(() => unlink(at).catch(unlessMissing));
    if (form === 'link') {
      try {
        await symlink(Buffer.from(content), at);
        return;
      } catch (error) {
        // On Windows only an administrator can make a link; git writes its target there.
        if (process.platform !== 'win32') throw error;
      }
    }
    await writeFile(at, content, { flag: 'wx', mode: form === 'executable' ? 0o777 : 0o666 });
  },
  async delete(root, path) {
    if (!(await isInside(root, path))) return;
    await unlink(place(root, path)).catch(unlessMissing);
    for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
      const left = await rmdir(place(root, path.slice(0, end))).then(
        () => false,
        () => true,
      );
      if (left) return;
    }
  },
};

function place(root: string, path: string): Buffer {
  return Buffer.concat([Buffer.from(path === '' ? root : root + sep), Buffer.from(path, 'latin1')]);
}

/** True if everything on the way to a path is a folder, not a link. */
async function isInside(root: string, path: string): Promise<boolean> {
  for (let end = path.indexOf('/'); end >= 0; end = path.indexOf('/', end + 1))
    if (!(await lstat(place(root, path.slice(0, end))).catch(() => null))?.isDirectory()) return false;
  return true;
}

async function read(root: string, path: string, each: (piece: Uint8Array) => Promise<void>): Promise<number | null> {
  if (!(await isInside(root, path))) return null;
  const at = place(root, path);
  const target = await readlink(at, { encoding: 'buffer' }).catch(() => null);
  if (!target) return readPieces(at, each);
  await each(target);
  return target.length;
}

/** Creates the folders above a path. Throws if one of them is a link or a file. */
async function makeFolders(root: string, path: string): Promise<void> {
  for (let end = path.indexOf('/'); end >= 0; end = path.indexOf('/', end + 1))
    await mkdir(place(root, path.slice(0, end))).catch(async (error: unknown) => {
      const isFolder = (await lstat(place(root, path.slice(0, end)))).isDirectory();
      if (errorCode(error) !== 'EEXIST' || !isFolder) throw error;
    });
}

function unlessMissing(error: unknown): void {
  if (errorCode(error) !== 'ENOENT' && errorCode(error) !== 'ENOTDIR') throw error;
}
