import { basename, isAbsolute } from 'node:path';
import type { Processes } from './process';

/** Time limit, since the start files of a shell may take a while. Milliseconds. */
const SHELL_WITHIN_MS = 10_000;

export interface PersonShell {
  /** Shell that the person has chosen for their account. Absolute. */
  readonly shell: string;
  readonly platform: NodeJS.Platform;
  readonly processes: Processes;
}

/**
 * Returns the absolute path of a program as the person's own shell finds it, including what its start files add to `PATH` (nvm, `~/.local/bin`). Null
 * where it finds none, or only an alias or a function, and where the shell does not answer.
 */
export async function programOfShell(
  name: string,
  { shell, platform, processes }: PersonShell,
): Promise<string | null> {
  // As terminals start it: on macOS they use login shells.
  const how = platform === 'darwin' ? '-ilc' : '-ic';
  const line = `command -v '${name.replaceAll("'", `'\\''`)}'`;
  const ran = await processes.run({
    command: shell,
    args: [how, line],
    cwd: '/',
    timeoutMs: SHELL_WITHIN_MS,
    maxBytes: 64 * 1024,
  });
  // The start files may print something, too.
  const lines = ran.stdout.split('\n').map((one) => one.trim());
  return lines.findLast((one) => isAbsolute(one) && basename(one) === basename(name)) ?? null;
}
