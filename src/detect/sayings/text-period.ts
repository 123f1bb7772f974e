/** Repetition at the end of a text. */
export interface TextPeriod {
  /** Number of characters of one repeat. */
  readonly period: number;
  /** Number of characters from the first repeat to the end of the text, including the space that the last repeat lacks at its end. */
  readonly length: number;
}

/** Number of characters at the end whose earlier places are candidates for a period. */
const KEY = 16;
/** Number of earlier places that are tried. */
const TRIES = 8;

/**
 * Returns the shortest period that is repeated at the end of a text at least as often as `needed` requires for its length; null where there is none.
 *
 * An ordinary text costs one search for its last 16 characters; characters are compared only where these occurred before.
 */
export function periodAtEnd(text: string, needed: (period: number) => number): TextPeriod | null {
  const end = text.length;
  const size = Math.min(KEY, end >> 1);
  if (size < 2) return null;
  const key = text.slice(end - size);
  let at = end - size;
  for (let tries = 0; tries < TRIES && at > 0; tries++) {
    at = text.lastIndexOf(key, at - 1);
    if (at < 0) return null;
    const period = end - size - at;
    const repeats = needed(period);
    const lacking = spaceAfter(text, period);
    if (period * repeats > end + lacking) continue;
    const length = period + matching(text, period) + lacking;
    if (length >= period * repeats) return { period, length };
  }
  return null;
}

/** Counts the characters at the end that equal those one period before them. */
function matching(text: string, period: number): number {
  let at = text.length - 1;
  while (at >= period && text.charCodeAt(at) === text.charCodeAt(at - period)) at--;
  return text.length - 1 - at;
}

/** Counts the blanks that would come next if the text continued with its period. */
function spaceAfter(text: string, period: number): number {
  let at = text.length - period;
  while (at < text.length && (text.charCodeAt(at) === 32 || text.charCodeAt(at) === 10)) at++;
  return at - (text.length - period);
}

/** Returns whether this is prose rather than a ruler, a table or a row of numbers. */
export function isProse(period: string): boolean {
  return /\p{L}{2}/u.test(period) && !/(?:^|\n)[ \t]*[|+]/.test(period);
}

/** Counts the sentences or lines in a text, at least 1. */
export function sentencesIn(text: string): number {
  return Math.max(1, text.trimEnd().match(/[.!?。！？](?=\s|$)|\n/g)?.length ?? 1);
}
