import { lstatSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { contains, inboxRoot } from '../../agents/inbox';

/** A folder that was looked at is not looked at again for this long, milliseconds. */
const REMEMBERED_MS = 5_000;
const MOST_REMEMBERED = 2_000;

/**
 * Inboxes of a whole machine: those in the named folders, and for the others those in the nearest folder above an agent's that
 * already has `.unstuck`. There a person connected an agent or used an inbox; nothing is written anywhere else.
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

  /** The folder with the inbox of an agent that works in `cwd`; null where it has none. */
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
