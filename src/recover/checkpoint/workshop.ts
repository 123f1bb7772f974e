import { join } from 'node:path';
import { type Result, fail, ok } from '../../base/util/result';
import type { CheckpointFailure } from './failure';
import type { Bytes } from './files';
import { Git } from './git';
import type { WorkTree } from './work-tree';

/** Time limit of work on objects, of which there may be many. Milliseconds. */
const OBJECTS_MS = 120_000;

/** Git knows the empty tree even if no object for it was ever made. */
const EMPTY_TREES = {
  sha1: '4b825dc642cb6eb9a060e54bf8d69288fbee4904',
  sha256: '6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321',
};

interface Entered {
  /** Mode and object. */
  readonly entry: Bytes;
  /** A file and a folder of the same name may be in different stages. */
  readonly stage: 1 | 2;
  readonly path: Bytes;
}

/** A commit and its tree; before the first commit, null and the empty tree. */
interface Commit {
  readonly commit: string | null;
  readonly tree: string;
}

/**
 * Git on the objects and refs of a repository, but with a separate folder in place of `.git`: it reads no configuration, attributes or hooks, knows
 * no remote, and sees no file of the work tree. So nothing that the repository names can be started.
 */
export class BareGit {
  private indexes = 0;

  private constructor(
    private readonly tree: WorkTree,
    readonly git: Git,
    /** A folder for files that only this user can read. */
    readonly folder: string,
  ) {}

  static async in<T>(
    tree: WorkTree,
    work: (workshop: BareGit) => Promise<Result<T, CheckpointFailure>>,
  ): Promise<Result<T, CheckpointFailure>> {
    const { files, git, common } = tree;
    const folder = await files.temporary();
    try {
      const isTable = (await files.look(common, 'reftable')) !== null;
      const config = `[core]\nrepositoryformatversion = 1\nbare = true\n[extensions]\nobjectformat = ${tree.hash}\n`;
      const write = (path: string, text: string) => files.write(folder, path, Buffer.from(text), 'plain');
      await write('git/HEAD', 'ref: refs/heads/none\n');
      await write('git/config', isTable ? `${config}refstorage = reftable\n` : config);
      if (isTable) await write('git/refs/heads', '');
      const refs = isTable ? 'reftable' : 'refs';
      await files.link(join(common, refs), join(folder, 'git', refs));
      const env = {
        HOME: folder,
        XDG_CONFIG_HOME: folder,
        GIT_CONFIG_NOSYSTEM: '1',
        GIT_CONFIG_GLOBAL: join(folder, 'none'),
        GIT_DIR: join(folder, 'git'),
        GIT_OBJECT_DIRECTORY: tree.objects,
      };
      // A path must not be any form of `.git`, on any file system.
      const settings = ['core.protectHFS=true', 'core.protectNTFS=true'];
      const own = new Git({ ...git.place, cwd: folder, env, settings, timeoutMs: OBJECTS_MS });
      return await work(new BareGit(tree, own, folder));
    } finally {
      await files.remove(folder);
    }
  }

  /** Returns the commit that is checked out. */
  head(): Promise<Result<Commit, CheckpointFailure>> {
    return this.commitIn(this.tree.git, 'HEAD^{commit}');
  }

  /** Returns the first parent of a commit. */
  parent(commit: string): Promise<Result<Commit, CheckpointFailure>> {
    return this.commitIn(this.git, `${commit}^1`);
  }

  private async commitIn(git: Git, name: string): Promise<Result<Commit, CheckpointFailure>> {
    const said = await git.query(['rev-parse', name, `${name}^{tree}`]);
    if (!said.ok) return said;
    const [commit = null, tree = EMPTY_TREES[this.tree.hash]] = said.value?.split('\n') ?? [];
    return ok({ commit, tree });
  }

  /** Returns the paths in which two trees differ. */
  async changed(before: string, after: string): Promise<Result<readonly Bytes[], CheckpointFailure>> {
    if (before === after) return ok([]);
    const names = await this.git.run(['diff-tree', '-r', '-z', '--name-only', before, after]);
    return names.ok ? ok(names.value.split('\0').filter((path) => path !== '')) : names;
  }

  /**
   * Makes the tree of these entries.
   *
   * @param entries `<mode> <object>\t<path>`, one for each path; the objects of files need not exist, as in a partial clone
   */
  async treeOf(entries: readonly Bytes[]): Promise<Result<Bytes, CheckpointFailure>> {
    const index = await this.enter(entries);
    return index.ok ? this.git.run(['write-tree', '--missing-ok'], { env: { GIT_INDEX_FILE: index.value } }) : index;
  }

  /**
   * Returns the first of these paths that git accepts into no index, so that it belongs in no work tree: `..`, or any form of `.git`. Null if there
   * is none.
   */
  async firstInvalid(entries: readonly Entered[]): Promise<Result<Bytes | null, CheckpointFailure>> {
    const index = await this.enter(entries.map(({ entry, stage, path }) => `${entry} ${stage}\t${path}`));
    if (!index.ok) return index;
    const listed = await this.git.run(['ls-files', '-z'], { env: { GIT_INDEX_FILE: index.value } });
    if (!listed.ok) return listed;
    const valid = new Set(listed.value.split('\0'));
    return ok(entries.find(({ path }) => !valid.has(path))?.path ?? null);
  }

  /** Writes entries into a new index and returns its path. Git leaves out paths that no index may have. */
  private async enter(entries: readonly Bytes[]): Promise<Result<string, CheckpointFailure>> {
    const index = join(this.folder, `index-${this.indexes++}`);
    const entered = await this.git.run(['update-index', '--add', '--replace', '-z', '--index-info'], {
      input: entries.map((entry) => `${entry}\0`).join(''),
      env: { GIT_INDEX_FILE: index },
    });
    return entered.ok ? ok(index) : fail(entered.error);
  }
}
