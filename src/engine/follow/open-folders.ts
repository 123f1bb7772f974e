import { dirname, join, resolve } from 'node:path';
import { type RootFiles, contains, inboxRoot, rootFiles } from '../../agents/inbox/root';
import { systemProbe } from './probe';

/** Time for which a list of worktrees from git is kept, milliseconds: folders are entered in bursts. */
const KNOWN_FOR_MS = 1_000;

/** File access of `OpenFolders`, passed in so that tests need no git. */
export interface PlaceFiles extends RootFiles {
  /** Returns the names in a folder; none if it cannot be read. */
  readonly list: (folder: string) => readonly string[];
}

const systemFiles: PlaceFiles = { ...rootFiles, list: (folder) => systemProbe.list(folder) };

/** The open folders, as far as sessions are concerned: what belongs to them, and where else their repositories are worked on. */
export class OpenFolders {
  private trees: readonly string[] = [];
  private checkedAt = Number.NEGATIVE_INFINITY;
  private readonly answers = new Map<string, boolean>();

  constructor(
    private readonly folders: readonly string[],
    private readonly now: () => number,
    private readonly files: PlaceFiles = systemFiles,
  ) {}

  /**
   * True if a session with this working directory belongs to an open folder: in the folder, below it, or in a git worktree of its repository. The
   * same rule applies to its messages (docs/inbox.md). Checked once for each directory.
   */
  has(cwd: string): boolean {
    const known = this.answers.get(cwd);
    if (known !== undefined) return known;
    const answer = inboxRoot(this.folders, cwd, this.files) !== null;
    if (this.answers.size > 10_000) this.answers.clear();
    this.answers.set(cwd, answer);
    return answer;
  }

  /** True if this working directory is in another work tree of a repository that an open folder belongs to. */
  isNear(cwd: string | undefined): boolean {
    return cwd !== undefined && this.all().some((top) => contains(top, cwd));
  }

  /** Returns the open folders and the worktrees of their repositories, for agents that name a folder of transcripts after the working directory. */
  all(): readonly string[] {
    // The clock may have been set back.
    if (Math.abs(this.now() - this.checkedAt) > KNOWN_FOR_MS) {
      this.checkedAt = this.now();
      this.trees = [...new Set(this.folders.flatMap((folder) => worktrees(folder, this.files)))];
    }
    return [...this.folders, ...this.trees];
  }
}

/** Returns the top folders of the worktrees of the repository that contains a folder, including the repository's own. */
function worktrees(folder: string, files: PlaceFiles): readonly string[] {
  const git = gitFolder(folder, files);
  if (git === undefined) return [];
  const listed = files.list(join(git, 'worktrees')).flatMap((name) => {
    const pointer = files.read(join(git, 'worktrees', name, 'gitdir'))?.trim();
    return pointer ? [dirname(pointer)] : [];
  });
  return [dirname(git), ...listed];
}

/** Returns the repository's own `.git` folder, from anywhere in one of its work trees. */
function gitFolder(folder: string, files: PlaceFiles): string | undefined {
  for (let top = folder; ; top = dirname(top)) {
    if (files.read(join(top, '.git', 'HEAD')) !== undefined) return join(top, '.git');
    const pointer = /^gitdir: (.+?)\r?\n?$/.exec(files.read(join(top, '.git')) ?? '')?.[1];
    if (pointer !== undefined) {
      const own = resolve(top, pointer);
      const common = files.read(join(own, 'commondir'))?.trim();
      return common === undefined || common === '' ? undefined : resolve(own, common);
    }
    if (dirname(top) === top) return undefined;
  }
}
