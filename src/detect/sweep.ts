import type { ToolCallEvent } from '../model';

/** Programs and targets of one run that are remembered. */
const REMEMBERED = 64;
/** Programs that run code of the agent's: another file is another attempt, not another input. */
const RUNS_CODE =
  /^(?:python[\d.]*|ipython|node|deno|bun|tsx|ts-node|ruby|perl|php|java|bash|sh|zsh|pwsh|go|cargo|npm|npx|pnpm|yarn|pip3?|uv|poetry|make|cmake|mvn|gradle|gcc|g\+\+|clang|cc|rustc|tsc|pytest|jest|vitest|apt|apt-get|brew|conda|docker|git|curl|wget|cd|export|sudo|source|\.)$/;

/** Tells whether a failing command is one more of a sweep: a program that was run on other targets before, all of them new. */
export interface SweepMemory {
  /** Takes a failing call and tells whether it only goes on with a sweep. */
  goesOn(call: ToolCallEvent): boolean;
  reset(): void;
}

/**
 * Sweeps over different targets never count (PROTOCOLS.md section 5): trying a validator on six wrong inputs gives six failures that
 * were meant. The program of the last command and its words without options are compared.
 */
export function createSweepMemory(): SweepMemory {
  const seen = new Map<string, Set<string>>();
  let size = 0;
  return {
    goesOn(call) {
      const parts = lastCommand(call.command);
      if (!parts) return false;
      const [program, targets] = parts;
      const before = seen.get(program);
      const goesOn = before !== undefined && !targets.some((target) => before.has(target));
      const known = before ?? new Set<string>();
      if (!before && size < REMEMBERED) seen.set(program, known);
      for (const target of targets) {
        if (size >= REMEMBERED) break;
        known.add(target);
        size++;
      }
      return goesOn;
    },
    reset() {
      if (size === 0) return;
      seen.clear();
      size = 0;
    },
  };
}

/** Program and targets of the last command of a line or script, null where there is none of interest. */
function lastCommand(command: string | undefined): readonly [string, readonly string[]] | null {
  if (command === undefined) return null;
  const tail = command.trimEnd();
  const line = tail.slice(tail.lastIndexOf('\n') + 1);
  if (line.length > 1000) return null;
  const last =
    line
      .split(/&&|\|\||;/)
      .at(-1)
      ?.split('|')[0]
      ?.trim() ?? '';
  const [program, ...words] = last.split(/\s+/);
  if (program === undefined || program === '' || RUNS_CODE.test(program)) return null;
  const targets = words.filter((word) => word !== '' && !word.startsWith('-') && !/^\d?[<>]/.test(word));
  return targets.length === 0 ? null : [program, targets];
}
