import { isAbsolute, join } from 'node:path';
import { contains } from './inbox';
import { realPath } from '../base/files';
import type { AgentId } from '../core/model';
import type { AgentProcess } from './processes';
import { descriptorOf } from './registry';

/** An agent that runs here, but keeps its files where this window does not look. */
export interface Elsewhere {
  readonly pid: number;
  /** Environment variable of the process that moves its files: `CODEX_HOME`. */
  readonly variable: string;
  /** Folder in which the agent keeps them, and the one in which this window looks; absolute. */
  readonly folder: string;
  readonly ours: string;
  /** True if a setting can make this window look there; false if other programs use the same variable. */
  readonly settable: boolean;
}

interface Surroundings {
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * Returns the first agent of one kind in these folders that keeps its files elsewhere; null if all keep them where this window looks. Links to the
 * same folder count as one.
 */
export async function elsewhereOf(
  agent: AgentId,
  processes: readonly AgentProcess[],
  workFolders: readonly string[],
  { home, env }: Surroundings,
): Promise<Elsewhere | null> {
  const { folders = [] } = descriptorOf(agent) ?? {};
  for (const one of processes) {
    if (one.agent !== agent || !workFolders.some((folder) => contains(folder, one.cwd))) continue;
    for (const { variable, usual, shared } of folders) {
      const folder = placed(one.env[variable], usual, one.env['HOME'] ?? home);
      const ours = placed(env[variable], usual, home);
      // A relative path depends on the working folder that the program had at that time.
      if (!isAbsolute(folder) || (await realPath(folder)) === (await realPath(ours))) continue;
      return { pid: one.pid, variable, folder, ours, settable: !shared };
    }
  }
  return null;
}

function placed(value: string | undefined, usual: string, home: string): string {
  return value || join(home, usual);
}
