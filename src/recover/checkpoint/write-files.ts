import { quotedLine } from '../quote';
import { type Result, fail, ok } from '../../base/util/result';
import type { CheckpointFailure } from './failure';
import { type Bytes, type CheckpointFiles, type FileForm, pathText } from './files';
import { Git, MOST_OUTPUT } from './git';
import type { WorkTree } from './work-tree';
import type { BareGit } from './workshop';

/** Change of one path by a checkpoint. */
export interface Change {
  readonly path: Bytes;
  /** Null if the file is deleted. */
  readonly file: { readonly object: string; readonly mode: string } | null;
}

/** Size of the contents that are read at a time. Bytes. */
const BATCH = 32 * 1024 * 1024;

const FORMS: Readonly<Record<string, FileForm>> = { '100644': 'plain', '100755': 'executable', '120000': 'link' };

/**
 * Writes and deletes files of a work tree in which nothing else is in progress. Everything that can be refused is refused before the first write.
 *
 * @param commit stands in for the object of a deleted file, of which only the name is checked
 * @param tracked paths of the index, whose files may be overwritten
 */
export async function writeFiles(
  { files, top }: WorkTree,
  workshop: BareGit,
  commit: string,
  changes: readonly Change[],
  tracked: ReadonlySet<Bytes>,
): Promise<Result<null, CheckpointFailure>> {
  // The names are from a tree that anyone may have made: git knows which of them belong in no work tree.
  const invalid = await workshop.firstInvalid(
    changes.map(({ path, file }) =>
      file ? { entry: `${file.mode} ${file.object}`, stage: 2, path } : { entry: `100644 ${commit}`, stage: 1, path },
    ),
  );
  if (!invalid.ok) return invalid;
  if (invalid.value !== null) {
    const message = `This checkpoint names ${quotedLine(pathText(invalid.value))}, which is not allowed in a work tree. Nothing was changed.`;
    return fail({ code: 'bad_name', message });
  }
  const blocked = await firstBlocked(files, top, changes, tracked);
  if (blocked !== null) {
    const message = `${quotedLine(pathText(blocked))} is in the way and git does not track it. Move it first; nothing was changed.`;
    return fail({ code: 'in_the_way', message });
  }
  const batches = await batched(workshop, changes);
  if (!batches.ok) return batches;
  let done = 0;
  // What has begun is finished: cancelled in between, it would leave half of a checkpoint.
  const git = new Git({ ...workshop.git.place, signal: undefined });
  try {
    for (const { path, file } of changes) {
      if (file) continue;
      await files.delete(top, path);
      done++;
    }
    for (const batch of batches.value) {
      const contents = await contentsOf(git, batch);
      if (!contents.ok) return done === 0 ? contents : fail(halfDone(done, changes.length, contents.error.message));
      for (const [n, { path, file }] of batch.entries()) {
        await files.write(top, path, contents.value[n] ?? new Uint8Array(), FORMS[file.mode] ?? 'plain');
        done++;
      }
    }
  } catch (error) {
    return fail(halfDone(done, changes.length, error instanceof Error ? error.message : String(error)));
  }
  return ok(null);
}

function halfDone(done: number, all: number, why: string): CheckpointFailure {
  return {
    code: 'unwritten',
    message: `${done} of ${all} files were restored, then: ${quotedLine(why)}. Discard them with git, and restore again.`,
  };
}

/** Returns the first path that is occupied by something that git does not track and that is not deleted; null if all can be written. */
async function firstBlocked(
  files: CheckpointFiles,
  top: string,
  changes: readonly Change[],
  tracked: ReadonlySet<Bytes>,
): Promise<Bytes | null> {
  const deleted = new Set(changes.filter(({ file }) => file === null).map(({ path }) => path));
  const blockedIn = async (path: Bytes, isFree: (path: Bytes) => boolean): Promise<Bytes | null> => {
    const found = await files.look(top, path);
    if (found === null) return null;
    if (found.kind !== 'folder') return isFree(path) ? null : path;
    for (const name of await files.names(top, path)) {
      const blocked = await blockedIn(`${path}/${name}`, (one) => deleted.has(one));
      if (blocked !== null) return blocked;
    }
    return null;
  };
  for (const { path, file } of changes) {
    for (let end = path.indexOf('/'); end >= 0; end = path.indexOf('/', end + 1)) {
      const above = path.slice(0, end);
      const found = await files.look(top, above);
      if (found === null || found.kind === 'folder') continue;
      // A deletion behind a link would take place elsewhere.
      if (file === null || !deleted.has(above)) return above;
      break;
    }
    const blocked = file ? await blockedIn(path, (one) => tracked.has(one)) : null;
    if (blocked !== null) return blocked;
  }
  return null;
}

interface Write extends Change {
  readonly file: NonNullable<Change['file']>;
  readonly bytes: number;
}

/** Groups the files to be written into parts that can be read at a time. */
async function batched(
  { git }: BareGit,
  changes: readonly Change[],
): Promise<Result<readonly (readonly Write[])[], CheckpointFailure>> {
  const wanted = changes.flatMap(({ path, file }) => (file ? [{ path, file }] : []));
  const input = wanted.map(({ file }) => `${file.object}\n`).join('');
  const checked = await git.run(['cat-file', '--batch-check=%(objecttype) %(objectsize)'], { input });
  if (!checked.ok) return checked;
  const lines = checked.value.split('\n');
  const batches: Write[][] = [];
  let room = 0;
  for (const [n, one] of wanted.entries()) {
    const [type, size] = (lines[n] ?? '').split(' ');
    const bytes = Number(size);
    if (type !== 'blob' || bytes > MOST_OUTPUT / 2) {
      const why = type === 'blob' ? 'too_large' : 'not_found';
      const message = `${quotedLine(pathText(one.path))} of this checkpoint is missing or too large. Nothing was changed.`;
      return fail({ code: why, message });
    }
    if (batches.length === 0 || room < bytes) {
      batches.push([]);
      room = BATCH;
    }
    room -= bytes;
    batches.at(-1)?.push({ ...one, bytes });
  }
  return ok(batches);
}

async function contentsOf(
  git: Git,
  batch: readonly Write[],
): Promise<Result<readonly Uint8Array[], CheckpointFailure>> {
  const read = await git.run(['cat-file', '--batch=%(objectsize)'], {
    input: batch.map(({ file }) => `${file.object}\n`).join(''),
  });
  if (!read.ok) return read;
  let at = 0;
  return ok(
    batch.map(({ bytes }) => {
      const from = read.value.indexOf('\n', at) + 1;
      at = from + bytes + 1;
      return Buffer.from(read.value.slice(from, from + bytes), 'latin1');
    }),
  );
}
