import { copied } from '../../agents/shared/decode/copy';

const ASKS = '?？؟';
const ENDS = `${ASKS}.!。！\n`;
/** Characters that may follow the last sentence: blanks, quotes, brackets and emphasis. */
const BEHIND = ' \t\n\r"\'”’»)]*_`~';
/** Characters that may precede it: quotes, bullets and emphasis. */
const BEFORE = ' \t>*_#"\'“«-';
const LONGEST = 400;

/** Returns the question with which a message ends; undefined if its last sentence is no question, or is longer than 400 characters. */
export function questionAtEnd(text: string): string | undefined {
  let end = text.length;
  while (end > 0 && BEHIND.includes(text.charAt(end - 1))) end--;
  if (end === 0 || !ASKS.includes(text.charAt(end - 1))) return undefined;
  let start = end - 1;
  while (start > 0 && !ENDS.includes(text.charAt(start - 1))) {
    if (end - start > LONGEST) return undefined;
    start--;
  }
  while (start < end - 1 && BEFORE.includes(text.charAt(start))) start++;
  return end - start > 1 ? copied(text.slice(start, end)) : undefined;
}
