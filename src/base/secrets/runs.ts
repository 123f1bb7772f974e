import { isToken } from './random';
import type { TextRange } from './rule';

/** A shorter run holds no secret together with the words that reveal it. */
const SHORTEST_RUN = 20;
const LONG_RUN = 64;
/** Number of base64 characters decoded at a time. A secret across a seam is found in the overlap. */
const CHUNK = 32_768;
const OVERLAP = 4_096;

/**
 * Finds runs of letters and digits that are tokens on their own, or base64 whose decoded text holds a secret. Each run is a secret as a whole.
 *
 * @param look finds secrets in a decoded text; without it nothing is decoded
 */
export function findInRuns(text: string, look?: (text: string) => readonly TextRange[]): readonly TextRange[] {
  const found: TextRange[] = [];
  // A run has at least this many characters, so it covers one of these places.
  for (let at = SHORTEST_RUN - 1; at < text.length; at += SHORTEST_RUN) {
    if (valueAt(text, at) < 0) continue;
    let start = at;
    while (start > 0 && valueAt(text, start - 1) >= 0) start--;
    let end = at + 1;
    while (end < text.length && valueAt(text, end) >= 0) end++;
    at = end;
    // The `n` of a written-out line feed is not part of the run.
    if (start > 0 && text.charCodeAt(start - 1) === 92) start++;
    if (end - start < SHORTEST_RUN) continue;
    if (isToken(text, start, end)) found.push([start, end]);
    if (!look) continue;
    const shifts = textStarts(text, start, end);
    if (shifts === 0) continue;
    const last = endOfLines(text, start, end);
    at = last;
    const holdsSecret = (one: number) =>
      decodedTexts(text, start, one, shifts).some((decoded) => look(decoded).length > 0);
    // The word in the next line may be there by chance, and would spoil the end.
    const whole = last > end && holdsSecret(last) ? last : holdsSecret(end) ? end : undefined;
    if (whole !== undefined) found.push([start, endOfPadding(text, whole)]);
  }
  return found;
}

const VALUES = new Int8Array(128).fill(-1);
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
for (let value = 0; value < LETTERS.length; value++) VALUES[LETTERS.charCodeAt(value)] = value;
// The variant for web addresses.
VALUES['-'.charCodeAt(0)] = 62;
VALUES['_'.charCodeAt(0)] = 63;

/** Returns the six bits of a character of base64; negative for other characters. */
function valueAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code < 128 ? (VALUES[code] as number) : -1;
}

const LINE_END = /(?:\r?\n|\\{1,4}r?\\{0,4}n)[ \t]{0,40}/y;
const SHORTEST_LINE = 40;

/** Returns the end of a run of base64 that is broken into lines of equal length, of which the last may be shorter. */
function endOfLines(text: string, start: number, end: number): number {
  if (end - start < SHORTEST_LINE) return end;
  let last = end;
  for (;;) {
    LINE_END.lastIndex = last;
    if (!LINE_END.test(text)) return last;
    const next = LINE_END.lastIndex;
    const limit = Math.min(text.length, next + (end - start));
    let stop = next;
    while (stop < limit && valueAt(text, stop) >= 0) stop++;
    if (stop === next || (stop < text.length && valueAt(text, stop) >= 0)) return last;
    last = stop;
    if (stop < next + (end - start)) return last;
  }
}

/** Decodes the run from each of its first four places that is set in `shifts`. */
function decodedTexts(text: string, start: number, end: number, shifts: number): readonly string[] {
  const texts: string[] = [];
  for (let shift = 0; shift < 4; shift++) {
    if (((shifts >> shift) & 1) === 0) continue;
    const letters = text.slice(start + shift, end).replace(/\\{1,4}[rn]|\s/g, '');
    for (let at = 0; ; at += CHUNK - OVERLAP) {
      const bytes = Buffer.from(letters.slice(at, at + CHUNK), 'base64').toString('latin1');
      // Two bytes per character, as PowerShell writes them.
      texts.push(bytes.replaceAll('\0', ''));
      if (at + CHUNK >= letters.length) break;
    }
  }
  return texts;
}

/** Number of bytes that decide whether a run is text. */
const SAMPLE = 24;
const MOST_OTHER = 3;

/**
 * Returns, as bits, at which of its first four places a run may begin that decodes to text; 0 for nearly all runs. If its beginning was cut off, any
 * of them may be right.
 */
function textStarts(text: string, start: number, end: number): number {
  // A prefix without a gap, such as a path, may not decode to text; in that case the middle of the run decides.
  const middle = end - start < LONG_RUN ? 0 : 4 * Math.floor((end - start) / 8);
  let starts = 0;
  for (let shift = 0; shift < 4; shift++) {
    if (isText(text, start + shift, end) || (middle > 0 && isText(text, start + shift + middle, end)))
      starts |= 1 << shift;
  }
  return starts;
}

/**
 * Returns whether the run may decode to ASCII: the first of every four characters is then in the first half of the alphabet. That excludes nearly all
 * other runs.
 */
function isAscii(text: string, from: number, end: number): boolean {
  let above = 0;
  for (let at = from; at < end; at += 4) if (valueAt(text, at) >= 32 && ++above > 1) return false;
  return true;
}

function isText(text: string, from: number, end: number): boolean {
  if (!isAscii(text, from, Math.min(end, from + 20))) return false;
  let bytes = 0;
  let other = 0;
  let held = 0;
  let bits = 0;
  for (let at = from; at < end && bytes < SAMPLE; at++) {
    held = ((held << 6) | valueAt(text, at)) & 0xfff;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    const byte = (held >> bits) & 0xff;
    bytes++;
    const isPrintable = (byte >= 32 && byte < 127) || byte === 10 || byte === 13 || byte === 9 || byte === 0;
    if (!isPrintable && ++other > MOST_OTHER) return false;
  }
  return bytes >= 8 && other * 8 <= bytes;
}

function endOfPadding(text: string, end: number): number {
  let last = end;
  while (last < end + 2 && text.charCodeAt(last) === 61) last++;
  return last;
}
