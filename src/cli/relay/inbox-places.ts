import { lstatSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { contains, inboxRoot } from '../../agents/inbox';

/** Time for which a checked folder is not checked again, milliseconds. */
const REMEMBERED_MS = 5_000;
const MOST_REMEMBERED = 2_000;

/**
 * Finds inboxes on a whole machine: in the named folders, and for other agents in the nearest folder, their own or one above it, that already has
 * `.unstuck`. A person connected an agent or used an inbox there. Nothing is written anywhere else.
 */
export class InboxPlaces {
  private readonly seen = new Map<string, { readonly root: string | null; readonly at: number }>();

  constructor(
    /** Workspace folders that a person named. */
    private readonly named: readonly string[],
    /** Folders below which agents are followed. */
    private readonly watched: readonly string[],
    private readonly now: () => number,
  ) {}

  /** Returns the folder with the inbox of an agent that works in `cwd`; null if it has none. */
  rootOf(cwd: string | undefined): string | null {
    if (cwd === undefined) return null;
    const now = this.now();
    const known = this.seen.get(cwd);
    if (known && now - known.at < REMEMBERED_MS) return known.root;
    if (this.seen.size >= MOST_REMEMBERED) this.seen.clear();
    const root = inboxRoot(this.named, cwd) ?? this.nearest(cwd);
    this.seen.set(cwd, { root, at: now });
    return root;
  }

  private nearest(cwd: string): string | null {
    for (let folder = cwd; this.watched.some((top) => contains(top, folder)); folder = dirname(folder)) {
      const found = lstatSync(join(folder, '.unstuck'), { throwIfNoEntry: false });
      // A link could lead anywhere.
      if (found?.isDirectory()) return folder;
      if (dirname(folder) === folder) break;
    }
    return null;
  }
}
