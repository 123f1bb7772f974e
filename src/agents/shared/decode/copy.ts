import { signsInLine } from '../../../util/showable';

/**
 * A copy of a string that does not keep the string alive that it was cut from.
 *
 * A substring of 13 or more characters is a view in V8: keeping 200 characters of a 10 MB output keeps the 10 MB. Joining and
 * cutting again makes the engine write the characters out anew.
 */
export function copyOf(text: string): string {
  return text.length < 13 ? text : ` ${text}`.slice(1);
}

/** The first `length` characters, copied, never ending in half a character. */
export function headOf(text: string, length: number): string {
  if (text.length <= length) return text;
  const last = text.charCodeAt(length - 1);
  return copyOf(text.slice(0, last >= 0xd800 && last <= 0xdbff ? length - 1 : length));
}

/** One line of at most `length` characters for a person: white space becomes one blank, hidden characters become signs (`␛`). */
export function oneLine(text: string, length = 200): string {
  // What is beyond four times the length cannot be shown; trimming a long text first would cost its whole length.
  const start = text.length > length * 4 ? text.slice(0, length * 4) : text;
  const line = signsInLine(start.replace(/[^\S\ufeff]+/g, ' ').trim());
  if (line.length <= length && start.length === text.length) return copyOf(line);
  if (line.length < length) return copyOf(`${line}…`);
  return copyOf(`${headOf(line, length - 1).trimEnd()}…`);
}
