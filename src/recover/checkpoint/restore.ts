import { quotedLine } from '../quote';
import { type Result, fail, ok } from '../../base/util/result';
import { type Listed, differences, listWork } from './compare';
import { type CheckpointFailure, systemFailure } from './failure';
import { type Bytes, pathText } from './files';
import { isKeptAs } from './forms';
import { stopped } from './git';
import { Meter, type OnProgress } from './meter';
import { isCheckpointRef } from './names';
import { isOwnFile } from './own-files';
import { type WorkPlace, type WorkTree, workTreeOf } from './work-tree';
import { BareGit } from './workshop';
import { type Change, writeFiles } from './write-files';

export interface RestoreRequest extends WorkPlace {
  readonly ref: string;
  readonly onProgress?: OnProgress;
}

export interface RestoredCheckpoint {
  /** Files that were written or deleted. */
  readonly files: number;
}

/**
 * Restores the files of a checkpoint in the work tree byte for byte, deletions too. HEAD and the index stay, so that what was in progress is in
 * progress again. What Unstuck wrote itself is left alone. Refuses while there is other work in progress, and if the same files were committed with
 * other content since. Nothing that the repository names is started.
 */
export async function restoreCheckpoint(
  request: RestoreRequest,
): Promise<Result<RestoredCheckpoint, CheckpointFailure>> {
  const { ref } = request;
  if (!isCheckpointRef(ref)) return fail({ code: 'bad_name', message: 'This is not the name of a checkpoint.' });
  const found = await workTreeOf(request);
  if (!found.ok) return found;
  const tree = found.value;
  const commit = await tree.git.query(['rev-parse', '--verify', '-q', `${ref}^{commit}`]);
  if (!commit.ok) return commit;
  const name = commit.value;
  if (name === null) return fail({ code: 'not_found', message: 'This checkpoint no longer exists.' });
  try {
    return await BareGit.in(tree, (workshop) => restore(request, tree, workshop, name));
  } catch (error) {
    return fail(request.signal?.aborted ? stopped(request.signal) : systemFailure(error));
  }
}

async function restore(
  { signal, onProgress }: RestoreRequest,
  tree: WorkTree,
  workshop: BareGit,
  commit: Bytes,
): Promise<Result<RestoredCheckpoint, CheckpointFailure>> {
  const [head, base, listed] = await Promise.all([workshop.head(), workshop.parent(commit), listWork(tree)]);
  if (!head.ok) return head;
  if (!base.ok) return base;
  if (!listed.ok) return listed;
  const other = await otherWork(tree, workshop, listed.value, head.value.tree, new Meter(signal, onProgress));
  if (!other.ok) return other;
  if (other.value.length > 0) {
    const message = `There is other work in progress (${someOf(other.value)}). Commit or stash it first; nothing was changed.`;
    return fail({ code: 'dirty', message });
  }
  const changes = await changesBetween(workshop, base.value.tree, commit);
  if (!changes.ok) return changes;
  const moved = await workshop.changed(base.value.tree, head.value.tree);
  if (!moved.ok) return moved;
  const paths = new Set(moved.value);
  const both = changes.value.map(({ path }) => path).filter((path) => paths.has(path));
  if (both.length > 0) {
    const message = `Some files of this checkpoint have since been committed with other content (${someOf(both)}). Nothing was changed.`;
    return fail({ code: 'changed_since', message });
  }
  const tracked = new Set(listed.value.entries.map(({ path }) => path));
  const written = await writeFiles(tree, workshop, commit, changes.value, tracked);
  return written.ok ? ok({ files: changes.value.length }) : written;
}

/** Returns the paths of other work in progress, in the work tree or in the index. */
async function otherWork(
  tree: WorkTree,
  workshop: BareGit,
  listed: Listed,
  headTree: Bytes,
  meter: Meter,
): Promise<Result<readonly Bytes[], CheckpointFailure>> {
  const different = await differences(tree, listed, meter, isKeptAs);
  const unmerged = listed.entries.filter(({ isUnmerged }) => isUnmerged);
  const paths = [...different, ...unmerged].map(({ path }) => path);
  if (paths.length > 0) return ok([...new Set(paths)]);
  const staged = await workshop.treeOf(listed.entries.map(({ mode, object, path }) => `${mode} ${object}\t${path}`));
  if (!staged.ok) return staged;
  return workshop.changed(headTree, staged.value);
}

/** Lists the changes of the checkpoint. Submodules are left alone. */
async function changesBetween(
  { git }: BareGit,
  baseTree: Bytes,
  commit: Bytes,
): Promise<Result<readonly Change[], CheckpointFailure>> {
  const raw = await git.run([
    'diff-tree',
    '-r',
    '-z',
    '--no-renames',
    '--raw',
    '--full-index',
    baseTree,
    `${commit}^{tree}`,
  ]);
  if (!raw.ok) return raw;
  const parts = raw.value.split('\0');
  const changes: Change[] = [];
  for (let at = 0; at + 1 < parts.length; at += 2) {
    const [before = '', mode = '', , object = '', status = ''] = (parts[at] ?? '').split(' ');
    const path = parts[at + 1] ?? '';
    if (before === ':160000' || mode === '160000') continue;
    if (status === 'A' && isOwnFile(path)) continue;
    changes.push({ path, file: status === 'D' ? null : { object, mode } });
  }
  return ok(changes);
}

function someOf(paths: readonly Bytes[]): string {
  const names = paths.slice(0, 3).map((path) => quotedLine(pathText(path)));
  const more = paths.length > names.length ? ` and ${paths.length - names.length} more` : '';
  return names.join(', ') + more;
}
