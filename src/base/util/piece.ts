import { REDACTED, findSecrets } from './redact';
import { breakAt } from '../secrets/line-break';
import { isOther } from '../secrets/wrapped';

/** Number of characters on both sides of a cut that show whether a secret crosses it. */
const AROUND = 320;
/** Shortest run of letters and digits that may be part of a secret. */
const SHORTEST_RUN = 8;
const LONGEST_RUN = 64;
/** Text before the first colon of a timestamp in a log. */
const DAY = /^(?:19|20)\d\d-[01]\d-[0-3]\dT[0-2]\d$/;
/** Text before the quote of a phrase that ends in a later line. */
const PHRASE = /(?:mnemonic|phrase|password|passwd|secret)["']?\s{0,2}[=:]\s{0,2}\\?$/i;

/**
 * Cuts a piece from a text whose rest is discarded. A secret that crosses one of its ends becomes `[redacted]`: half a secret looks harmless and
 * could not be recognised later.
 *
 * Secrets wholly inside are kept, as the text is redacted before it is passed on. The surroundings are inspected only where an end may be within a
 * secret, so that nearly all pieces cost no more than a slice.
 *
 * @param start first character, 0 to `end`
 * @param end after the last character, up to the length of the text
 */
export function pieceOf(text: string, start: number, end: number): string {
  const head = mayBreak(text, start) ? secretAcross(text, start) : undefined;
  const tail = mayBreak(text, end) ? secretAcross(text, end) : undefined;
  const from = Math.min(end, head?.end ?? start);
  const to = Math.max(from, tail?.start ?? end);
  return (head ? REDACTED : '') + text.slice(from, to) + (tail ? REDACTED : '');
}

/** Does the same for a piece whose lines are later joined or separated: secrets across a line end within it are redacted, too. */
export function piecesOf(text: string, start: number, end: number): string {
  let result = '';
  let position = start;
  for (
    let at = text.indexOf('\n', start);
    at >= 0 && at < end - 1;
    at = text.indexOf('\n', Math.max(at + 1, position))
  ) {
    const secret = at > position && breaksAt(text, at) ? secretAcross(text, at) : undefined;
    if (!secret || secret.end <= position) continue;
    result += text.slice(position, Math.max(position, secret.start)) + REDACTED;
    position = Math.min(end, secret.end);
  }
  return result + pieceOf(text, position, end);
}

function secretAcross(text: string, at: number): { start: number; end: number } | undefined {
  const from = Math.max(0, at - AROUND);
  const range = findSecrets(text.slice(from, at + AROUND)).find(([start, end]) => start + from < at && end + from > at);
  return range && { start: range[0] + from, end: range[1] + from };
}

/** Returns whether a secret may extend across this place; never at the beginning or end of a text. */
export function mayBreak(text: string, at: number): boolean {
  if (at <= 0 || at >= text.length) return false;
  if (isLineEnd(text, at)) return breaksAt(text, at);
  if (isLineEnd(text, at - 1)) return breaksAt(text, at - 1);
  let start = at;
  while (start > 0 && at - start < LONGEST_RUN && isOfRun(text.charCodeAt(start - 1))) start--;
  let end = at;
  while (end < text.length && end - at < LONGEST_RUN && isOfRun(text.charCodeAt(end))) end++;
  if (start === at || end === at || end - start < SHORTEST_RUN) return false;
  const run = text.slice(start, end);
  return /\d/.test(run) && /[A-Za-z]/.test(run) && !DAY.test(run);
}

/** True for letters, digits and the signs of base64. */
function isOfRun(code: number): boolean {
  const letter = code | 0x20;
  return (letter >= 97 && letter <= 122) || (code >= 47 && code <= 57) || code === 43 || code === 45 || code === 95;
}

const LINE_FEED = 10;
const RETURN = 13;

function isLineEnd(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code === LINE_FEED || (code === RETURN && text.charCodeAt(at + 1) === LINE_FEED);
}

function breaksAt(text: string, at: number): boolean {
  const feed = text.charCodeAt(at) === RETURN ? at + 1 : at;
  const line = at === 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1;
  const from = Math.max(line, at - AROUND);
  const one = breakAt(text, from, at, feed + 1);
  // Logs are full of lines that begin with a time or a place in a file.
  return (one !== undefined && !isOther(text.slice(one.right, one.end))) || isPhrase(text.slice(from, at));
}

/** Returns whether a line ends within a quoted phrase, whose words do not look like a secret. */
function isPhrase(line: string): boolean {
  const quote = Math.max(line.lastIndexOf('"'), line.lastIndexOf("'"));
  return quote > 0 && PHRASE.test(line.slice(Math.max(0, quote - 24), quote));
}
