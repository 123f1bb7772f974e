import { type Result, fail, ok } from '../../base/util/result';
import { type Difference, differences, listWork, modeOf } from './compare';
import { type CheckpointFailure, systemFailure } from './failure';
import { type Bytes, bytesOf, pathText } from './files';
import { isObject } from './forms';
import { stopped } from './git';
import { Meter, type OnProgress } from './meter';
import { checkpointRef } from './names';
import { type LeftOutFile, storeFiles } from './store-files';
import { type WorkPlace, type WorkTree, refuseLinks, workTreeOf } from './work-tree';
import { BareGit } from './workshop';

export interface CheckpointLimits {
  /** A larger file is left out, and named. Bytes. */
  readonly fileBytes: number;
  /** Limit on the total size of a checkpoint. Bytes. */
  readonly totalBytes: number;
  readonly files: number;
}

/** A checkpoint is for hand-written text; larger files are data, and git keeps them for ever. */
export const CHECKPOINT_LIMITS: CheckpointLimits = {
  fileBytes: 50 * 1024 * 1024,
  totalBytes: 500 * 1024 * 1024,
  files: 20_000,
};

export interface SaveRequest extends WorkPlace {
  /** Folder name of the session (`sessionFolderName`), and a ULID: the ref is `refs/unstuck/<session>/<id>`. */
  readonly session: string;
  readonly id: string;
  readonly message: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly limits?: CheckpointLimits;
  readonly onProgress?: OnProgress;
}

export interface SavedCheckpoint {
  readonly ref: string;
  /** The commit that was checked out; null before the first one. */
  readonly base: string | null;
  readonly at: number;
  /** Files that differ from it. */
  readonly changed: number;
  /** Files that were not saved, with the reason, relative to the top of the work tree. */
  readonly leftOut: readonly LeftOutFile[];
}

/**
 * Saves the work in progress as a separate commit under `refs/unstuck`: the files byte for byte, including those that git does not know yet, but not
 * what is ignored or what Unstuck wrote itself. Work tree, index, HEAD and stash stay untouched. Submodules keep the commit that the index has;
 * changes within one are not saved. Nothing that the repository names is started.
 */
export async function saveCheckpoint(request: SaveRequest): Promise<Result<SavedCheckpoint, CheckpointFailure>> {
  const ref = checkpointRef(request.session, request.id);
  if (ref === null) return fail({ code: 'bad_name', message: 'This session or id cannot name a checkpoint.' });
  const found = await workTreeOf(request);
  if (!found.ok) return found;
  const tree = found.value;
  const linked = await refuseLinks(tree, ref.slice(0, ref.lastIndexOf('/')));
  if (linked) return fail(linked);
  try {
    return await BareGit.in(tree, (workshop) => save(request, tree, workshop, ref));
  } catch (error) {
    return fail(request.signal?.aborted ? stopped(request.signal) : systemFailure(error));
  }
}

async function save(
  request: SaveRequest,
  tree: WorkTree,
  workshop: BareGit,
  ref: string,
): Promise<Result<SavedCheckpoint, CheckpointFailure>> {
  const { now, limits = CHECKPOINT_LIMITS } = request;
  const { git } = workshop;
  const [head, listed] = await Promise.all([workshop.head(), listWork(tree)]);
  if (!head.ok) return head;
  if (!listed.ok) return listed;
  const { entries, untracked, repositories } = listed.value;
  if (untracked.length > limits.files) return fail(tooMany(untracked.length, limits));
  const meter = new Meter(request.signal, request.onProgress);
  const different = await differences(tree, listed.value, meter, isObject);
  const chosen = choose(different, limits);
  if (!chosen.ok) return chosen;
  const stored = await storeFiles(tree, workshop, chosen.value.files, limits.fileBytes, meter);
  if (!stored.ok) return stored;

  const { objects, leftOut } = stored.value;
  const saved = chosen.value.files.flatMap(({ path, entry, found }) => {
    const object = objects.get(path);
    return object === undefined ? [] : [`${modeOf(entry, found, listed.value)} ${object}\t${path}`];
  });
  const replaced = new Set([...objects.keys(), ...chosen.value.deleted]);
  const kept = entries.filter(({ path, isUnmerged }) => !isUnmerged && !replaced.has(path));
  const all = [...kept.map(({ mode, object, path }) => `${mode} ${object}\t${path}`), ...saved];
  const made = await workshop.treeOf(all);
  if (!made.ok) return made;
  if (made.value === head.value.tree) {
    return fail({
      code: 'clean',
      message: 'Nothing to save: there are no uncommitted changes.',
    });
  }
  const base = head.value.commit;
  const parents = base === null ? [] : ['-p', base];
  const [changed, commit] = await Promise.all([
    workshop.changed(head.value.tree, made.value),
    git.run(['commit-tree', made.value, ...parents, '-F', '-'], {
      input: bytesOf(`${request.message.trim()}\n`),
      env: author(now),
    }),
  ]);
  if (!changed.ok) return changed;
  if (!commit.ok) return commit;
  // The empty old value means that the ref must not exist yet.
  const named = await git.run(['update-ref', ref, commit.value, '']);
  if (!named.ok) return named;
  return ok({
    ref,
    base,
    at: now,
    changed: changed.value.length,
    leftOut: [
      ...repositories.map((path) => ({ path: pathText(path), why: 'repository' as const })),
      ...chosen.value.leftOut,
      ...leftOut,
    ],
  });
}

interface Chosen {
  readonly files: readonly (Difference & { readonly found: NonNullable<Difference['found']> })[];
  readonly deleted: readonly Bytes[];
  readonly leftOut: readonly LeftOutFile[];
}

/** Selects the new and changed files. Too many are refused; single large files, and entries that are no file, are left out. */
function choose(different: readonly Difference[], limits: CheckpointLimits): Result<Chosen, CheckpointFailure> {
  if (different.length > limits.files) return fail(tooMany(different.length, limits));
  const files: Chosen['files'][number][] = [];
  const deleted: Bytes[] = [];
  const leftOut: LeftOutFile[] = [];
  let total = 0;
  for (const one of different) {
    const { path, found } = one;
    if (found === null) deleted.push(path);
    else if (found.kind === 'other') leftOut.push({ path: pathText(path), why: 'special' });
    else if (found.size > limits.fileBytes) leftOut.push({ path: pathText(path), why: 'too_large' });
    else {
      total += found.size;
      files.push({ ...one, found });
    }
  }
  if (total <= limits.totalBytes) return ok({ files, deleted, leftOut });
  const megabytes = (bytes: number) => Math.round(bytes / 1024 / 1024);
  return fail({
    code: 'too_large',
    message: `The new and changed files amount to ${megabytes(total)} MB. A checkpoint holds at most ${megabytes(limits.totalBytes)} MB.`,
  });
}

function tooMany(files: number, limits: CheckpointLimits): CheckpointFailure {
  return {
    code: 'too_large',
    message: `${files} files are new or changed. A checkpoint holds at most ${limits.files}.`,
  };
}

/** Returns the author, which is not the person: they did not write this commit. */
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
