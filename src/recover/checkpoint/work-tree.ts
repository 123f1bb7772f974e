import { join, relative, resolve } from 'node:path';
import { quotedLine } from '../quote';
import type { Processes } from '../../base/processes/process';
import { type Result, fail, ok } from '../../base/util/result';
import type { CheckpointFailure } from './failure';
import { type CheckpointFiles, pathText } from './files';
import { Git } from './git';

/** Time limit of queries to the repository. Milliseconds. */
const QUESTION_MS = 10_000;

/** A work folder, with access to it. */
export interface WorkPlace {
  readonly processes: Processes;
  readonly files: CheckpointFiles;
  /** A folder of the work tree. */
  readonly cwd: string;
  /** Ends the work; the files are then as they were before. */
  readonly signal?: AbortSignal;
}

export interface WorkTree {
  readonly files: CheckpointFiles;
  /** Its top folder. */
  readonly top: string;
  /** Git for queries to the repository. It only lists: nothing in the configuration that it reads starts a program. */
  readonly git: Git;
  /** The folder that all work trees of the repository share. */
  readonly common: string;
  readonly objects: string;
  /** The index file; it need not exist. */
  readonly index: string;
  readonly hash: 'sha1' | 'sha256';
  readonly signal: AbortSignal | undefined;
}

/** Returns the work tree that contains a folder. */
export async function workTreeOf(place: WorkPlace): Promise<Result<WorkTree, CheckpointFailure>> {
  const { processes, files, cwd, signal } = place;
  // Listing the index would run the monitor that the configuration names.
  const settings = ['core.fsmonitor=false'];
  const at = (folder: string) => new Git({ processes, cwd: folder, env: {}, settings, timeoutMs: QUESTION_MS, signal });
  const asked = ['--show-toplevel', '--git-common-dir', '--git-path', 'objects', '--git-path', 'index'];
  const answer = await at(cwd).run(['rev-parse', ...asked, '--show-object-format']);
  if (!answer.ok) return fail(outside(answer.error));
  const lines = pathText(answer.value).split('\n');
  const [top = '', common = '', objects = '', index = '', format = ''] = lines;
  // `core.worktree` may name any folder; a name with a line break cannot be distinguished from two names.
  if (lines.length !== 5 || (await files.repositoryAbove(cwd)) !== resolve(top)) {
    const message = 'The .git of this folder belongs to another folder, so its work cannot be saved or restored.';
    return fail({ code: 'not_a_work_tree', message });
  }
  const tree: WorkTree = {
    files,
    top: resolve(top),
    git: at(resolve(top)),
    common: resolve(cwd, common),
    objects: resolve(cwd, objects),
    index: resolve(cwd, index),
    hash: format === 'sha256' ? 'sha256' : 'sha1',
    signal,
  };
  const found = await files.look(tree.index, '');
  if (found === null || found.kind === 'file') return ok(tree);
  return fail({ code: 'git_failed', message: 'The index of this repository (.git/index) is not a regular file.' });
}

function outside(failure: CheckpointFailure): CheckpointFailure {
  if (failure.code !== 'git_failed' || !/not a git repository|work tree/.test(failure.message)) return failure;
  const message = 'This folder is not in a git work tree, so its work cannot be saved or restored.';
  return { code: 'not_a_work_tree', message };
}

/** Refuses links: files are written into the repository itself, and a link would lead elsewhere. */
export async function refuseLinks(
  { files, top, common, objects }: WorkTree,
  refs: string,
): Promise<CheckpointFailure | null> {
  const parts = refs.split('/');
  const places: (readonly [string, string])[] = [
    [top, '.git'],
    [objects, ''],
    [common, 'reftable'],
    ...parts.map((_, at) => [common, parts.slice(0, at + 1).join('/')] as const),
    ...(await files.names(objects, '')).map((name) => [objects, name] as const),
  ];
  for (const [root, path] of places) {
    if ((await files.look(root, path))?.kind !== 'link') continue;
    const name = quotedLine(relative(top, join(root, pathText(path))));
    return {
      code: 'linked',
      message: `${name} is a symbolic link, so a checkpoint would be written somewhere else. Replace it with a folder.`,
    };
  }
  return null;
}
