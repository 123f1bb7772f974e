import { join } from 'node:path';
import { oneLine } from '../quote';
import type { Processes } from '../process';
import { type Result, fail, ok } from '../../util/result';
import type { CheckpointFailure, CheckpointFiles } from './failure';
import { type Git, workTreeOf } from './git';
import { checkpointRef } from './names';
import { OWN_PATHSPECS } from './own-files';

export interface CheckpointLimits {
  /** A file that is larger is left out, and named. Bytes. */
  readonly fileBytes: number;
  /** What is to be saved may not be larger in all. Bytes. */
  readonly totalBytes: number;
  readonly files: number;
}

/** A checkpoint is for text that somebody wrote; what is larger is data, and git keeps it for ever. */
export const CHECKPOINT_LIMITS: CheckpointLimits = {
  fileBytes: 50 * 1024 * 1024,
  totalBytes: 500 * 1024 * 1024,
  files: 20_000,
};

export interface SaveRequest {
  readonly processes: Processes;
  readonly files: CheckpointFiles;
  /** A folder of the work tree. */
  readonly cwd: string;
  /** Folder name of the session (`sessionFolderName`), and a ULID: the ref is `refs/unstuck/<session>/<id>`. */
  readonly session: string;
  readonly id: string;
  readonly message: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly limits?: CheckpointLimits;
}

export interface SavedCheckpoint {
  readonly ref: string;
  readonly commit: string;
  /** The commit that was checked out; null before the first one. */
  readonly base: string | null;
  readonly at: number;
  /** Files that differ from it. */
  readonly changed: number;
  /** What was not saved and why, relative to the top of the work tree. */
  readonly leftOut: readonly { readonly path: string; readonly why: 'too_large' | 'repository' }[];
}

/**
 * Saves the work in progress as a commit of its own under `refs/unstuck`: the files as they are, also those that git does not know yet, but
 * not what is ignored or what Unstuck wrote itself. Work tree, index, HEAD and stash stay untouched: all is done in a copy of the index. Submodules keep the commit that
 * they are at.
 */
export async function saveCheckpoint(request: SaveRequest): Promise<Result<SavedCheckpoint, CheckpointFailure>> {
  const { processes, files, cwd, session, id, now } = request;
  const ref = checkpointRef(session, id);
  if (ref === null) return fail({ code: 'bad_name', message: 'This session or id cannot name a checkpoint.' });
  const found = await workTreeOf(processes, cwd);
  if (!found.ok) return found;
  const { git, index, head, headTree } = found.value;
  const folder = await files.temporary();
  try {
    const own = join(folder, 'index');
    // The copy knows which files are unchanged, skipped or outside of a sparse checkout; a fresh one would have to hash them all.
    await files.copy(index, own);
    const env = { GIT_INDEX_FILE: own };
    const chosen = await choose(git, files, env, request.limits ?? CHECKPOINT_LIMITS);
    if (!chosen.ok) return chosen;
    const { leftOut, own: ownFiles } = chosen.value;
    const added = await addAll(git, env, [...leftOut.map(({ path }) => path), ...ownFiles]);
    if (!added.ok) return added;
    const tree = await git.run(['write-tree'], { env });
    if (!tree.ok) return tree;
    if (tree.value === headTree) {
      return fail({
        code: 'clean',
        message: 'There is no work in progress: the files are as they were committed.',
      });
    }
    const commit = await git.run(['commit-tree', tree.value, ...(head === null ? [] : ['-p', head]), '-F', '-'], {
      input: `${request.message.trim()}\n`,
      env: { ...env, ...author(now) },
    });
    if (!commit.ok) return commit;
    // The empty old value: the ref must not exist yet.
    const named = await git.run(['update-ref', ref, commit.value, '']);
    if (!named.ok) return named;
    const stat = await git.ask(['diff-tree', '--shortstat', headTree, tree.value]);
    const changed = Number(/^\s*(\d+) files? changed/.exec(stat ?? '')?.[1] ?? 0);
    return ok({ ref, commit: commit.value, base: head, at: now, changed, leftOut });
  } finally {
    await files.remove(folder);
  }
}

interface Chosen extends Pick<SavedCheckpoint, 'leftOut'> {
  /** Files of our own that git does not know. */
  readonly own: readonly string[];
}

/** What is new or changed: too much is refused, single large files and repositories within this one are left out. */
async function choose(
  git: Git,
  files: CheckpointFiles,
  env: Readonly<Record<string, string>>,
  limits: CheckpointLimits,
): Promise<Result<Chosen, CheckpointFailure>> {
  const ours = await git.run(['ls-files', '-z', '--others', '--exclude-standard', '--', ...OWN_PATHSPECS], { env });
  if (!ours.ok) return ours;
  const own = new Set(ours.value.split('\0').filter((path) => path !== ''));
  const listed = await git.run(['ls-files', '-z', '--others', '--modified', '--exclude-standard'], { env });
  if (!listed.ok) return listed;
  const paths = [...new Set(listed.value.split('\0').filter((path) => path !== '' && !own.has(path)))];
  if (paths.length > limits.files) {
    return fail({
      code: 'too_large',
      message: `${paths.length} files are new or changed; at most ${limits.files} are saved.`,
    });
  }
  const leftOut: SavedCheckpoint['leftOut'][number][] = [];
  let total = 0;
  for (const path of paths) {
    if (path.endsWith('/')) {
      leftOut.push({ path: path.slice(0, -1), why: 'repository' });
      continue;
    }
    const bytes = (await files.size(join(git.cwd, path))) ?? 0;
    if (bytes > limits.fileBytes) leftOut.push({ path, why: 'too_large' });
    else total += bytes;
  }
  if (total > limits.totalBytes) {
    const megabytes = (bytes: number) => Math.round(bytes / 1024 / 1024);
    return fail({
      code: 'too_large',
      message: `The new and changed files have ${megabytes(total)} MB; at most ${megabytes(limits.totalBytes)} MB are saved.`,
    });
  }
  return ok({ leftOut, own: [...own] });
}

async function addAll(
  git: Git,
  env: Readonly<Record<string, string>>,
  leftOut: readonly string[],
): Promise<Result<string, CheckpointFailure>> {
  const pathspecs = ['.', ...leftOut.map((path) => `:(top,exclude,literal)${path}`)];
  const args = ['add', '--all', '--pathspec-from-file=-', '--pathspec-file-nul'];
  const input = `${pathspecs.join('\0')}\0`;
  const first = await git.run(args, { env, input });
  // An agent that writes a file in this very moment makes git stumble once.
  if (first.ok || first.error.code !== 'git_failed') return first;
  const second = await git.run(args, { env, input });
  if (second.ok) return second;
  return fail({ ...second.error, message: oneLine(second.error.message) });
}

/** Not the person's name: they did not write this commit. */
function author(now: number): Readonly<Record<string, string>> {
  const date = `${Math.floor(now / 1000)} +0000`;
  return {
    GIT_AUTHOR_NAME: 'Unstuck',
    GIT_AUTHOR_EMAIL: 'unstuck@localhost',
    GIT_AUTHOR_DATE: date,
    GIT_COMMITTER_NAME: 'Unstuck',
    GIT_COMMITTER_EMAIL: 'unstuck@localhost',
    GIT_COMMITTER_DATE: date,
  };
}
