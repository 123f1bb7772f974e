import { join } from 'node:path';
import { oneLine } from '../quote';
import type { Processes } from '../process';
import { type Result, fail, ok } from '../../util/result';
import type { CheckpointFailure, CheckpointFiles } from './failure';
import { type WorkTree, workTreeOf } from './git';
import { isCheckpointRef } from './names';
import { isOwnFile } from './own-files';

export interface RestoreRequest {
  readonly processes: Processes;
  readonly files: CheckpointFiles;
  readonly cwd: string;
  readonly ref: string;
}

export interface RestoredCheckpoint {
  /** Files that were written or deleted. */
  readonly files: number;
}

interface Change {
  readonly path: string;
  /** `0` for a deletion. */
  readonly mode: string;
  readonly object: string;
}

/**
 * Brings the files of a checkpoint back into the work tree, deletions too. HEAD and the index stay, so that what was in progress is in
 * progress again. What Unstuck wrote itself is left alone. Refuses while there is other work in progress, and where the same files were committed differently since.
 */
export async function restoreCheckpoint(
  request: RestoreRequest,
): Promise<Result<RestoredCheckpoint, CheckpointFailure>> {
  const { processes, files, cwd, ref } = request;
  if (!isCheckpointRef(ref)) return fail({ code: 'bad_name', message: 'This is not the name of a checkpoint.' });
  const found = await workTreeOf(processes, cwd);
  if (!found.ok) return found;
  const tree = found.value;
  const { git, head } = tree;
  const commit = await git.ask(['rev-parse', '--verify', '-q', `${ref}^{commit}`]);
  if (commit === null) return fail({ code: 'not_found', message: 'This checkpoint does not exist any more.' });
  const dirty = await dirtyFiles(tree);
  if (dirty) return fail(dirty);

  const base = await git.ask(['rev-parse', '--verify', '-q', `${commit}^1`]);
  const baseTree =
    base === null ? await git.run(['mktree'], { input: '' }) : await git.run(['rev-parse', `${base}^{tree}`]);
  if (!baseTree.ok) return baseTree;
  const changes = await changesBetween(tree, baseTree.value, commit);
  if (!changes.ok) return changes;
  if (base !== head) {
    const moved = await changedSince(tree, baseTree.value, changes.value);
    if (moved) return fail(moved);
  }
  const folder = await files.temporary();
  try {
    const target = await targetTree(tree, join(folder, 'target'), changes.value);
    if (!target.ok) return target;
    const own = join(folder, 'index');
    await files.copy(tree.index, own);
    const env = { GIT_INDEX_FILE: own };
    await git.ask(['update-index', '-q', '--refresh'], { env });
    // Git's own careful way to go from one tree to another: it refuses before it would overwrite anything.
    const written = await git.run(['read-tree', '-m', '-u', tree.headTree, target.value], { env });
    return written.ok ? ok({ files: changes.value.length }) : written;
  } finally {
    await files.remove(folder);
  }
}

async function dirtyFiles({ git }: WorkTree): Promise<CheckpointFailure | null> {
  const status = await git.run(['status', '--porcelain=v1', '-z', '--untracked-files=all', '--ignore-submodules=all']);
  if (!status.ok) return status.error;
  const entries = status.value
    .split('\0')
    .filter((entry) => entry !== '' && !(entry.startsWith('?? ') && isOwnFile(entry.slice(3))));
  if (entries.length === 0) return null;
  const names = entries.slice(0, 3).map((entry) => oneLine(entry.slice(3)));
  const more = entries.length > names.length ? ` and ${entries.length - names.length} more` : '';
  return {
    code: 'dirty',
    message: `There is other work in progress (${names.join(', ')}${more}). Commit or stash it first; nothing was changed.`,
  };
}

/** What the checkpoint changed. Submodules are left alone. */
async function changesBetween(
  { git }: WorkTree,
  baseTree: string,
  commit: string,
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
  if (raw.value.includes('\ufffd')) {
    return fail({
      code: 'unreadable_names',
      message:
        'A file of this checkpoint has a name that is not UTF-8. Git can restore it: git restore --source=<ref>.',
    });
  }
  const parts = raw.value.split('\0');
  const changes: Change[] = [];
  for (let at = 0; at + 1 < parts.length; at += 2) {
    const [before = '', mode = '', , object = '', status = ''] = (parts[at] ?? '').split(' ');
    const path = parts[at + 1] ?? '';
    if (before === ':160000' || mode === '160000') continue;
    if (status === 'A' && isOwnFile(path)) continue;
    changes.push({ path, object, mode: status === 'D' ? '0' : mode });
  }
  return ok(changes);
}

async function changedSince(
  { git, headTree }: WorkTree,
  baseTree: string,
  changes: readonly Change[],
): Promise<CheckpointFailure | null> {
  const moved = await git.run(['diff-tree', '-r', '-z', '--no-renames', '--name-only', baseTree, headTree]);
  if (!moved.ok) return moved.error;
  const paths = new Set(moved.value.split('\0'));
  const both = changes.filter(({ path }) => paths.has(path));
  if (both.length === 0) return null;
  const names = both.slice(0, 3).map(({ path }) => oneLine(path));
  const more = both.length > names.length ? ` and ${both.length - names.length} more` : '';
  return {
    code: 'changed_since',
    message: `Files of this checkpoint were committed differently since (${names.join(', ')}${more}). Nothing was changed.`,
  };
}

/** The tree of HEAD with the changes of the checkpoint. */
async function targetTree(
  { git, headTree }: WorkTree,
  index: string,
  changes: readonly Change[],
): Promise<Result<string, CheckpointFailure>> {
  const env = { GIT_INDEX_FILE: index };
  const read = await git.run(['read-tree', headTree], { env });
  if (!read.ok) return read;
  // Deletions first: a file may have become a folder.
  const ordered = [...changes].sort((a, b) => Number(a.mode !== '0') - Number(b.mode !== '0'));
  const input = ordered.map(({ mode, object, path }) => `${mode} ${object}\t${path}\0`).join('');
  const updated = await git.run(['update-index', '-z', '--index-info'], { env, input });
  return updated.ok ? git.run(['write-tree'], { env }) : updated;
}
