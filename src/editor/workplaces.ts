import { basename, dirname, join, resolve } from 'node:path';
import { contains } from '../agents/inbox';
import type { AgentView } from '../core/model';

/** The folder in which an agent works, in a person's words. */
export interface Workplace {
  /** Name of the open folder, of the repository, or of the directory itself. */
  readonly folder: string;
  /** Name of the git worktree, if it works in one other than the repository's own. */
  readonly worktree?: string;
  readonly branch?: string;
  /** True if it works above the open folder, in the same repository. */
  readonly isAbove?: true;
}

/** Words for a place above the open folder. */
export const AT_THE_ROOT = 'at the root';

/** Reads the text of a small file; undefined if there is none. */
type ReadSmall = (path: string) => string | undefined;

type Placed = Pick<AgentView, 'session' | 'cwd' | 'branch' | 'machine'>;

/** Number of directories whose place is remembered. */
const REMEMBERED = 1_000;

/** Finds the workplaces of agents. Git data is looked up once for each directory, and again when other folders are open. */
export class Workplaces {
  private knownFor = '';
  private readonly known = new Map<string, Omit<Workplace, 'branch'>>();

  constructor(
    /** Open folders, absolute paths. */
    private readonly folders: () => readonly string[],
    private readonly readSmall: ReadSmall,
  ) {}

  /** Returns undefined if the agent does not report where it works. */
  of({ cwd, branch, machine }: Omit<Placed, 'session'>): Workplace | undefined {
    if (cwd === undefined) return undefined;
    // A path of another machine says nothing about the disk of this one.
    return {
      ...(machine ? { folder: lastName(cwd) } : this.directory(cwd)),
      ...(branch !== undefined && branch !== 'HEAD' && { branch }),
    };
  }

  /**
   * Returns words for where an agent works, as far as that distinguishes it from the others: its folder if there are several, its worktree, its
   * branch if one folder has several. Empty if all are in one place.
   */
  naming(views: readonly Placed[]): (view: Placed) => string {
    const folders = new Set<string>();
    const branches = new Map<string, Set<string>>();
    for (const view of views) {
      const place = this.of(view);
      if (!place) continue;
      folders.add(place.folder);
      if (place.branch === undefined) continue;
      const tree = treeOf(place);
      branches.set(tree, (branches.get(tree) ?? new Set()).add(place.branch));
    }
    return (view) => {
      const place = this.of(view);
      if (!place) return '';
      const severalBranches = (branches.get(treeOf(place))?.size ?? 0) > 1;
      return [
        folders.size > 1 ? place.folder : '',
        place.worktree ?? '',
        place.isAbove ? AT_THE_ROOT : '',
        severalBranches ? (place.branch ?? '') : '',
      ]
        .filter((part) => part !== '')
        .join(', ');
    };
  }

  private directory(cwd: string): Omit<Workplace, 'branch'> {
    const open = this.folders().join('\n');
    if (open !== this.knownFor) this.known.clear();
    this.knownFor = open;
    const known = this.known.get(cwd);
    if (known) return known;
    if (this.known.size >= REMEMBERED) this.known.clear();
    const place = this.look(cwd);
    this.known.set(cwd, place);
    return place;
  }

  private look(cwd: string): Omit<Workplace, 'branch'> {
    const open = this.folders().find((folder) => contains(folder, cwd));
    for (let top = cwd; ; top = dirname(top)) {
      const pointer = /^gitdir: ([^\r\n]+)/.exec(this.readSmall(join(top, '.git')) ?? '')?.[1];
      if (pointer !== undefined) {
        const own = resolve(top, pointer);
        // A worktree's own folder is in `worktrees` of the repository's `.git`; that of a submodule in `modules`.
        if (basename(dirname(own)) === 'worktrees' && basename(dirname(dirname(own))) === '.git')
          return { folder: basename(dirname(dirname(dirname(own)))), worktree: basename(top) };
        break;
      }
      if (dirname(top) === top || top === open || this.readSmall(join(top, '.git', 'HEAD')) !== undefined) break;
    }
    const isAbove = open === undefined && this.folders().some((folder) => contains(cwd, folder));
    return { folder: basename(open ?? cwd) || cwd, ...(isAbove && { isAbove }) };
  }
}

function lastName(path: string): string {
  return path.split(/[\\/]/).findLast((name) => name !== '') ?? path;
}

function treeOf({ folder, worktree }: Workplace): string {
  return `${folder}\n${worktree ?? ''}`;
}
