import { codes, load } from '../../util/codes';

/** File names in a text: at most so many are taken. */
const MOST = 64;
/** Characters that are looked at. */
const LOOKED_AT = 4096;
/** Characters of an extension at most. */
const EXTENSION = 8;

/** What a character can be in a name, as bits. */
const WORD = 1;
const LETTER = 2;
/** Stands in a part of a path. */
const PART = 4;
/** Stands in the first part: `~` too. */
const FIRST = 8;
const DOT = 0x2e;
const SLASH = 0x2f;

const BITS = new Uint8Array(128);
for (let code = 0; code < 128; code++) {
  const character = String.fromCharCode(code);
  if (/[A-Za-z]/.test(character)) BITS[code] = LETTER;
  if (/\w/.test(character)) BITS[code] = (BITS[code] ?? 0) | WORD;
  if (/[\w.@+-]/.test(character)) BITS[code] = (BITS[code] ?? 0) | PART;
  if (/[\w.@~+-]/.test(character)) BITS[code] = (BITS[code] ?? 0) | FIRST;
}

/**
 * Calls `found` with the last part of each path that a text names, in its first 4,096 characters: words with a slash in them, and
 * words with an extension of 1 to 8 characters that begins with a letter.
 *
 * By hand what `[\w.@~+-]*(?:\/[\w.@+-]+)+|[\w@+-][\w.@+-]*\.[A-Za-z]\w{0,7}\b` finds, at a third of its cost.
 */
export function namesInText(text: string, found: (name: string) => void): void {
  const head = text.length > LOOKED_AT ? text.slice(0, LOOKED_AT) : text;
  const length = load(head);
  // told of at the end: who takes a name may load another text
  const names: string[] = [];
  let at = 0;
  while (at < length && names.length < MOST) {
    let end = at;
    let dotted = false;
    for (; is(end, FIRST); end++) dotted ||= codes[end] === DOT;
    // most words
    if (!dotted && codes[end] !== SLASH) {
      at = end + 1;
      continue;
    }
    let start = end;
    let next = end + 1;
    if (codes[end] === SLASH && is(end + 1, PART)) {
      while (codes[end] === SLASH && is(end + 1, PART)) {
        start = ++end;
        while (is(end, PART)) end++;
      }
      next = end;
    } else if (end > at) {
      start = at;
      while (codes[start] === DOT || !is(start, PART)) {
        if (++start >= end) break;
      }
      const stop = start < end ? extensionEnd(start, end) : -1;
      if (stop > 0) next = end = stop;
      else {
        // behind a `~` another word begins
        while (start < end && is(start, PART)) start++;
        if (start < end) next = start + 1;
        start = end;
      }
    }
    if (end > start) names.push(head.slice(start, end));
    at = next;
  }
  for (const name of names) found(name);
}

/** Where the last extension of the word that begins at `start` ends, -1 where it has none. */
function extensionEnd(start: number, limit: number): number {
  let found = -1;
  let at = start + 1;
  while (at < limit && is(at, PART)) {
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

function is(at: number, bit: number): boolean {
  const code = codes[at] as number;
  return code < 128 && ((BITS[code] as number) & bit) !== 0;
}

/** The last part of a path. */
export function nameOf(path: string): string {
  const at = Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\'));
  return path.slice(at + 1);
}
