import { type Result, fail, ok } from '../../base/util/result';
import { type Entry, LIST_ENTRIES, entriesIn, isAsSeen } from './entries';
import type { CheckpointFailure } from './failure';
import type { Bytes, FoundEntry } from './files';
import type { WorkTreeFile } from './forms';
import { isOwnFile } from './own-files';
import type { Meter } from './meter';
import type { WorkTree } from './work-tree';

/** Number of files that are looked at in parallel. */
const ABREAST = 128;

/** Files that git tracks, and files that it neither tracks nor ignores, without a look at the files themselves. */
export interface Listed {
  /** Includes all versions of a conflict. */
  readonly entries: readonly Entry[];
  /** Without the files that Unstuck wrote itself. */
  readonly untracked: readonly Bytes[];
  /** Repositories within this one that are not submodules. */
  readonly repositories: readonly Bytes[];
  /** When the index was written, nanoseconds since the epoch. */
  readonly indexAt: bigint;
  /** Whether the repository records the permission to run a file (`modes`), and links (`links`). */
  readonly keeps: { readonly modes: boolean; readonly links: boolean };
}

/** A file that differs, or may differ, from the index. */
export interface Difference {
  readonly path: Bytes;
  /** Null if git does not track it. */
  readonly entry: Entry | null;
  /** Null if it is gone. */
  readonly found: FoundEntry | null;
}

/** Lists a work tree. Git opens the index and files of patterns (`.gitignore`) for this, but no other file. */
export async function listWork({ files, git, index }: WorkTree): Promise<Result<Listed, CheckpointFailure>> {
  // First: a file that is added to the index meanwhile is then in both lists, not in neither.
  const [others, settings] = await Promise.all([
    git.run(['ls-files', '-z', '--others', '--exclude-standard']),
    git.query(['config', '--type=bool', '-z', '--get-regexp', '^core\\.(filemode|symlinks)$']),
  ]);
  if (!others.ok) return others;
  if (!settings.ok) return settings;
  const written = await files.look(index, '');
  const listed = await git.run([...LIST_ENTRIES, '--debug']);
  if (!listed.ok) return listed;
  let entries = entriesIn(listed.value);
  if (!entries) {
    // Git may one day print what it saw in another form: then each file is read.
    const plain = await git.run(LIST_ENTRIES);
    if (!plain.ok) return plain;
    entries = entriesIn(plain.value);
    if (!entries) return fail({ code: 'git_failed', message: 'Git lists its index in an unknown format.' });
  }
  const paths = others.value.split('\0').filter((path) => path !== '');
  const isOff = (name: string) => (settings.value ?? '').split('\0').includes(`core.${name}\nfalse`);
  return ok({
    entries,
    untracked: paths.filter((path) => !path.endsWith('/') && !isOwnFile(path)),
    repositories: paths.filter((path) => path.endsWith('/')).map((path) => path.slice(0, -1)),
    indexAt: written?.contentAt ?? 0n,
    keeps: { modes: !isOff('filemode'), links: !isOff('symlinks') },
  });
}

/**
 * Lists the differences between files and index. Submodules, and files that the person set git to ignore, do not differ.
 *
 * @param isSame compares the content of a file with the object in the index, if its size and times do not decide
 */
export async function differences(
  tree: WorkTree,
  listed: Listed,
  meter: Meter,
  isSame: (file: WorkTreeFile, object: string) => Promise<boolean>,
): Promise<readonly Difference[]> {
  const { files, top, hash } = tree;
  const folders = new Folders(tree);
  const look = async (path: Bytes) => ((await folders.areReal(path)) ? files.look(top, path) : null);
  const tracked = new Map(listed.entries.map((entry) => [entry.path, entry]));
  const looked = await abreast(
    [...tracked.values(), ...listed.untracked],
    meter,
    async (one): Promise<Difference | null> => {
      const [path, entry] = typeof one === 'string' ? [one, null] : [one.path, one];
      if (entry?.mode === '160000' || (entry?.isAssumed && !entry.isUnmerged)) return null;
      const there = await look(path);
      const found = there?.kind === 'folder' ? null : there;
      if (entry === null) return found && { path, entry, found };
      if (found === null) return entry.isSkipped ? null : { path, entry, found };
      const isSeen = !entry.isUnmerged && isAsSeen(entry.seen, found, listed.indexAt);
      return isSeen && modeOf(entry, found, listed) === entry.mode ? null : { path, entry, found };
    },
  );
  const suspects = looked.filter((one) => one !== null);
  for (const { entry, found } of suspects) if (entry && found) meter.expect(found.size);
  const different: Difference[] = [];
  for (const suspect of suspects) {
    const { path, entry, found } = suspect;
    const isFile = found?.kind === 'file' || found?.kind === 'link';
    const compares = entry !== null && isFile && !entry.isUnmerged && modeOf(entry, found, listed) === entry.mode;
    const file = { files, top, path, size: found?.size ?? 0, hash, onRead: (bytes: number) => meter.read(bytes) };
    if (!(compares && !entry.isAnnounced && (await isSame(file, entry.object)))) different.push(suspect);
  }
  return different;
}

/** Returns the mode that a file of the work tree has for git. */
export function modeOf(
  entry: Entry | null,
  { kind, isExecutable }: FoundEntry,
  { keeps }: Pick<Listed, 'keeps'>,
): string {
  if (kind === 'link' || (entry?.mode === '120000' && !keeps.links)) return '120000';
  return (keeps.modes ? isExecutable : entry?.mode === '100755') ? '100755' : '100644';
}

/** Checks whether a path leads through folders only: anything behind a link is not part of the work tree. */
class Folders {
  private readonly known = new Map<Bytes, Promise<boolean>>();

  constructor(private readonly tree: Pick<WorkTree, 'files' | 'top'>) {}

  areReal(path: Bytes): Promise<boolean> {
    const end = path.lastIndexOf('/');
    if (end < 0) return Promise.resolve(true);
    const folder = path.slice(0, end);
    const known = this.known.get(folder) ?? this.isReal(folder);
    this.known.set(folder, known);
    return known;
  }

  private async isReal(folder: Bytes): Promise<boolean> {
    if (!(await this.areReal(folder))) return false;
    return (await this.tree.files.look(this.tree.top, folder))?.kind === 'folder';
  }
}

async function abreast<T, R>(all: readonly T[], meter: Meter, work: (one: T) => Promise<R>): Promise<R[]> {
  const done: R[] = [];
  for (let at = 0; at < all.length; at += ABREAST) {
    meter.read(0);
    done.push(...(await Promise.all(all.slice(at, at + ABREAST).map(work))));
  }
  return done;
}
