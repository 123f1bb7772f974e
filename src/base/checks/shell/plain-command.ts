import { isCheck } from './check-programs';
import { type SimpleCommand, segmentsOf } from './segments';
import { remembered } from '../../util/remembered';
import { secondsIn } from './unwrap';
import { programName, words } from './words';

/** Longer lines are scripts, which are compared unchanged. Characters. */
const LONGEST = 1_000;
const DEPTH = 3;
/** Programs that only cut the output of the previous one. */
const CUTS = words('head tail less more cat select-object out-host');
/** Programs that pick lines of it: behind a check, the result stays the same. */
const PICKS = words('grep egrep rg select-string findstr');
/** Programs that start the rest of the line as it is. */
const STARTS = words('time nohup command exec nice stdbuf unbuffer env');
const SHELLS = words('bash sh zsh');
const ASSIGNS = /^[A-Za-z_]\w*=/;
/** Separator of words and of commands within the result of `plainWords`. */
const GAP = '\u0000';

/**
 * Returns what a shell line runs, in one form regardless of how it is typed: without `cd` into the folder in which it already runs, a `sleep` before
 * it, `timeout`, `env`, `time`, `bash -lc`, quotes, a last `;`, `2>&1`, `| tail`, and `| grep` behind a check. Lines that write files, and scripts,
 * are left as they are.
 *
 * @param isHere returns whether a `cd` into this folder changes nothing
 */
export function plainCommand(line: string, isHere: (folder: string) => boolean): string {
  return line.includes('cd') ? (plainLine(line, isHere, 0) ?? line) : plainAnywhere(line);
}

const plainAnywhere = remembered((line) => plainLine(line, () => false, 0) ?? line, { most: 256, longest: LONGEST });

function plainLine(line: string, isHere: (folder: string) => boolean, depth: number): string | null {
  if (line.length > LONGEST || line.includes('<<') || line.includes('\n')) return null;
  const segments = segmentsOf(line);
  if (segments.length === 0 || segments.some(({ writes, substitutes }) => writes || substitutes)) return null;
  const counting = segments.filter((one) => !isAround(one, isHere));
  const parts: string[] = [];
  const ran: (readonly string[])[] = [];
  // A line with nothing else is kept: a wait of that length, or a change of folder.
  for (const [at, one] of (counting.length > 0 ? counting : segments).entries()) {
    const piped = at > 0 && segments[segments.indexOf(one) - 1]?.joint === '|';
    const given = plainWords(one.words);
    const program = programName(given[0] ?? '');
    if (piped && (CUTS.has(program) || (PICKS.has(program) && ran.some(isCheck)))) continue;
    ran.push(given);
    const inner = depth < DEPTH ? scriptOf(given) : undefined;
    const plain = inner === undefined ? given.join(GAP) : (plainLine(inner, isHere, depth + 1) ?? inner);
    parts.push(piped ? `|${plain}` : plain);
  }
  return parts.join(`${GAP}${GAP}`);
}

function isAround({ words: [first = '', second = '', ...more] }: SimpleCommand, isHere: (folder: string) => boolean) {
  if (first === 'sleep') return more.length === 0 && secondsIn(second) > 0;
  return first === 'cd' && more.length === 0 && isHere(second);
}

/** Returns the words without those that only start the command. */
function plainWords(given: readonly string[]): readonly string[] {
  let rest = given;
  for (;;) {
    const program = programName(rest[0] ?? '');
    if (rest.length > 1 && (ASSIGNS.test(rest[0] ?? '') || (STARTS.has(program) && !rest[1]?.startsWith('-')))) {
      rest = rest.slice(1);
    } else if (program === 'timeout' && rest.length > 2 && secondsIn(rest[1] ?? '') > 0) rest = rest.slice(2);
    else return rest;
  }
}

function scriptOf([program = '', option = '', script, ...more]: readonly string[]): string | undefined {
  return SHELLS.has(programName(program)) && /^-[a-z]*c$/.test(option) && more.length === 0 ? script : undefined;
}
