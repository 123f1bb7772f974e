import { codes } from '../../base/util/codes';
import { UUID, isDigit, isLetter, isNameCharacter, isPoint, isWord, sticky } from './characters';

/** Units of a duration, as they follow a number directly or after one space. */
const UNITS = new Set([
  'ms',
  's',
  'sec',
  'secs',
  'second',
  'seconds',
  'us',
  'ns',
  'msec',
  'min',
  'mins',
  'minute',
  'minutes',
  'h',
  'hr',
  'hrs',
  'hour',
  'hours',
  'millisecond',
  'milliseconds',
  'microseconds',
]);
/** Length of `milliseconds`; no unit of speed is longer. */
const LONGEST_UNIT = 12;

/** Names for the number after them: processes, shells. Any such number counts. */
const PROCESS_KEYS = new Set(['pid', 'pids', 'ppid', 'pgid', 'tid', 'shellid', 'process', 'port_pid', 'thread']);
/** Names for a duration, for a random seed, or for a counter of executions and requests. */
const VOLATILE_KEY =
  /^(?:duration\w*|elapsed\w*|took|seed|execution_count|execution|request|request_count|requestnumber|\w+_(?:ms|seconds|secs|seed)|\w+(?:millis|seconds))$/;
/** Longest name of a value, in characters. */
const LONGEST_KEY = 24;
/** Names for a place in a source file, which is volatile in errors: an edit above moves it. */
const PLACE_KEYS = new Set(['line', 'lines', 'col', 'column', 'ln', 'offset', 'position', 'char', 'character']);

/** Hours, minutes, seconds and milliseconds: a longer row is not a duration, and each part of it would be read to the end of the row. */
const PIECES = 4;

const CLOCK = /\d{1,2}:[0-5]\d:[0-5]\d(?:[.,]\d{1,9})?(?: ?[AaPp][Mm]\b)?(?:Z|[+-]\d\d:?\d\d)?/y;
const SHORT_CLOCK = /(?:[01]\d|2[0-3]):[0-5]\d(?: ?[AaPp][Mm]\b)?(?![\w:])/y;
const DATE =
  /(?:19|20)\d\d[-/](?:0[1-9]|1[0-2])[-/](?:0[1-9]|[12]\d|3[01])(?:[T _-]\d\d[:-]?\d\d(?:[:-]?\d\d(?:[.,]\d{1,9})?)?(?: ?(?:Z|UTC|GMT|[+-]\d\d:?\d\d))?)?(?!\d)/y;
const COMPACT_DATE =
  /20\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])[T_-][0-2]\d[0-5]\d(?:[0-5]\d)?(?:Z|[._]\d{1,6})?(?!\d)/y;
const DAY = '(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)(?:[a-z]{3,6})?';
const MONTH = '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]{0,6}';
const TIME = String.raw`[0-2]?\d:[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?(?: ?[AP]M)?(?: (?:[A-Z]{3,4}|[+-]\d{4}))?`;
/** `Sat Nov 22 13:26:24 UTC 2026`, `Sat, 22 Nov 2026 13:26:24 GMT`, and the `Nov 22 13:26` of a listing. */
const WRITTEN_DATE = new RegExp(
  `(?:${DAY},? (?:\\d{1,2} ${MONTH} \\d{4}|${MONTH} {1,2}\\d{1,2})|${MONTH} {1,2}\\d{1,2}(?=,? (?:${TIME}|\\d{4})))(?:,? ${TIME})?(?:,? \\d{4})?(?!\\w)`,
  'y',
);
const RATE = / ?(?:[kKMGT]i?)?(?:[Bb](?:ytes|its)?\/s|[Bb]ps|it\/s|items\/s|ops\/s|req\/s|s\/it)\b/y;

/** Returns the end of a date that begins with the name of a day or month, or -1. The text is loaded. */
export function volatileDate(text: string, at: number): number {
  switch (codeAt(at)) {
    case 0x4d: // M
    case 0x54: // T
    case 0x57: // W
    case 0x46: // F
    case 0x53: // S
    case 0x4a: // J
    case 0x41: // A
    case 0x4f: // O
    case 0x4e: // N
    case 0x44: // D
      return sticky(WRITTEN_DATE, text, at);
    default:
      return -1;
  }
}

/** Returns a code unit of the loaded text; 0 before its beginning. Up to two places after its end may be read (codes.ts). */
function codeAt(at: number): number {
  return at < 0 ? 0 : (codes[at] as number);
}

/** Returns the end of the digits that begin at `at`. */
function digitsFrom(at: number): number {
  let end = at;
  while (isDigit(codeAt(end))) end++;
  return end;
}

/**
 * Finds a volatile number at the start of a word in the loaded text: `at` is its first digit. `masked`: the text right before it was volatile, as in
 * `:12:5`.
 */
export function volatileNumber(text: string, at: number, failed: boolean, masked: boolean): number {
  const end = digitsFrom(at);
  const digits = end - at;
  const next = codeAt(end);
  if (next === 0x3a && digits <= 6) {
    const clock = sticky(CLOCK, text, at);
    if (clock !== -1) return clock;
    // `12:5 error`, but not the address `127.0.0.1:8080`
    if (failed && isDigit(codeAt(end + 1)) && codeAt(at - 1) !== 0x2e && !isPathEnd(text, at)) {
      return digitsFrom(end + 1);
    }
    if (codeAt(at - 1) !== 0x3a) {
      const short = sticky(SHORT_CLOCK, text, at);
      if (short !== -1) return short;
    }
  }
  // Tests the next character before the patterns: for most numbers that is enough.
  if (digits === 4 && (next === 0x2d || next === 0x2f)) {
    const date = sticky(DATE, text, at);
    if (date !== -1) return date;
  }
  if (digits === 8) {
    const date = sticky(COMPACT_DATE, text, at);
    if (date !== -1) return date;
    const uuid = next === 0x2d ? sticky(UUID, text, at) : -1;
    if (uuid !== -1) return uuid;
  }
  if ((digits === 10 || digits === 13) && isEpoch(at) && !isLetter(next)) {
    return next === 0x2e ? digitsFrom(end + 1) : end;
  }
  const duration = durationEnd(text, at, end);
  if (duration !== -1) return duration;
  if (isWord(next)) return -1;
  if (!isNamedPlace(text, at, end, digits, failed, masked)) return -1;
  return next === 0x2e && isDigit(codeAt(end + 1)) ? digitsFrom(end + 1) : end;
}

/** Returns the end of a number with a unit of time or speed, including the pieces after it (`1m 23.4s`), up to `pieces` in total. */
function durationEnd(text: string, at: number, digitsEnd: number, pieces = PIECES): number {
  let end = digitsEnd;
  if (isPoint(codeAt(end)) && isDigit(codeAt(end + 1))) {
    end = digitsFrom(end + 1);
    // 1.2.3 is a version
    if (isPoint(codeAt(end)) && isDigit(codeAt(end + 1))) return -1;
  }
  // the tail of a version or a path is not a duration: v1.2 s
  if (codeAt(at - 1) === 0x2e && isDigit(codeAt(at - 2))) return -1;
  const spaced = codeAt(end) === 0x20 ? 1 : 0;
  if (!mayBeUnit(codeAt(end + spaced))) return -1;
  let unit = end + spaced;
  let upper = false;
  for (let code = codeAt(unit); isLetter(code); code = codeAt(++unit)) upper ||= code < 0x61;
  const micro = codeAt(end + spaced);
  if ((micro === 0xb5 || micro === 0x3bc) && codeAt(end + spaced + 1) === 0x73) return end + spaced + 2;
  if (unit - end - spaced > LONGEST_UNIT) return -1;
  const name = inLowerCase(text.slice(end + spaced, unit), upper);
  if (name === 'm' && spaced === 0) return furtherEnd(text, unit, pieces - 1);
  if (UNITS.has(name) && !isWord(codeAt(unit))) {
    const further = /^[hm]/.test(name) ? furtherEnd(text, unit, pieces - 1) : -1;
    return further === -1 ? unit : further;
  }
  return codeAt(unit) === 0x2f || name.endsWith('bps') ? sticky(RATE, text, end) : -1;
}

/** Returns the end of the further pieces of a duration, or -1. */
function furtherEnd(text: string, unitEnd: number, pieces: number): number {
  const at = codeAt(unitEnd) === 0x20 ? unitEnd + 1 : unitEnd;
  return pieces > 0 && isDigit(codeAt(at)) ? durationEnd(text, at, digitsFrom(at), pieces) : -1;
}

/** Returns whether this is the first letter of a unit of time, size or speed. Rejects nearly every word at little cost. */
function mayBeUnit(code: number): boolean {
  switch (code | 0x20) {
    case 0x6d: // m
    case 0x73: // s
    case 0x68: // h
    case 0x75: // u
    case 0x6e: // n
    case 0x6b: // k
    case 0x67: // g
    case 0x74: // t
    case 0x62: // b
    case 0x69: // i
    case 0x6f: // o
    case 0x72: // r
      return true;
    default:
      return code === 0xb5 || code === 0x3bc;
  }
}

/** True for a number whose surroundings show that it is a process, a port that the system chose, or a place in a file. */
function isNamedPlace(
  text: string,
  at: number,
  end: number,
  digits: number,
  failed: boolean,
  masked: boolean,
): boolean {
  const before = codeAt(at - 1);
  if (failed && masked && (before === 0x3a || before === 0x2c)) return true;
  if (failed && digits <= 6) {
    // calc.py:12 and calc.ts(12,5), but not a port
    if (isPathEnd(text, at)) return true;
    if (before === 0x28 && isWord(codeAt(at - 2)) && /^,\d+\)/.test(text.slice(end, end + 8))) return true;
  }
  if (before === 0x3a && isChosenPort(text, at, end)) return true;
  const key = keyBefore(text, at);
  if (key === '') return false;
  // process 4711, but process 2 of 5
  return (
    (PROCESS_KEYS.has(key) && (digits > 2 || key.endsWith('id'))) ||
    (failed && PLACE_KEYS.has(key)) ||
    VOLATILE_KEY.test(key) ||
    isIdKey(at, key)
  );
}

/** Returns the end of the name of the value at `at`. */
function keyEnd(at: number): number {
  let end = at;
  for (let skipped = 0; skipped < 4; skipped++) {
    const code = codeAt(end - 1);
    if (code !== 0x20 && code !== 0x3a && code !== 0x3d && code !== 0x23 && code !== 0x22 && code !== 0x27) break;
    end--;
  }
  return end;
}

/** Returns the word that names the value at `at`: letters before it, past a space, colon, equals sign, hash or quote. In lower case. */
function keyBefore(text: string, at: number): string {
  const end = keyEnd(at);
  if (!mayEndKey(codeAt(end - 1))) return '';
  let start = end;
  let upper = false;
  for (; end - start < LONGEST_KEY; start--) {
    const code = codeAt(start - 1);
    if (!isLetter(code) && code !== 0x5f) break;
    upper ||= code < 0x5b;
  }
  return inLowerCase(text.slice(start, end), upper);
}

/**
 * @param upper whether the word contains an ASCII letter in upper case. Nearly no word does, and a call of ICU costs more than everything else here.
 */
function inLowerCase(word: string, upper: boolean): string {
  return upper ? word.toLowerCase() : word;
}

/** Returns whether the name before `at` names an id: `id`, `task_id`, `taskId`, `ID`. Words such as `valid` do not. */
export function isId(text: string, at: number): boolean {
  const end = keyEnd(at);
  const mayBe = (codeAt(end - 1) | 0x20) === 0x64 && (codeAt(end - 2) | 0x20) === 0x69;
  return mayBe && isIdKey(at, keyBefore(text, at));
}

function isIdKey(at: number, key: string): boolean {
  if (!key.endsWith('id')) return false;
  if (key === 'id' || key.endsWith('_id')) return true;
  return codeAt(lastLetter(at) - 1) === 0x49;
}

/** Returns the position of the last letter before `at`. */
function lastLetter(at: number): number {
  let end = at - 1;
  while (!isLetter(codeAt(end))) end--;
  return end;
}

/** Returns whether this is the last letter of a name in PROCESS_KEYS or PLACE_KEYS, or of `id`. */
function mayEndKey(code: number): boolean {
  switch (code | 0x20) {
    case 0x64: // pid, id
    case 0x73: // pids, process, lines
    case 0x65: // line
    case 0x6c: // col
    case 0x6e: // column, ln
    case 0x6b: // took
    case 0x74: // offset
    case 0x72: // char, character
      return true;
    default:
      return false;
  }
}

/** Returns whether a file's name, or a placeholder for one, ends right before the colon at `at - 1`. */
function isPathEnd(text: string, at: number): boolean {
  if (codeAt(at - 1) !== 0x3a) return false;
  const code = codeAt(at - 2);
  if (!isLetter(code) && !isDigit(code) && code !== 0x29 && code !== 0x5d && code !== 0x3e) return false;
  let start = at - 2;
  while (isNameCharacter(codeAt(start - 1))) start--;
  const name = text.slice(start, at - 1);
  if (text[start - 1] === '/' || code === 0x29 || code === 0x5d || code === 0x3e) return true;
  return /\.[A-Za-z]\w*$|file$/.test(name);
}

function isChosenPort(text: string, at: number, end: number): boolean {
  if (end - at < 5) return false;
  const port = Number(text.slice(at, end));
  return port >= 32_768 && port <= 65_535 && /(?:localhost|\d|\]):$/.test(text.slice(Math.max(0, at - 10), at));
}

/** True for seconds or milliseconds since 1970 between 2014 and 2033. */
function isEpoch(at: number): boolean {
  return codeAt(at) === 0x31 && codeAt(at + 1) >= 0x34;
}
