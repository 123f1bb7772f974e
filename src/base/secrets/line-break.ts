import type { TextRange } from './rule';

/** The end of a line within a text that may continue after it. */
export interface LineBreak {
  /** Offset after the last character of the line that counts. */
  readonly left: number;
  /** Offset of the first character of the next line that counts: blanks, quotes and marks before it do not. */
  readonly right: number;
  /** End of the possible rest of a secret, which begins at `right`. */
  readonly end: number;
}

const MOST_BLANKS = 40;
const LONGEST_REST = 1024;
const SHORTEST_REST = 5;
const SHORTEST_BEGINNING = 10;
const LONGEST_BEGINNING = 24;
const MOST_JOINTS = 8;
const COMMA = 44;

/** Character classes, as bits. Quotes, brackets and blanks are not part of a secret. */
const DIGIT = 1;
const LOWER = 2;
const UPPER = 4;
const SIGN = 8;
const INNER = DIGIT | LOWER | UPPER | SIGN;
const BLANK = 16;
/** Characters that join two lines, at the end of the first or at the beginning of the second: quotes, operators, borders. */
const JOINT = 32;

const BITS = new Uint8Array(128);
const setBits = (characters: string, bits: number): void => {
  for (const character of characters) (BITS[character.charCodeAt(0)] as number) |= bits;
};
setBits('0123456789', DIGIT);
setBits('abcdefghijklmnopqrstuvwxyz', LOWER);
setBits('ABCDEFGHIJKLMNOPQRSTUVWXYZ', UPPER);
setBits('+/=_.~%@:$!#&^*-,?', SIGN);
setBits(' \t', BLANK);
setBits(`"'\`\\+&.>|#*-/`, JOINT);

function bitsAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code < 128 ? (BITS[code] as number) : code === 0x2502 || code === 0x2503 ? JOINT : 0;
}

/** End of a line that continues on the next: `"… " +`, `\`, the border of a box. */
const END =
  /(?<quote>\\{0,8}["'`])?[ \t]{0,8}(?:(?<![A-Za-z0-9])(?<operator>\+|\.{1,2}|&|<<)|\\{1,4}|(?<border>[|\u2502\u2503]))?[ \t]{0,40}$/;
/** Beginning of a line that continues the one before. */
const BEGIN = /[ \t]{0,40}(?:(?<operator>\+|\.{1,2}|&|<<)[ \t]{1,8}(?=\\{0,8}["'`]))?(?<quote>\\{0,8}["'`])?/y;
/** Margin before each line of a quotation, a comment, a diff or a box. */
const MARGIN = /[ \t]{0,40}(?<mark>[>|#*+\u2502\u2503-]|\/\/)[ \t]{0,8}/y;

/**
 * Returns the end of a line as one that may be within a secret; undefined for nearly all line ends, at the cost of a few characters.
 *
 * @param line where the line begins
 * @param at where it ends
 * @param next where the next line begins
 */
export function breakAt(text: string, line: number, at: number, next: number): LineBreak | undefined {
  let left = at;
  while (left > line && bitsAt(text, left - 1) === BLANK) left--;
  const before = left === line ? 0 : bitsAt(text, left - 1);
  // `ghp_Ab12...` shows that it was cut off.
  if (before === 0 || text.charCodeAt(left - 1) === COMMA || text.startsWith('...', left - 3)) return undefined;
  const limit = Math.min(text.length, next + MOST_BLANKS);
  let right = next;
  while (right < limit && bitsAt(text, right) === BLANK) right++;
  let begin = right;
  while (begin < limit && (bitsAt(text, begin) & (BLANK | JOINT)) !== 0) begin++;
  if (begin === text.length || (bitsAt(text, begin) & INNER) === 0) return undefined;
  if (!isRest(text, begin) && !isBeginning(text, line, left)) return undefined;

  if (begin !== right || (before & JOINT) !== 0) {
    const sides = sidesOf(text, line, at, next);
    if (!sides) return undefined;
    [left, right] = sides;
  }
  const end = endOfRest(text, right);
  return end === right ? undefined : { left, right, end };
}

/** Returns whether the text that begins here may be the rest of a secret rather than a word. */
function isRest(text: string, from: number): boolean {
  const limit = Math.min(text.length, from + LONGEST_REST);
  let at = from;
  let seen = 0;
  let rises = 0;
  let last = 0;
  for (; at < limit; at++) {
    const bits = bitsAt(text, at) & INNER;
    if (bits === 0) break;
    if (bits === UPPER && last === LOWER) rises++;
    seen |= bits;
    last = bits;
  }
  if (at - from < SHORTEST_REST || (seen & (LOWER | UPPER)) === 0) return false;
  return (seen & DIGIT) !== 0 || (rises >= 2 && (at === text.length || text.charAt(at) !== '('));
}

/** Returns whether the line ends with enough letters and digits to be the beginning of a secret. */
function isBeginning(text: string, line: number, end: number): boolean {
  let last = end;
  while (last > line && last > end - MOST_JOINTS && (bitsAt(text, last - 1) & (JOINT | BLANK)) !== 0) last--;
  const limit = Math.max(line, last - LONGEST_BEGINNING);
  let at = last;
  let seen = 0;
  for (; at > limit; at--) {
    const bits = bitsAt(text, at - 1) & INNER;
    if (bits === 0) break;
    seen |= bits;
  }
  return last - at >= SHORTEST_BEGINNING && (seen & DIGIT) !== 0 && (seen & (LOWER | UPPER)) !== 0;
}

function endOfRest(text: string, from: number): number {
  const limit = Math.min(text.length, from + LONGEST_REST);
  let at = from;
  while (at < limit && (bitsAt(text, at) & INNER) !== 0) at++;
  return at;
}

/** Finds the end and the continuation of a text across two lines, without the quotes and marks that join them. */
function sidesOf(text: string, line: number, at: number, next: number): TextRange | undefined {
  const tail = text.slice(Math.max(line, at - 64), at);
  const end = END.exec(tail);
  const left = at - tail.length + (end?.index ?? tail.length);
  MARGIN.lastIndex = next;
  const margin = MARGIN.exec(text);
  const mark = margin?.groups?.['mark'];
  MARGIN.lastIndex = line;
  const isMargin = margin !== null && MARGIN.exec(text)?.groups?.['mark'] === mark;
  BEGIN.lastIndex = isMargin ? next + margin[0].length : next;
  const begin = BEGIN.exec(text);
  const right = BEGIN.lastIndex;
  if (!begin || left <= line || (bitsAt(text, left - 1) & INNER) === 0) return undefined;
  const quote = end?.groups?.['quote'];
  if (quote !== begin.groups?.['quote']) return undefined;
  // A bar is a border only if the lines begin with one as well.
  if (end?.groups?.['border'] !== undefined && end.groups['border'] !== mark) return undefined;
  // Two strings with nothing between them are one in some languages; in a list they are two.
  const hasOperator = (end?.groups?.['operator'] ?? begin.groups?.['operator']) !== undefined;
  const isList = quote !== undefined && !hasOperator && (quote.endsWith('`') || (isMargin && /[*+-]/.test(mark ?? '')));
  return isList ? undefined : [left, right];
}
