/** A command that must succeed before work counts as done. */
export interface Gate {
  /** Unique within a folder. */
  readonly id: string;
  /** For a person and for the agent: `tests`, `lint`, `build`. */
  readonly name: string;
  /** A whole command line, run by the shell. From the user's own settings, or a template that the user agreed to. */
  readonly command: string;
  /**
   * Command behind the command line, where a file defines it: the script of package.json, the recipe of a Makefile. Shown and
   * agreed to like it.
   */
  readonly runs?: string;
  /** Folder that it runs in, relative to the workspace folder; the folder itself where absent. */
  readonly cwd?: string;
  /** Ids of the gates that must pass first; else it is skipped. */
  readonly needs: readonly string[];
  /** After it the command and its children are ended. Milliseconds. */
  readonly timeoutMs: number;
  /** Advice when it fails, in place of the general advice. */
  readonly suggestion?: string;
}

/** Milliseconds that a gate may take where nothing else is said. */
export const GATE_TIMEOUT_MS = 300_000;

/** The commands as one text, equal exactly where the very same things would run: what a consent stands for. */
export function consentText(gates: readonly Gate[]): string {
  return JSON.stringify(
    gates
      .map(({ id, name, command, runs, cwd, needs }) => [id, name, command, runs ?? '', cwd ?? '', [...needs].sort()])
      .sort((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1)),
  );
}
