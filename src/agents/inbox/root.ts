import { realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { readTextNow } from '../../base/files';

/** File access of `inboxRoot`, passed in so that tests need no git. */
export interface RootFiles {
  /** Text of a small file, undefined where there is no such file. */
  readonly read: (path: string) => string | undefined;
  /** The path without symbolic links; the path itself where it does not exist. */
  readonly real: (path: string) => string;
}

/** Bytes of `.git`, `commondir` and `HEAD`, which hold one line each. Any folder above an agent's may belong to another user. */
const LARGEST = 64 * 1024;

export const rootFiles: RootFiles = {
  read(path) {
    const found = readTextNow(path, { limit: LARGEST });
    return found.ok ? found.value : undefined;
  },
  real(path) {
    try {
      return realpathSync(path);
    } catch {
      return path;
    }
  },
};

/** Returns whether the path is the folder itself or below it. Both absolute. */
export function contains(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}

/** A work tree that `git worktree add` made: its top folder, and the top folder of the repository's own work tree. */
interface WorkTree {
  readonly top: string;
  readonly main: string;
}

const GITDIR = /^gitdir: (.+?)\r?\n?$/;

/** Reads the `.git` file of the work tree that the path lies in; null outside of one. */
function workTreeOf(path: string, files: RootFiles): WorkTree | null {
  for (let top = path; ; top = dirname(top)) {
    const target = GITDIR.exec(files.read(join(top, '.git')) ?? '')?.[1];
    if (target !== undefined) {
      const gitFolder = resolve(top, target);
      // A submodule has a `.git` file too, but no `commondir`.
      const common = files.read(join(gitFolder, 'commondir'))?.trim();
      if (common === undefined || common === '') return null;
      const repository = resolve(gitFolder, common);
      return basename(repository) === '.git' ? { top, main: dirname(repository) } : null;
    }
    // `.git` as a folder: the repository's own work tree, nothing to follow. Reading it as a file fails, so the way up goes on;
    // folders above a work tree of its own are not read.
    if (files.read(join(top, '.git', 'HEAD')) !== undefined || dirname(top) === top) return null;
  }
}

/** The top of the git work tree that a path lies in; null outside of one. */
function topOf(path: string, files: RootFiles): string | null {
  for (let top = path; ; top = dirname(top)) {
    const isTop = files.read(join(top, '.git', 'HEAD')) ?? files.read(join(top, '.git'));
    if (isTop !== undefined) return top;
    if (dirname(top) === top) return null;
  }
}

/** Open folders below an agent's working directory, in the same git work tree: it works at the root of what is open in part. */
function below(folders: readonly string[], cwd: string, files: RootFiles): readonly string[] {
  const inside = folders.filter((folder) => contains(cwd, files.real(folder)) && files.real(folder) !== cwd);
  const top = inside.length > 0 ? topOf(cwd, files) : null;
  return top === null ? [] : deepestFirst(inside.filter((folder) => topOf(files.real(folder), files) === top));
}

/**
 * The open workspace folders that an agent's working directory belongs to: those that contain it, the deepest first; for a git worktree those
 * that contain the same place of the repository; and those that it contains, in the same git work tree.
 */
export function inboxRoots(
  workspaceFolders: readonly string[],
  cwd: string,
  files: RootFiles = rootFiles,
): readonly string[] {
  const places = new Set([cwd, files.real(cwd)]);
  const found = workspaceFolders.filter((folder) => belongs(folder, places, files));
  const real = files.real(cwd);
  const tree = workTreeOf(real, files);
  const same = new Set(tree ? [join(tree.main, relative(tree.top, real))] : []);
  const more = workspaceFolders.filter((folder) => !found.includes(folder) && belongs(folder, same, files));
  const under = below(workspaceFolders, real, files).filter((folder) => !more.includes(folder));
  return [...deepestFirst(found), ...deepestFirst(more), ...under];
}

/**
 * Returns the folder for the messages of a session: the first open workspace folder that it belongs to, null where there is none
 * (docs/inbox.md).
 */
export function inboxRoot(
  workspaceFolders: readonly string[],
  cwd: string,
  files: RootFiles = rootFiles,
): string | null {
  return inboxRoots(workspaceFolders, cwd, files)[0] ?? null;
}

function belongs(folder: string, places: ReadonlySet<string>, files: RootFiles): boolean {
  const real = files.real(folder);
  return [...places].some((place) => contains(folder, place) || contains(real, place));
}

function deepestFirst(folders: readonly string[]): readonly string[] {
  return [...folders].sort((one, other) => depth(other) - depth(one));
}

function depth(folder: string): number {
  return resolve(folder).split(sep).filter(Boolean).length;
}
