import { codes } from '../../base/util/codes';
import { UUID, isDigit, isNameCharacter, sticky } from './characters';
import { isId } from './volatile-number';

/** Parent of macOS's temporary folders. */
const FOLDERS = '/var/folders/';

/** Finds a whole volatile word with digits in the loaded text (util/codes.ts): hexadecimal addresses, digests, ids of requests and calls. */
export function volatileWord(text: string, at: number, end: number): number {
  const length = end - at;
  if (length === 8 && codes[end] === 0x2d) {
    const uuid = sticky(UUID, text, at);
    if (uuid !== -1) return uuid;
  }
  if (length < 6) return isId(text, at) ? end : -1;
  if (codes[at] === 0x30 && ((codes[at + 1] as number) | 0x20) === 0x78) {
    return length >= 8 && isHex(at + 2, end) ? end : -1;
  }
  if (length >= 7 && hasLetterAndDigit(at, end) && isHex(at, end)) return end;
  if (length >= 12 && switches(at, end) >= (length >= 20 ? 5 : 7)) return end;
  return switches(at, end) >= 1 && isId(text, at) ? end : -1;
}

/**
 * Returns the random part of a folder or file below a temporary folder, as [start, end), or null. `slash` is the position where `/tmp/` begins.
 *
 * Known forms: `tmpab12cd34` (Python), `tmp.AbCdEf1234` (mktemp), `build-AbC123` (Node), `pytest-12`, `/var/folders/xy/…`.
 */
export function temporaryPart(text: string, slash: number): readonly [number, number] | null {
  if (text.startsWith(FOLDERS, slash)) {
    const start = slash + FOLDERS.length;
    const two = /^[^/\s]+\/[^/\s]+/.exec(text.slice(start, start + 80));
    return two ? [start, start + two[0].length] : null;
  }
  const head = text.startsWith('tmp', slash + 1)
    ? 4
    : text.startsWith('Temp', slash + 1)
      ? 5
      : text[slash + 1] === 'T'
        ? 2
        : 0;
  if (head === 0 || text[slash + head] !== text[slash]) return null;
  const start = slash + head + 1;
  let end = start;
  while (isNameCharacter(text.charCodeAt(end))) end++;
  const name = text.slice(start, end);
  if (name.startsWith('pytest-of-')) {
    const run = /^\/pytest-(\d+)/.exec(text.slice(end, end + 20));
    return run?.[1] ? [end + run[0].length - run[1].length, end + run[0].length] : null;
  }
  const python = /^te?mp[a-z0-9_]{8}(?=\.|$)/.exec(name);
  if (python) return [start, start + python[0].length];
  if (/^tmp\.[A-Za-z0-9]{6,}$/.test(name)) return [start, end];
  const suffix = /[-_.]([A-Za-z0-9]{6,})$/.exec(name)?.[1];
  if (suffix !== undefined && looksRandom(suffix)) return [end - suffix.length, end];
  const counted = /^[A-Za-z][\w-]*-(\d+)$/.exec(name)?.[1];
  return counted === undefined ? null : [end - counted.length, end];
}

/** Counts the changes between letters and digits and from lower to upper case: ids have many, names few. */
function switches(at: number, end: number): number {
  let count = 0;
  let last = 0;
  for (let i = at; i < end; i++) {
    const code = codes[i] as number;
    const kind = isDigit(code) ? 1 : code >= 0x61 ? 2 : code === 0x5f ? 0 : 3;
    if (kind !== 0 && last !== 0 && kind !== last && !(last === 3 && kind === 2)) count++;
    if (kind !== 0) last = kind;
  }
  return count;
}

function looksRandom(name: string): boolean {
  if (/\d/.test(name)) return /[A-Za-z]/.test(name);
  return /[a-z][A-Z]/.test(name) && /^[^A-Z]*[A-Z][^a-z]*[a-z][^A-Z]*[A-Z]/.test(name);
}

function hasLetterAndDigit(at: number, end: number): boolean {
  let letter = false;
  let digit = false;
  for (let i = at; i < end && !(letter && digit); i++) {
    if (isDigit(codes[i] as number)) digit = true;
    else letter = true;
  }
  return letter && digit;
}

function isHex(at: number, end: number): boolean {
  let upper = false;
  let lower = false;
  for (let i = at; i < end; i++) {
    const code = codes[i] as number;
    if (isDigit(code)) continue;
    if (code >= 0x61 && code <= 0x66) lower = true;
    else if (code >= 0x41 && code <= 0x46) upper = true;
    else return false;
  }
  return !(upper && lower);
}
