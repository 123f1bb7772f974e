import { mkdirSync, writeFileSync } from 'node:fs';
import { lstat, readdir, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { AgentId } from '../../../core/model';
import { sessionFolderName } from '../folder';

/**
 * `proofs/` next to hook.sh: an empty file for each session whose agent has called its hook, `<agent>.<session>`, created at the first call. Agents
 * that name the session only in their payload leave one for all, `<agent>`. Connect removes those of its agent: a new connection must be proven
 * again.
 */
const FOLDER = 'proofs';
const DAY = 24 * 3_600_000;
const KEPT_FOR = 7 * DAY;

/** Returns whether this agent has called its hook since it was connected. */
export async function isProven(hookFolder: string, agent: AgentId, session: string): Promise<boolean> {
  for (const name of [agent, `${agent}.${sessionFolderName(session)}`]) {
    const there = await lstat(join(hookFolder, FOLDER, name)).catch(() => null);
    if (there?.isFile()) return true;
  }
  return false;
}

/**
 * Writes a proof for code that runs inside an agent rather than in hook.sh. Never throws: a proof that cannot be written costs only a word in a
 * status.
 */
export function proveNow(hookFolder: string, agent: AgentId, session: string): void {
  try {
    mkdirSync(join(hookFolder, FOLDER), { recursive: true, mode: 0o700 });
    writeFileSync(join(hookFolder, FOLDER, `${agent}.${sessionFolderName(session)}`), '', { mode: 0o600 });
  } catch {
    // The connection is shown as one that waits for its proof.
  }
}

/** Removes the proofs of an agent's connections, or those of all agents that are older than 7 days. */
export async function forgetProofs(hookFolder: string, which: { agent: AgentId } | { before: number }): Promise<void> {
  const folder = join(hookFolder, FOLDER);
  for (const name of await readdir(folder).catch(() => [])) {
    const isMeant =
      'agent' in which
        ? name === which.agent || name.startsWith(`${which.agent}.`)
        : ((await lstat(join(folder, name)).catch(() => null))?.mtimeMs ?? which.before) < which.before - KEPT_FOR;
    if (isMeant) await unlink(join(folder, name)).catch(() => undefined);
  }
}
