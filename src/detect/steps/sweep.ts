import type { ToolCallEvent } from '../../model';

/** Programs and targets of one run that are remembered. */
const REMEMBERED = 64;
/** Programs that run code of the agent's: another file is another attempt, not another input. */
const RUNS_CODE =
  /^(?:python[\d.]*|ipython|node|deno|bun|tsx|ts-node|ruby|perl|php|java|bash|sh|zsh|pwsh|go|cargo|npm|npx|pnpm|yarn|pip3?|uv|poetry|make|cmake|mvn|gradle|gcc|g\+\+|clang|cc|rustc|tsc|pytest|jest|vitest|apt|apt-get|brew|conda|docker|git|curl|wget|cd|export|sudo|source|\.)$/;

/** How shells say that there is no such program, with its name. */
const MISSING =
  /(?:^|[\s:])([\w.+-]{1,64}): (?:command )?not found\s*$|command not found: ([\w.+-]{1,64})\s*$|'([\w.+-]{1,64})' is not recognized as/gim;
/** What any of these has in it. */
const MAY_MISS = /not found|not recognized/i;
const TAIL = 2000;

/**
 * Tells whether a failing command is one more of a sweep: a program that was run on other targets before, all of them new, or one
 * program after another that turns out not to be there.
 */
export interface SweepMemory {
  /** Takes a failing call. What makes it a part of a sweep, in a few words; null where it is none. */
  goesOn(call: ToolCallEvent, output: string): string | null;
  /** Something succeeded. What is not installed stays known. */
  reset(): void;
}

/**
 * Sweeps over different targets never count: trying a validator on six wrong inputs gives six failures that were meant. The program of the
 * last command and its words without options are compared. A program that is not there is an answer too, the first time: `curl: not found`
 * after `wget: not found` is a look at what the machine has, and says something new.
 */
export function createSweepMemory(): SweepMemory {
  const seen = new Map<string, Set<string>>();
  const missing = new Set<string>();
  let size = 0;

  /** Programs that this output says are not there: there are some, and none was known to be missing. */
  const looksAround = (output: string): boolean => {
    const tail = output.slice(-TAIL);
    if (!MAY_MISS.test(tail)) return false;
    let found = 0;
    let known = 0;
    for (const match of tail.matchAll(MISSING)) {
      const name = match[1] ?? match[2] ?? match[3] ?? '';
      found++;
      if (missing.has(name)) known++;
      else if (missing.size < REMEMBERED) missing.add(name);
    }
    return found > 0 && known === 0;
  };

  return {
    goesOn(call, output) {
      if (call.command === undefined) return null;
      if (looksAround(output)) return 'A program that is not there, each time another';
      const parts = lastCommand(call.command);
      if (!parts) return null;
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
      return goesOn ? `${program} on another target each time` : null;
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
