import { basename, isAbsolute } from 'node:path';
import type { Processes } from './process';

/** Files that a shell reads when it begins may take a while. Milliseconds. */
const SHELL_WITHIN_MS = 10_000;

export interface PersonShell {
  /** The shell that the person has chosen for their account. Absolute. */
  readonly shell: string;
  readonly platform: NodeJS.Platform;
  readonly processes: Processes;
}

/**
 * The absolute path of a program as the person's own shell finds it, with what its start files add to `PATH` (nvm, `~/.local/bin`). Null where
 * it finds none, or only an alias or a function, and where the shell does not answer.
 */
export async function programOfShell(
  name: string,
  { shell, platform, processes }: PersonShell,
): Promise<string | null> {
  // As terminals start it: on macOS they are login shells.
  const how = platform === 'darwin' ? '-ilc' : '-ic';
  const line = `command -v '${name.replaceAll("'", `'\\''`)}'`;
  const ran = await processes.run({
    command: shell,
    args: [how, line],
    cwd: '/',
    timeoutMs: SHELL_WITHIN_MS,
    maxBytes: 64 * 1024,
  });
  // The start files may print, too.
  const lines = ran.stdout.split('\n').map((one) => one.trim());
  return lines.findLast((one) => isAbsolute(one) && basename(one) === basename(name)) ?? null;
}
