/**
 * Long strings of transcripts are cut down before they are parsed: head and tail stay, the middle is replaced by its length and a
 * digest, so that equal strings stay equal and different ones different.
 *
 * Private-use characters frame the mark; they do not occur in transcripts but for this purpose.
 */
const OPEN = '\u{F8F0}';
const CLOSE = '\u{F8F1}';
const MARK = new RegExp(`${OPEN}(\\d+):([0-9a-f]{1,32})${CLOSE}`, 'u');

/** A string is cut when its body has more bytes than this in the file, and only then, whatever the size of its line. */
export const CUT_OVER_BYTES = 16 * 1024;
/** Most bytes of a cut string that stay before and after its mark; fewer where a character or an escape would be split. */
export const CUT_HEAD_BYTES = 4 * 1024;
export const CUT_TAIL_BYTES = 4 * 1024;

/** No cut text is shorter: 4 KB of `\u0000` escapes are that many characters. */
const SHORTEST_CUT = CUT_HEAD_BYTES / 12;

/** The mark that stands for `omitted` bytes (UTF-8) with this digest. */
export function cutMark(omitted: number, digest: string): string {
  return `${OPEN}${omitted}:${digest}${CLOSE}`;
}

/** Length of the text before it was cut: characters that are there plus bytes that were left out. */
export function fullLength(text: string): number {
  const mark = markIn(text);
  return mark ? text.length - mark[0].length + Number(mark[1]) : text.length;
}

/** Characters of the whole result of a call, where it was cut here; undefined where it was not. */
export function sizeOfCut(output: string): number | undefined {
  return output.length > 1000 && isCut(output) ? fullLength(output) : undefined;
}

export function isCut(text: string): boolean {
  return markIn(text) !== null;
}

/** The text as a person reads it: the mark becomes `… 123456 characters left out …`. */
export function readable(text: string): string {
  return text.replace(MARK, (_, omitted: string) => `\n… ${omitted} characters left out …\n`);
}

function markIn(text: string): RegExpExecArray | null {
  // Most texts are short: no search for them.
  if (text.length < SHORTEST_CUT || !text.includes(OPEN)) return null;
  return MARK.exec(text);
}
