/**
 * Text operations in linear time, for cases in which the obvious regular expression backtracks: `/x+$/` and `/<tag>[\s\S]*?<\/tag>/g` are quadratic.
 */

/** Returns the text without characters of `ending` at its end. */
export function withoutEnd(text: string, ending: string): string {
  let end = text.length;
  while (end > 0 && ending.includes(text.charAt(end - 1))) end--;
  return end === text.length ? text : text.slice(0, end);
}

export interface CutOptions {
  /** Largest number of line breaks directly before a tag that are removed with it. */
  readonly linesBefore?: number;
  /** True if whitespace after a closing tag is removed with it. */
  readonly blanksAfter?: boolean;
}

/** Returns the text without the passages between two tags, and the content of each. A tag that is never closed stays. */
export function cutTags(
  text: string,
  open: string,
  close: string,
  { linesBefore = 0, blanksAfter = false }: CutOptions = {},
): { readonly rest: string; readonly inside: readonly string[] } {
  const inside: string[] = [];
  let rest = '';
  let done = 0;
  for (;;) {
    const start = text.indexOf(open, done);
    const end = start < 0 ? -1 : text.indexOf(close, start + open.length);
    if (end < 0) return { rest: done === 0 ? text : rest + text.slice(done), inside };
    inside.push(text.slice(start + open.length, end));
    let before = start;
    while (before > done && start - before < linesBefore && text.charAt(before - 1) === '\n') before--;
    rest += text.slice(done, before);
    done = end + close.length;
    if (blanksAfter) while (done < text.length && text.charAt(done).trim() === '') done++;
  }
}
