import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { contains, inboxRoot } from '../../agents/inbox';
import type { AgentView } from '../../core/model';

export interface GatePlace {
  /** The workspace folder: its gates, its inbox. */
  readonly root: string;
  /** Folder in which they run: the folder itself, or the top of the git worktree that the agent works in. */
  readonly runIn: string;
}

/** Returns the folder whose gates judge an agent's work; null if it works in no open folder. */
export function gatePlace(view: AgentView, folders: readonly string[]): GatePlace | null {
  const { cwd } = view;
  const root = cwd === undefined ? null : inboxRoot(folders, cwd);
  if (root === null || cwd === undefined) return null;
  return { root, runIn: contains(root, cwd) || contains(cwd, root) ? root : topOf(cwd, root) };
}

function topOf(cwd: string, root: string): string {
  for (let folder = cwd; dirname(folder) !== folder; folder = dirname(folder)) {
    if (existsSync(join(folder, '.git'))) return folder;
  }
  return root;
}
