import { withoutEscapes } from '../../util/showable';

/** One failing test, or one complaint of a compiler or linter, in the words of the program. Not redacted. */
export interface Complaint {
  /** As the program printed it: absolute, or relative to where it ran. */
  readonly file?: string;
  /** 1-based. */
  readonly line?: number;
  /** 1-based. */
  readonly column?: number;
  /** One line, never empty. */
  readonly message: string;
  /** Name of the test with its enclosing groups: `sums > of nothing`. */
  readonly test?: string;
  /** File or package that the test belongs to, where the runner names it. The place above may be in another file. */
  readonly suite?: string;
}

/** Facts read from the output of a program. */
export interface ParsedOutput {
  /** The program that wrote the output. */
  readonly runner: string;
  /** In the order of the output. */
  readonly failures: readonly Complaint[];
  /** Counts that the program itself printed. `failed: 0` means it reports that nothing is wrong. */
  readonly failed?: number;
  readonly passed?: number;
  readonly skipped?: number;
}

/** Parses the output of one program; null if the output is not from it. Never throws. */
export type OutputParser = (lines: readonly string[]) => ParsedOutput | null;

/** Number of complaints kept from one output. */
const MOST = 1_000;
/** Number of characters of a line that are read. */
const LONGEST_LINE = 1_000;

/** Number of characters read from the beginning of an output, and from its end, where the summaries are. */
export interface Bounds {
  readonly head: number;
  readonly tail: number;
}

const BOUNDS: Bounds = { head: 64 * 1024, tail: 64 * 1024 };
/** Number of characters per line that is read: half of the lines come from the beginning. Every parser looks at each line, even an empty one. */
const CHARACTERS_A_LINE = 8;

/** Returns the lines of an output without colours. A line that was overwritten repeatedly counts in its last state. */
export function plainLines(output: string, bounds: Bounds = BOUNDS): string[] {
  return linesIn(plainText(output, bounds), bounds);
}

/** Returns the part of an output that is read, without colours. */
export function plainText(output: string, { head, tail }: Bounds = BOUNDS): string {
  return withoutEscapes(output.length > head + tail ? `${output.slice(0, head)}\n${output.slice(-tail)}` : output);
}

/** Returns the lines of such a text. */
export function linesIn(plain: string, { head, tail }: Bounds = BOUNDS): string[] {
  const lines = fewer(plain.split('\n'), (head + tail) / CHARACTERS_A_LINE);
  return plain.includes('\r') ? lines.map(asLeft) : lines.map(shortened);
}

function shortened(line: string): string {
  return line.slice(0, LONGEST_LINE);
}

/** Returns a line as a terminal shows it after it was overwritten. */
function asLeft(line: string): string {
  const end = line.endsWith('\r') ? line.slice(0, -1) : line;
  return shortened(end.slice(end.lastIndexOf('\r') + 1));
}

/** Keeps the first and the last lines. */
function fewer(lines: string[], most: number): string[] {
  return lines.length <= most ? lines : [...lines.slice(0, most / 2), ...lines.slice(-most / 2)];
}

/** A place in a file. It begins at a blank or a bracket, so that a long line is scanned only once. */
const PLACE =
  /(?:^|[\s([])((?:file:\/\/)?(?:[A-Za-z]:)?[^\s:()[\]'"`,;]{1,300}\.[A-Za-z][A-Za-z0-9]{0,7}):(\d{1,7})(?::(\d{1,7}))?(?![\w.])/;

export interface Spot {
  readonly file: string;
  readonly line: number;
  readonly column?: number;
}

/** Returns the first place in a file that a line names. */
export function spotIn(line: string): Spot | undefined {
  const found = PLACE.exec(line);
  return found ? spot(found[1], found[2], found[3]) : undefined;
}

export function spot(file: string | undefined, line: string | undefined, column?: string): Spot | undefined {
  const at = Number(line);
  if (!file || !Number.isSafeInteger(at) || at < 1) return undefined;
  const place = Number(column);
  return {
    file: file.replace(/^file:\/\//, ''),
    line: at,
    ...(column !== undefined && Number.isSafeInteger(place) && place > 0 && { column: place }),
  };
}

/** Returns the first place in a JavaScript stack that is in the project, not in a module of Node.js or a dependency. */
export function stackSpot(lines: readonly string[]): Spot | undefined {
  for (const line of lines) {
    if (!/^\s*(?:at |❯ )/.test(line) || /node:|[\\/]node_modules[\\/]|<anonymous>\)$/.test(line)) continue;
    const found = spotIn(line);
    if (found) return found;
  }
  return undefined;
}

/** Makes a complaint about this place; an empty message becomes `failed`. */
export function failure(message: string, where: Spot | undefined, test?: string, suite?: string): Complaint {
  return { ...where, message: tidy(message) || 'failed', ...(test && { test: tidy(test) }), ...(suite && { suite }) };
}

function tidy(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** Keeps each complaint once, and the first 1,000 where there are more. */
export function distinct(failures: readonly Complaint[]): readonly Complaint[] {
  const seen = new Set<string>();
  const kept: Complaint[] = [];
  for (const one of failures) {
    const key = [one.file, one.line, one.column, one.suite, one.test, one.message].join('\u0000');
    if (seen.has(key)) continue;
    seen.add(key);
    kept.push(one);
    if (kept.length === MOST) break;
  }
  return kept;
}

/** Returns the count before this word in a summary: `2 failed | 1 passed`, `2 failed, 1 passed`. */
export function countIn(line: string, word: string): number | undefined {
  const found = new RegExp(`(\\d{1,9}) ${word}\\b`).exec(line);
  return found ? Number(found[1]) : undefined;
}

export function testCounts(of: {
  failed?: number | undefined;
  passed?: number | undefined;
  skipped?: number | undefined;
}): {
  failed?: number;
  passed?: number;
  skipped?: number;
} {
  const { failed, passed, skipped } = of;
  return {
    ...(failed !== undefined && { failed }),
    ...(passed !== undefined && { passed }),
    ...(skipped !== undefined && { skipped }),
  };
}

/** Returns the first line of a block that is not empty, together with the next one if the first only announces it (`strictly equal:`). */
export function firstWords(lines: readonly string[]): string {
  const firstTwo = lines.filter((line) => line.trim() !== '').slice(0, 2);
  const [first = '', second] = firstTwo.map((line) => line.trim());
  return first.endsWith(':') && second !== undefined && !second.startsWith('at ') ? `${first} ${second}` : first;
}

/** Cuts lines into blocks: one for each line that `opens`, up to the next such line or one that `ends` all blocks. */
export function blocks(
  lines: readonly string[],
  opens: (line: string, index: number) => string | null,
  ends: (line: string) => boolean,
): { readonly title: string; readonly body: readonly string[] }[] {
  const found: { title: string; body: string[] }[] = [];
  let open: { title: string; body: string[] } | null = null;
  for (const [index, line] of lines.entries()) {
    const title = opens(line, index);
    if (title !== null) {
      open = { title, body: [] };
      found.push(open);
    } else if (ends(line)) open = null;
    else if (open && open.body.length < 400) open.body.push(line);
  }
  return found;
}
