import { basename, dirname, join, resolve } from 'node:path';
import { contains } from '../agents/inbox';
import type { AgentView } from '../core/model';

/** The folder in which an agent works, as a person calls it. */
export interface Workplace {
  /** Name of the open folder, of the repository, or of the directory itself. */
  readonly folder: string;
  /** Name of the git worktree, where it works in one beside the repository's own. */
  readonly worktree?: string;
  readonly branch?: string;
  /** It works above the open folder, in the same repository. */
  readonly isAbove?: true;
}

/** Of a place above the open folder. */
export const AT_THE_ROOT = 'at the root';

/** Text of a small file; undefined where there is none. */
type ReadSmall = (path: string) => string | undefined;

type Placed = Pick<AgentView, 'session' | 'cwd' | 'branch' | 'machine'>;

/** Directories whose place is remembered. */
const REMEMBERED = 1_000;

/** Finds the workplaces of agents; git is asked once for each directory. */
export class Workplaces {
  private readonly known = new Map<string, Omit<Workplace, 'branch'>>();

  constructor(
    /** Open folders, absolute paths. */
    private readonly folders: () => readonly string[],
    private readonly readSmall: ReadSmall,
  ) {}

  /** Undefined where the agent does not say where it works. */
  of({ cwd, branch, machine }: Omit<Placed, 'session'>): Workplace | undefined {
    if (cwd === undefined) return undefined;
    // A path of another machine says nothing about the disk of this one.
    return {
      ...(machine ? { folder: lastName(cwd) } : this.directory(cwd)),
      ...(branch !== undefined && branch !== 'HEAD' && { branch }),
    };
  }

  /**
   * Says where an agent works, as far as it tells it from the others: its folder where there are several, its worktree, its branch where
   * one folder has several. Empty where all are in one place.
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
        // A worktree's own folder lies in `worktrees` of the repository's `.git`; that of a submodule in `modules`.
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
