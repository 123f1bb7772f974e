import {
  CLASSES,
  ESCAPE,
  LETTER,
  DIGIT,
  NEWLINE,
  RETURN,
  RULER,
  SLASH,
  SPACE,
  codes,
  load,
  pairs,
} from '../../base/util/codes';
import { isWord } from './characters';
import { volatileLine, volatilePath } from './volatile-line';
import { volatileDate, volatileNumber } from './volatile-number';
import { temporaryPart, volatileWord } from './volatile-word';

/** Longest text that may consist of times and ids only. Characters. */
const SHORT = 400;
const LONG_WORD = /[a-z]{10}/;
/** Number of code units that are read: of a longer text half of them at each end, together with its whole length. */
const LOOKED_AT = 65_536;

/** Code units for a masked piece, for a ruler, and for the cut between head and tail: they occur in no text. */
const MASKED = 0xfdd0;
const RULED = 0xfdd1;
const CUT = 0xfdd2;
/** First and last character of the mark of util/cut. */
const MARK_OPEN = 0xf8f0;
const MARK_CLOSE = 0xf8f1;

const MULTIPLIER = 0x0100_0193;
const SEED = { succeeded: 0x2468_ace0, failed: 0x1357_9bdf, raw: 0x1e2d_3c4b } as const;

/** True if the newest scan met a word, a number or a sign beyond ASCII that it did not mask. */
let unmasked = false;
/** True if the newest scan masked anything. */
let hasMasked = false;

/** Ranges that the scan skipped, or null. */
type Ranges = [number, number][] | null;

/**
 * Returns a number that is equal for results that say the same. Times, durations, process ids, addresses, digests, ids, temporary folders, spinners,
 * rulers and colours do not count, and neither do line numbers in results of failed calls.
 *
 * 32 bits, unsigned: outcomes are compared within one call only, where a collision has a chance of one in a billion. It takes one pass over the text.
 * Texts above 65,536 characters count by their first and last 32,768 and their length.
 */
export function maskedFingerprint(text: string, failed: boolean): number {
  const seed = failed ? SEED.failed : SEED.succeeded;
  if (text.length <= LOOKED_AT) return finished(scan(text, failed, seed, null));
  const head = scan(text.slice(0, LOOKED_AT / 2), failed, seed, null);
  const tail = scan(text.slice(-LOOKED_AT / 2), failed, added(head, CUT), null);
  return finished(added(added(tail, text.length & 0xffff), text.length >>> 16));
}

/**
 * Returns the character ranges [start, end) of a text that `maskedFingerprint` ignores, ascending and not overlapping. Reads at most 65,536
 * characters.
 */
export function ignoredRanges(text: string, failed: boolean): (readonly [number, number])[] {
  const ranges: [number, number][] = [];
  scan(text.length > LOOKED_AT ? text.slice(0, LOOKED_AT) : text, failed, 0, ranges);
  return mergedRanges(ranges);
}

/** Merges ranges, ascending by their start, so that none overlap. */
export function mergedRanges(ranges: readonly (readonly [number, number])[]): (readonly [number, number])[] {
  const merged: [number, number][] = [];
  for (const [start, end] of ranges) {
    const last = merged.at(-1);
    if (last && start <= last[1]) last[1] = Math.max(last[1], end);
    else merged.push([start, end]);
  }
  return merged;
}

/**
 * Returns whether this result consists of masked parts only (a clock, a duration, a new id) and therefore carries no information. An empty result, or
 * one of signs only (`[]`), does carry some: that there is nothing. So does any longer text.
 */
export function isAllMasked(text: string, failed: boolean): boolean {
  // No masked part has this many letters in a row.
  if (text.length > SHORT || LONG_WORD.test(text) || text.trim() === '') return false;
  scan(text, failed, 0, null);
  return hasMasked && !unmasked;
}

/** Returns a number for an unmasked text, 32 bits, unsigned: equal texts have equal numbers. Several times as fast as the masked one. */
export function rawFingerprint(text: string, failed: boolean): number {
  let hash = added(failed ? SEED.raw : ~SEED.raw, text.length);
  hash = addedWhole(hash, load(text));
  if (text.length > LOOKED_AT) hash = addedWhole(hash, load(text.slice(-LOOKED_AT / 2)));
  return finished(hash);
}

/** Adds the loaded text, four code units at a time in two independent lanes. */
function addedWhole(seed: number, length: number): number {
  let one = seed;
  let other = ~seed;
  const units = pairs;
  const end = (length + 1) >> 1;
  let i = 0;
  for (; i + 1 < end; i += 2) {
    one = Math.imul(one ^ (units[i] as number), 0x85eb_ca6b);
    one ^= one >>> 15;
    other = Math.imul(other ^ (units[i + 1] as number), 0xc2b2_ae35);
    other ^= other >>> 15;
  }
  if (i < end) one = Math.imul(one ^ (units[i] as number), 0x85eb_ca6b);
  return Math.imul(one ^ (one >>> 13), 0x9e37_79b1) ^ other;
}

function added(hash: number, code: number): number {
  return Math.imul(hash ^ code, MULTIPLIER);
}

function finished(hash: number): number {
  let h = hash;
  h = Math.imul(h ^ (h >>> 16), 0x85eb_ca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2_ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

function scan(text: string, failed: boolean, seed: number, ranges: Ranges): number {
  // `| 0` here and below: V8 then keeps positions and the hash as integers rather than as generic objects.
  const length = load(text) | 0;
  const units = codes;
  const classes = CLASSES;
  const start = seed | 0;
  let hash = start;
  let lineHash = start;
  let lineStart = true;
  let spaced = false;
  let maskedEnd = -1;
  let i = 0;
  unmasked = false;
  while (i < length) {
    const code = units[i] as number;
    const kind = classes[code] as number;
    if (kind === SPACE) {
      spaced = true;
      i++;
      continue;
    }
    if (kind === NEWLINE) {
      spaced = true;
      lineStart = true;
      i++;
      continue;
    }
    if (kind === RETURN) {
      const next = units[++i] as number;
      // A lone carriage return overwrites the line so far: a terminal shows what follows it.
      if (i < length && next !== 10 && next !== 13) {
        if (!lineStart) hash = lineHash;
        lineStart = true;
      }
      spaced = true;
      continue;
    }
    // Spaces and line breaks count as the same, and neither counts at the ends of the text.
    if (lineStart) lineHash = hash;
    if (spaced && hash !== start) hash = Math.imul(hash ^ 32, MULTIPLIER);
    spaced = false;
    if (lineStart) {
      lineStart = false;
      const end = volatileLine(text, i) | 0;
      if (end !== -1) {
        ranges?.push([i, end]);
        hash = Math.imul(hash ^ MASKED, MULTIPLIER);
        maskedEnd = i = end;
        continue;
      }
    }

    if (kind === LETTER) {
      const before = hash;
      let end = i;
      let digits = false;
      for (; ; end++) {
        const next = units[end] as number;
        const nextKind = classes[next] as number;
        if (nextKind !== LETTER) {
          if (nextKind !== DIGIT) break;
          digits = true;
        }
        hash = Math.imul(hash ^ next, MULTIPLIER);
      }
      const masked =
        digits || mayBeMasked(code, units[end] as number, units[end + 1] as number)
          ? maskedWord(text, i, end, digits) | 0
          : -1;
      if (masked !== -1) {
        ranges?.push([i, masked]);
        hash = Math.imul(before ^ MASKED, MULTIPLIER);
        maskedEnd = i = masked;
      } else {
        unmasked = true;
        i = end;
      }
    } else if (kind === DIGIT) {
      let end = i;
      let masked = volatileNumber(text, i, failed, maskedEnd === i - 1) | 0;
      if (masked === -1) {
        while (isWord(units[end] as number)) end++;
        masked = volatileWord(text, i, end) | 0;
      }
      if (masked !== -1) {
        ranges?.push([i, masked]);
        hash = Math.imul(hash ^ MASKED, MULTIPLIER);
        maskedEnd = i = masked;
      } else {
        unmasked = true;
        for (; i < end; i++) hash = Math.imul(hash ^ (units[i] as number), MULTIPLIER);
      }
    } else if (kind === RULER) {
      const from = i;
      while (units[i] === code) i++;
      if (i - from < 4) for (let k = from; k < i; k++) hash = Math.imul(hash ^ code, MULTIPLIER);
      else hash = Math.imul(Math.imul(hash ^ code, MULTIPLIER) ^ RULED, MULTIPLIER);
    } else if (kind === ESCAPE) {
      const end = escapeEnd(i, length) | 0;
      ranges?.push([i, end]);
      i = end;
    } else if (kind === SLASH) {
      const part = mayBeTemporary(units[i + 1] as number) ? temporaryPart(text, i) : null;
      const end = part ? part[0] | 0 : i + 1;
      for (; i < end; i++) hash = Math.imul(hash ^ (units[i] as number), MULTIPLIER);
      if (part) {
        ranges?.push([part[0], part[1]]);
        hash = Math.imul(hash ^ MASKED, MULTIPLIER);
        maskedEnd = i = part[1] | 0;
      }
    } else if (isDrawn(code)) {
      const from = i;
      while (isDrawn(units[i] as number)) i++;
      if (code >= 0x2800) {
        ranges?.push([from, i]);
        maskedEnd = i;
      } else hash = Math.imul(hash ^ RULED, MULTIPLIER);
    } else if (code === MARK_OPEN) {
      // the mark for the middle of a long text: its digest distinguishes texts, so its digits count
      for (; i < length && units[i] !== MARK_CLOSE; i++) hash = Math.imul(hash ^ (units[i] as number), MULTIPLIER);
      unmasked = true;
    } else {
      if (code > 0x7f) unmasked = true;
      hash = Math.imul(hash ^ code, MULTIPLIER);
      i++;
    }
  }
  hasMasked = maskedEnd !== -1;
  return hash;
}

/** Returns whether `maskedWord` could find anything in a word without digits, by its first letter and what follows it. Rejects nearly all words. */
function mayBeMasked(first: number, next: number, second: number): boolean {
  return next === 0x2d || ((next === 0x20 || next === 0x2c) && (first <= 0x5a || second === 0x74));
}

/**
 * Returns the end of a volatile word, or -1. A word without digits is volatile only as the first part of a UUID, of a written date, or of `saved to`
 * before a path.
 */
function maskedWord(text: string, at: number, end: number, digits: boolean): number {
  if (digits) return volatileWord(text, at, end);
  const next = codes[end] as number;
  if (end - at >= 3 && end - at <= 9 && (next === 0x20 || next === 0x2c)) {
    const date = volatileDate(text, at);
    if (date !== -1) return date;
  }
  if (next === 0x2d && end - at === 8) return volatileWord(text, at, end);
  return next === 0x20 && codes[end + 1] === 0x74 ? volatilePath(text, at) : -1;
}

function mayBeTemporary(code: number): boolean {
  return code === 0x74 || code === 0x54 || code === 0x76;
}

/** True for box drawing, blocks and Braille patterns: rulers, bars and spinners. */
function isDrawn(code: number): boolean {
  return code >= 0x2500 && code <= 0x28ff && (code <= 0x259f || code >= 0x2800);
}

/** Returns the end of an escape sequence: colours and cursor moves (CSI), titles (OSC), single controls. */
function escapeEnd(at: number, limit: number): number {
  if (codes[at] !== 0x1b) return at + 1;
  const next = codes[at + 1] as number;
  let end = at + 2;
  if (next === 0x5b) {
    while (end < limit && ((codes[end] as number) < 0x40 || (codes[end] as number) > 0x7e)) end++;
    return Math.min(end + 1, limit);
  }
  if (next === 0x5d) {
    while (end < limit && codes[end] !== 7 && codes[end] !== 0x1b) end++;
    return Math.min(codes[end] === 0x1b ? end + 2 : end + 1, limit);
  }
  return Math.min(end, limit);
}
