/** A command that must succeed before work counts as done. */
export interface Gate {
  /** Unique within a folder. */
  readonly id: string;
  /** For a person and for the agent: `tests`, `lint`, `build`. */
  readonly name: string;
  /** A whole command line, run by the shell. From the user's own settings, or a template that the user agreed to. */
  readonly command: string;
  /**
   * Command behind the command line, if a file defines it: the script of package.json, the recipe of a Makefile. Shown and agreed to like the command
   * line.
   */
  readonly runs?: string;
  /** Folder that it runs in, relative to the workspace folder. Absent: the folder itself. */
  readonly cwd?: string;
  /** Ids of the gates that must pass first; otherwise it is skipped. */
  readonly needs: readonly string[];
  /** Time limit, after which the command and its children are ended. Milliseconds. */
  readonly timeoutMs: number;
  /** Advice for when it fails, instead of the general advice. */
  readonly suggestion?: string;
}

/** Milliseconds that a gate may take by default. */
export const GATE_TIMEOUT_MS = 300_000;

/** Returns the commands as one text, equal exactly if the very same things would run: a consent is for this text. */
export function consentText(gates: readonly Gate[]): string {
  return JSON.stringify(
    gates
      .map(({ id, name, command, runs, cwd, needs }) => [id, name, command, runs ?? '', cwd ?? '', [...needs].sort()])
      .sort((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1)),
  );
}
