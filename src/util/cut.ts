/**
 * Long strings of big transcript lines are cut down before they are parsed: head and tail stay, the middle is replaced by its length
 * and a digest, so that equal strings stay equal and different ones different (notes: identity under shrink).
 *
 * Private-use characters frame the mark; they do not occur in transcripts but for this purpose.
 */
const OPEN = '\u{F8F0}';
const CLOSE = '\u{F8F1}';
const MARK = new RegExp(`${OPEN}(\\d+):([0-9a-f]{1,32})${CLOSE}`, 'u');

/** The mark that stands for `omitted` bytes (UTF-8) with this digest. */
export function cutMark(omitted: number, digest: string): string {
  return `${OPEN}${omitted}:${digest}${CLOSE}`;
}

/** Length of the text before it was cut: characters that are there plus bytes that were left out. */
export function fullLength(text: string): number {
  const mark = MARK.exec(text);
  return mark ? text.length - mark[0].length + Number(mark[1]) : text.length;
}

export function isCut(text: string): boolean {
  return text.includes(OPEN) && MARK.test(text);
}

/** The text as a person reads it: the mark becomes `… 123456 characters left out …`. */
export function readable(text: string): string {
  return text.replace(MARK, (_, omitted: string) => `\n… ${omitted} characters left out …\n`);
}
