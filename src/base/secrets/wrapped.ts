import { type LineBreak, breakAt } from './line-break';
import { MappedText } from './mapped';
import { isPath, isPlaceholder, isRandom } from './placeholder';
import { placesOf } from './places';
import type { TextRange } from './rule';

/** Consecutive lines that may hold one secret. */
interface Chain {
  readonly breaks: readonly Seam[];
  /** Secrets already found near them in the unchanged text. */
  readonly known: readonly TextRange[];
}

interface Seam extends LineBreak {
  /** Start of the words that may show that it is a secret. */
  readonly context: number;
  /** Index of the first known secret that may touch it. */
  readonly firstKnown: number;
}

/** Characters from the first to the last line of a secret; a longer one is a key with its own begin and end marks. */
const LONGEST_CHAIN = 4096;
/** Number of characters before and after a possible secret that may reveal it. */
const MOST_CONTEXT = 300;
const WRITTEN_LINE_FEED = /\\{1,8}(?:r\\{1,8})?n/y;
const LINE_FEED = 10;
const RETURN = 13;

/**
 * Finds secrets that are broken by a line end: by a terminal that was too narrow, in a long string of a program, in a quotation.
 *
 * At only a few line ends may the next line be the rest of a secret. Only there are the lines joined and inspected.
 *
 * @param known secrets found in the unchanged text: ascending, not overlapping
 */
export function findWrapped(
  text: string,
  known: readonly TextRange[],
  look: (text: string) => readonly TextRange[],
): readonly TextRange[] {
  const found: TextRange[] = [];
  let seams: Seam[] = [];
  let lineBefore = 0;
  let line = 0;
  let firstKnown = 0;
  const knownFrom = (left: number): readonly TextRange[] => {
    while (firstKnown < known.length && (known[firstKnown] as TextRange)[1] < left) firstKnown++;
    return known.slice(firstKnown, firstKnown + 2);
  };
  const endChain = () => {
    const first = seams[0];
    const last = seams.at(-1);
    if (!first || !last) return;
    const near: TextRange[] = [];
    for (let index = first.firstKnown; index < known.length; index++) {
      const one = known[index] as TextRange;
      if (one[0] >= last.end + MOST_CONTEXT) break;
      near.push(one);
    }
    for (const breaks of partsOf(seams)) {
      const across = lookAcross(text, { breaks, known: near }, look);
      near.push(...across);
      found.push(...across);
    }
    seams = [];
  };
  const placeOf = placesOf(text, ['\n', '\\']);
  for (let at = placeOf(0); at < text.length; at = placeOf(at)) {
    let next = at + 1;
    let end = at;
    if (text.charCodeAt(at) === LINE_FEED) {
      if (at > 0 && text.charCodeAt(at - 1) === RETURN) end = at - 1;
    } else {
      WRITTEN_LINE_FEED.lastIndex = at;
      if (!WRITTEN_LINE_FEED.test(text)) {
        // A character after a backslash starts no escape, except at the end of a line.
        at += text.charCodeAt(at + 1) === LINE_FEED ? 1 : 2;
        continue;
      }
      next = WRITTEN_LINE_FEED.lastIndex;
    }
    const one = breakAt(text, line, end, next);
    if (one && !isSettled(text, one, knownFrom(one.left))) {
      const last = seams.at(-1);
      if (last && (one.left > last.end || one.left - (seams[0] as Seam).left > LONGEST_CHAIN)) endChain();
      const context = Math.max(lineBefore, one.left - MOST_CONTEXT);
      seams.push({ ...one, context, firstKnown: Math.max(0, firstKnown - 2) });
    }
    lineBefore = line;
    line = next;
    at = next;
  }
  endChain();
  return found;
}

/** Returns whether a known secret crosses the line break, or a separate secret begins after it. */
function isSettled(text: string, { left, right }: LineBreak, known: readonly TextRange[]): boolean {
  return known.some(
    ([start, end]) => (start < left && end > right) || (start === right && text.charAt(left - 1) !== '.'),
  );
}

/** Returns the seams one by one and combined. The first or the last of several may be there by chance. */
function partsOf(seams: readonly Seam[]): readonly (readonly Seam[])[] {
  const single = seams.map((one) => [one]);
  if (seams.length < 2) return single;
  if (seams.length === 2) return [...single, seams];
  return [...single, seams.slice(1, -1), seams.slice(1), seams.slice(0, -1), seams];
}

/** Joins lines and finds secrets across their ends. */
function lookAcross(
  text: string,
  { breaks, known }: Chain,
  look: (text: string) => readonly TextRange[],
): readonly TextRange[] {
  const view = new MappedText(text);
  const seams: number[] = [];
  let position = breaks[0]?.context ?? 0;
  let end = 0;
  for (const one of breaks) {
    view.copy(position, one.left);
    seams.push(view.length);
    position = one.right;
    end = one.end;
  }
  const behind = text.slice(end, end + MOST_CONTEXT).search(/[\r\n]/);
  view.copy(position, behind < 0 ? Math.min(text.length, end + MOST_CONTEXT) : end + behind);

  const found: TextRange[] = [];
  for (const range of look(view.text)) {
    const [start, stop] = view.originalOf(range);
    if (range[1] <= (seams[0] as number) || start > end) continue;
    const halves = known.filter((other) => other[0] < stop && start < other[1]);
    const inner = seams.find((seam) => range[0] < seam && seam < range[1]);
    if (halves.length === 0) {
      if (inner === undefined || isOne(view.text, range, inner)) found.push([start, stop]);
      continue;
    }
    // The first lines are a secret on their own: find how many of the next ones belong to it.
    const knownEnd = Math.max(...halves.map((other) => other[1]));
    const strange = seams.findIndex((seam, index) => {
      if (seam <= range[0] || seam >= range[1] || (breaks[index] as Seam).right < knownEnd) return false;
      const next = Math.min(seams[index + 1] ?? range[1], range[1]);
      return !isOpaque(view.text.slice(seam, next), next === range[1] ? view.text.charAt(next) : '');
    });
    found.push([start, breaks[strange]?.left ?? stop]);
  }
  return found;
}

/** Returns whether two halves that are not secrets on their own form one together, and not just a word with the text of the next line. */
function isOne(text: string, [start, end]: TextRange, seam: number): boolean {
  const rest = text.slice(seam, Math.max(end, seam + 120)).split(/\s/)[0] ?? '';
  return !isOther(rest) && !isPlaceholder(text.slice(start, seam)) && !/[ \t]/.test(text.slice(start, end));
}

/** Returns whether the rest belongs to a secret at the end of the line before: it is not a word, name, path or date. */
function isOpaque(rest: string, behind: string): boolean {
  if (isOther(rest)) return false;
  if (/[=:]/.test(behind) && NAME.test(rest) && !isRandom(rest)) return false;
  return (/\d/.test(rest) && /[A-Za-z]/.test(rest)) || /[a-z][A-Z]/.test(rest) || /^["'`<@]/.test(behind);
}

const NAME = /^[A-Za-z_][\w.-]{0,80}$/;
const ASSIGNMENT = /^([A-Za-z_][\w.-]{0,80})(?:=(?!=|$)|:(?!$))/;
/** A date, a time, a version. */
const NUMBERS =
  /^(?:(?:19|20)\d\d-[01]\d(?:-|$)|\d{1,2}:\d\d(?::\d\d|$)|(?:19|20)\d{6}T|v?\d{1,4}\.\d{1,5}(?:\.\d{1,8})?(?:-|$))/;

/** Returns whether the beginning of a line is separate: an assignment, a date or a path. It is then not the rest of a secret. */
export function isOther(rest: string): boolean {
  return isAssignment(rest) || NUMBERS.test(rest) || isPath(rest);
}

/** Returns whether this assigns to a name: `NODE_ENV=`. */
function isAssignment(text: string): boolean {
  const name = ASSIGNMENT.exec(text)?.[1];
  return name !== undefined && !isRandom(name);
}
