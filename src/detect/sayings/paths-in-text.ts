import { codes, load } from '../../base/util/codes';
import { hashOf, hashOfLoaded } from '../../base/util/hash';

/** Limit of the file names taken from one text. */
const MOST = 64;
/** Number of characters that are inspected. */
const LOOKED_AT = 4096;
/** Longest extension, in characters. */
const EXTENSION = 8;
/** Number of characters of a name that count. */
const LONGEST = 128;

/** Roles of a character in a name, as bits. */
const WORD = 1;
const LETTER = 2;
/** Occurs in a part of a path. */
const PART = 4;
/** Occurs in the first part, which includes `~`. */
const FIRST = 8;
/** Signs of which every name contains at least one; most words contain none. */
const SIGN = 16;
const DOT = 0x2e;
const SLASH = 0x2f;

/** Bits by code unit; 64 KB, so that a look-up needs no bounds check. */
const BITS = new Uint8Array(65_536);
const setBits = (characters: string, bits: number): void => {
  for (const character of characters) (BITS[character.charCodeAt(0)] as number) |= bits;
};
setBits('abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ', LETTER | WORD | PART | FIRST);
setBits('0123456789_', WORD | PART | FIRST);
setBits('.@+-', PART | FIRST);
setBits('~', FIRST);
setBits('./', SIGN);

/** Start and end of the names in the current text, with their hashes. */
const places = new Int32Array(MOST * 2);
const hashes = new Float64Array(MOST);

/**
 * Calls `found` with the hash of the last part of each path in a text (`hashOfName`), and its range. In the first 4,096 characters it finds words
 * with a slash in them, and words with an extension of 1 to 8 characters that begins with a letter.
 *
 * Finds the same as `[\w.@~+-]*(?:\/[\w.@+-]+)+|[\w@+-][\w.@+-]*\.[A-Za-z]\w{0,7}\b` at a fifth of the cost.
 */
export function namesInText(text: string, found: (hash: number, start: number, end: number) => void): void {
  // Collected before any is reported, because a receiver may load its own text.
  const names = placesIn(load(text.length > LOOKED_AT ? text.slice(0, LOOKED_AT) : text));
  for (let name = 0; name < names; name++) {
    const start = places[name * 2] as number;
    const end = places[name * 2 + 1] as number;
    found(hashes[name] as number, start, end);
  }
}

/** Returns a name as a number: of a longer one only the last 128 characters count. */
export function hashOfName(name: string): number {
  return hashOf(name.length > LONGEST ? name.slice(-LONGEST) : name);
}

/** Stores the hashes and places of the names in the loaded text, and returns their number. */
function placesIn(length: number): number {
  let names = 0;
  let at = 0;
  // end of the current word
  let run = 0;
  while (names < MOST) {
    let sign = at;
    while (sign < length && !is(sign, SIGN)) sign++;
    if (sign >= length) break;
    let first = at;
    let end = run;
    // Not if it is within the current word, which would be scanned again for each of its parts.
    if (at >= run || sign > run) {
      first = end = sign;
      while (first > at && is(first - 1, FIRST)) first--;
      while (is(end, FIRST)) end++;
      run = end;
    }
    let start = end;
    at = end + 1;
    if (codes[end] === SLASH && is(end + 1, PART)) {
      while (codes[end] === SLASH && is(end + 1, PART)) {
        start = ++end;
        while (is(end, PART)) end++;
      }
      at = end;
    } else if (end > first) {
      start = first;
      while (start < end && (codes[start] === DOT || !is(start, PART))) start++;
      const stop = start < end ? extensionEnd(start, end) : -1;
      if (stop > 0) at = end = stop;
      else {
        // after a `~` another word begins
        while (start < end && is(start, PART)) start++;
        if (start < end) at = start + 1;
        start = end;
      }
    }
    if (end > start) {
      places[names * 2] = start;
      places[names * 2 + 1] = end;
      hashes[names++] = hashOfLoaded(Math.max(start, end - LONGEST), end);
    }
  }
  return names;
}

/** Returns the end of the last extension of the word that begins at `start`; -1 where it has none. */
function extensionEnd(start: number, stop: number): number {
  let found = -1;
  let at = start + 1;
  while (at < stop && is(at, PART)) {
    if (codes[at] !== DOT || !is(at + 1, LETTER)) {
      at++;
      continue;
    }
    let end = at + 1;
    while (is(end, WORD)) end++;
    if (end - at - 1 <= EXTENSION) found = end;
    at = end;
  }
  return found;
}

/** Returns whether a character has this role; after the end of the text none has. */
function is(at: number, bit: number): boolean {
  return ((BITS[codes[at] as number] as number) & bit) !== 0;
}

/** Returns the last part of a path. */
export function nameOf(path: string): string {
  const at = Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\'));
  return path.slice(at + 1);
}
