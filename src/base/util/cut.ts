/**
 * Long strings of transcripts are cut down before they are parsed: head and tail are kept, the middle is replaced by its length and a digest, so that
 * equal strings stay equal and different ones different.
 *
 * Private-use characters frame the mark; they do not occur in transcripts otherwise.
 */
const OPEN = '\u{F8F0}';
const CLOSE = '\u{F8F1}';
const MARK = new RegExp(`${OPEN}(\\d+):([0-9a-f]{1,32})${CLOSE}`, 'u');

/** A string is cut if, and only if, its body has more bytes than this in the file, whatever the size of its line. */
export const CUT_OVER_BYTES = 16 * 1024;
/** Limit of the bytes of a cut string before and after its mark; fewer where a character or an escape would be split. */
export const CUT_HEAD_BYTES = 4 * 1024;
export const CUT_TAIL_BYTES = 4 * 1024;

/** A cut text is never shorter: 4 KB of `\u0000` escapes are this many characters. */
const SHORTEST_CUT = CUT_HEAD_BYTES / 12;

/** Returns the mark in place of `omitted` bytes (UTF-8) with this digest. */
export function cutMark(omitted: number, digest: string): string {
  return `${OPEN}${omitted}:${digest}${CLOSE}`;
}

/** Returns the length of the text before it was cut: the remaining characters plus the bytes that were left out. */
export function fullLength(text: string): number {
  const mark = markIn(text);
  return mark ? text.length - mark[0].length + Number(mark[1]) : text.length;
}

/** Returns the number of characters of the whole result of a call that was cut here; undefined where it was not. */
export function sizeOfCut(output: string): number | undefined {
  return output.length > 1000 && isCut(output) ? fullLength(output) : undefined;
}

export function isCut(text: string): boolean {
  return markIn(text) !== null;
}

/** Returns the text for a person: the mark becomes `… 123456 characters left out …`. */
export function readable(text: string): string {
  return text.replace(MARK, (_, omitted: string) => `\n… ${omitted} characters left out …\n`);
}

function markIn(text: string): RegExpExecArray | null {
  // Most texts are short and need no search.
  if (text.length < SHORTEST_CUT || !text.includes(OPEN)) return null;
  return MARK.exec(text);
}
