import { pieceOf, piecesOf } from '../../../base/util/piece';
import { signsInLine } from '../../../base/util/showable';
import { copied } from '../../../base/util/text';

export { copied };

/** Returns a copy of the first `length` characters, which never ends in half a character. */
export function headOf(text: string, length: number): string {
  if (text.length <= length) return text;
  const last = text.charCodeAt(length - 1);
  return copied(pieceOf(text, 0, last >= 0xd800 && last <= 0xdbff ? length - 1 : length));
}

/** Whitespace that is not yet as it will be shown. */
const SPACED = /[^\S\ufeff ]| {2}/;

/** Returns one line of at most `length` characters for a person: a run of whitespace becomes one space, hidden characters become symbols (`␛`). */
export function oneLine(text: string, length = 200): string {
  // Text beyond four times the length cannot be shown; trimming a long text first would take time proportional to its whole length.
  const start = piecesOf(text, 0, Math.min(text.length, length * 4));
  const line = signsInLine((SPACED.test(start) ? start.replace(/[^\S\ufeff]+/g, ' ') : start).trim());
  if (line.length <= length && text.length <= length * 4) return copied(line);
  if (line.length < length) return copied(`${line}…`);
  return copied(`${headOf(line, length - 1).trimEnd()}…`);
}
