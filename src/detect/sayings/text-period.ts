/** Repetition at the end of a text. */
export interface TextPeriod {
  /** Characters of one repeat. */
  readonly period: number;
  /** Characters from the first repeat to the end of the text, with the space that the last repeat lacks at its end. */
  readonly length: number;
}

/** Characters at the end whose earlier places are candidates for a period. */
const KEY = 16;
/** Earlier places that are tried. */
const TRIES = 8;

/**
 * The shortest period that the end of a text repeats at least so often as `needed` says for its length, null when there is none.
 *
 * An ordinary text costs one search for its last 16 characters; only where these occurred before are characters compared.
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

/** Counts the blanks that would come next if the text went on with its period. */
function spaceAfter(text: string, period: number): number {
  let at = text.length - period;
  while (at < text.length && (text.charCodeAt(at) === 32 || text.charCodeAt(at) === 10)) at++;
  return at - (text.length - period);
}

/** Returns whether this is prose, and not a ruler, a table or a row of numbers. */
export function isProse(period: string): boolean {
  return /\p{L}{2}/u.test(period) && !/(?:^|\n)[ \t]*[|+]/.test(period);
}

/** Sentences or lines in a text, at least 1. */
export function sentencesIn(text: string): number {
  return Math.max(1, text.trimEnd().match(/[.!?。！？](?=\s|$)|\n/g)?.length ?? 1);
}
