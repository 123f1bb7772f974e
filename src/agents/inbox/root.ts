import { realpathSync } from 'node:fs';
import * as path from 'node:path';
import { readTextNow } from '../../base/files';
import { isWithin } from '../../base/util/program-path';

/** File access of `inboxRoot`, passed in so that tests need no git. */
export interface RootFiles {
  /** Returns the text of a small file, undefined if there is no such file. */
  readonly read: (path: string) => string | undefined;
  /** Returns the path without symbolic links; the path itself if it does not exist. */
  readonly real: (path: string) => string;
  /** The platform's rules for paths. */
  readonly paths: path.PlatformPath;
}

/** Size limit in bytes for `.git`, `commondir` and `HEAD`, which hold one line each. Any folder above an agent's may belong to another user. */
const LARGEST = 64 * 1024;

export const rootFiles: RootFiles = {
  read(file) {
    const found = readTextNow(file, { limit: LARGEST });
    return found.ok ? found.value : undefined;
  },
  real(folder) {
    try {
      return realpathSync(folder);
    } catch {
      return folder;
    }
  },
  paths: path,
};

/** Returns whether the path is the folder itself or inside it. Both are absolute. */
export function contains(folder: string, file: string, paths: path.PlatformPath = path): boolean {
  return isWithin(file, folder, paths);
}

/** A work tree made by `git worktree add`: its top folder, and the top folder of the repository's own work tree. */
interface WorkTree {
  readonly top: string;
  readonly main: string;
}

const GITDIR = /^gitdir: (.+?)\r?\n?$/;

/** Reads the `.git` file of the work tree that contains the path; null if there is none. */
function workTreeOf(cwd: string, files: RootFiles): WorkTree | null {
  const { paths } = files;
  for (let top = cwd; ; top = paths.dirname(top)) {
    const target = GITDIR.exec(files.read(paths.join(top, '.git')) ?? '')?.[1];
    if (target !== undefined) {
      const gitFolder = paths.resolve(top, target);
      // A submodule has a `.git` file too, but no `commondir`.
      const common = files.read(paths.join(gitFolder, 'commondir'))?.trim();
      if (common === undefined || common === '') return null;
      const repository = paths.resolve(gitFolder, common);
      return paths.basename(repository) === '.git' ? { top, main: paths.dirname(repository) } : null;
    }
    // `.git` is a folder: the repository's own work tree, so there is nothing to follow. Reading it as a file fails, so without this check the search
    // would continue upwards; folders above a repository's own work tree are not read.
    if (files.read(paths.join(top, '.git', 'HEAD')) !== undefined || paths.dirname(top) === top) return null;
  }
}

/** Returns the top of the git work tree that contains a path; null if there is none. */
function topOf(cwd: string, files: RootFiles): string | null {
  const { paths } = files;
  for (let top = cwd; ; top = paths.dirname(top)) {
    const isTop = files.read(paths.join(top, '.git', 'HEAD')) ?? files.read(paths.join(top, '.git'));
    if (isTop !== undefined) return top;
    if (paths.dirname(top) === top) return null;
  }
}

/**
 * Returns the open folders below an agent's working directory, in the same git work tree: it works at the root of a tree that is open only in part.
 */
function below(folders: readonly string[], cwd: string, files: RootFiles): readonly string[] {
  const { paths } = files;
  const isSame = (one: string | null, other: string) => one !== null && paths.relative(one, other) === '';
  const inside = folders.filter((folder) => {
    const real = files.real(folder);
    return contains(cwd, real, paths) && !isSame(cwd, real);
  });
  const top = inside.length > 0 ? topOf(cwd, files) : null;
  return top === null
    ? []
    : deepestFirst(
        inside.filter((folder) => isSame(topOf(files.real(folder), files), top)),
        paths,
      );
}

/**
 * Returns the open workspace folders that an agent's working directory belongs to: those that contain it, the deepest first; for a git worktree,
 * those that contain the same place of the repository; and those that it contains, in the same git work tree.
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
  const { paths } = files;
  const same = new Set(tree ? [paths.join(tree.main, paths.relative(tree.top, real))] : []);
  const more = workspaceFolders.filter((folder) => !found.includes(folder) && belongs(folder, same, files));
  const under = below(workspaceFolders, real, files).filter((folder) => !more.includes(folder));
  return [...deepestFirst(found, paths), ...deepestFirst(more, paths), ...under];
}

/** Returns the folder for the messages of a session: the first open workspace folder that it belongs to, null if there is none (docs/inbox.md). */
export function inboxRoot(
  workspaceFolders: readonly string[],
  cwd: string,
  files: RootFiles = rootFiles,
): string | null {
  return inboxRoots(workspaceFolders, cwd, files)[0] ?? null;
}

function belongs(folder: string, places: ReadonlySet<string>, files: RootFiles): boolean {
  const real = files.real(folder);
  return [...places].some((place) => contains(folder, place, files.paths) || contains(real, place, files.paths));
}

function deepestFirst(folders: readonly string[], paths: path.PlatformPath): readonly string[] {
  const depth = (folder: string): number => paths.resolve(folder).split(paths.sep).filter(Boolean).length;
  return [...folders].sort((one, other) => depth(other) - depth(one));
}
