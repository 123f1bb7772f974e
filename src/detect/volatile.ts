/**
 * Which pieces of a result say nothing about what came out: when it ran, how long it took, which process or folder it was.
 *
 * Each function is given a place in the text and answers where the volatile piece that begins there ends, or -1. Plain counts are
 * never volatile ("3 failing", "epoch 4/40", "total 8192"): they are progress. Source: notes on masks, taken together from the
 * detectors of OpenClaw, OpenHands and Hermes and from our own transcripts.
 */

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

/** Names of a number that follows: processes, shells. Any number counts. */
const PROCESS_KEYS = new Set(['pid', 'pids', 'ppid', 'pgid', 'tid', 'shellid', 'process', 'port_pid', 'thread']);
/** Names of a place in a source file, volatile in errors: an edit above moves it. */
const PLACE_KEYS = new Set(['line', 'lines', 'col', 'column', 'ln', 'offset', 'position', 'char', 'character']);

const UUID = /[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}(?![0-9A-Za-z])/y;
const CLOCK = /\d{1,2}:[0-5]\d:[0-5]\d(?:[.,]\d{1,9})?(?: ?[AaPp][Mm]\b)?(?:Z|[+-]\d\d:?\d\d)?/y;
const SHORT_CLOCK = /(?:[01]\d|2[0-3]):[0-5]\d(?: ?[AaPp][Mm]\b)?(?![\w:])/y;
const DATE =
  /(?:19|20)\d\d[-/](?:0[1-9]|1[0-2])[-/](?:0[1-9]|[12]\d|3[01])(?:[T _-]\d\d[:-]?\d\d(?:[:-]?\d\d(?:[.,]\d{1,9})?)?(?: ?(?:Z|UTC|GMT|[+-]\d\d:?\d\d))?)?(?!\d)/y;
const COMPACT_DATE =
  /20\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])[T_-][0-2]\d[0-5]\d(?:[0-5]\d)?(?:Z|[._]\d{1,6})?(?!\d)/y;
const RATE = / ?(?:[kKMGT]i?)?(?:[Bb](?:ytes|its)?\/s|[Bb]ps|it\/s|items\/s|ops\/s|req\/s|s\/it)\b/y;
const JOB = /\[\d{1,4}\][+-]? +\d{2,8}(?![\w.])/y;
const AGENT_LINE =
  /(?:Chunk ID: |Wall time: |Original token count: |Process Group PGID: |Process running with session ID |Background PIDs: |Shell cwd was reset to |Session ID: |Finished in |Elapsed: |real\t|user\t|sys\t)/y;
/** Where macOS keeps its temporary folders. */
const FOLDERS = '/var/folders/';
const REMINDER = '<system-reminder>';
const REMINDER_END = '</system-reminder>';
const SAVED_TO = /(?:saved|written|spilled|truncated) to:? /y;

/** A line, or the head of one, that an agent writes into its results and that differs from call to call. `at` is a line's start. */
export function volatileLine(text: string, at: number, limit: number): number {
  switch (text.charCodeAt(at)) {
    case 0x43: // C
    case 0x57: // W
    case 0x4f: // O
    case 0x50: // P
    case 0x42: // B
    case 0x53: // S
    case 0x46: // F
    case 0x45: // E
    case 0x72: // r
    case 0x75: // u
    case 0x73: // s
      AGENT_LINE.lastIndex = at;
      return AGENT_LINE.test(text) ? lineEnd(text, at, limit) : -1;
    case 0x5b: // [
      return sticky(JOB, text, at);
    case 0x3c: {
      if (!text.startsWith(REMINDER, at)) return -1;
      const end = text.indexOf(REMINDER_END, at);
      return end < 0 || end > limit ? limit : end + REMINDER_END.length;
    }
    default:
      return -1;
  }
}

/** The path behind `Full output saved to: `; `at` is the word before `to`. */
export function volatilePath(text: string, at: number, limit: number): number {
  SAVED_TO.lastIndex = at;
  if (!SAVED_TO.test(text)) return -1;
  let end = SAVED_TO.lastIndex;
  while (end < limit && !/[\s)\]>"']/.test(text[end] ?? '')) end++;
  return end;
}

/** A number at a word's start: `at` is its first digit. `masked`: what stands right before it was volatile, as in `:12:5`. */
export function volatileNumber(text: string, at: number, limit: number, failed: boolean, masked: boolean): number {
  let end = at + 1;
  while (end < limit && isDigit(text.charCodeAt(end))) end++;
  const digits = end - at;
  const next = text.charCodeAt(end);
  if (next === 0x3a && digits <= 6) {
    const clock = sticky(CLOCK, text, at);
    if (clock > 0) return clock;
    // `12:5 error`, but no address `127.0.0.1:8080`
    if (failed && isDigit(text.charCodeAt(end + 1)) && text.charCodeAt(at - 1) !== 0x2e && !isPathEnd(text, at)) {
      return digitsFrom(text, end + 1, limit);
    }
    if (digits === 2 && !isWord(text.charCodeAt(at - 1)) && text.charCodeAt(at - 1) !== 0x3a) {
      const short = sticky(SHORT_CLOCK, text, at);
      if (short > 0) return short;
    }
  }
  if (digits === 4 && (next === 0x2d || next === 0x2f)) {
    const date = sticky(DATE, text, at);
    if (date > 0) return date;
  }
  if (digits === 8) {
    const date = sticky(COMPACT_DATE, text, at);
    if (date > 0) return date;
    const uuid = next === 0x2d ? sticky(UUID, text, at) : -1;
    if (uuid > 0) return uuid;
  }
  if ((digits === 10 || digits === 13) && isEpoch(text, at) && !isLetter(next)) {
    return next === 0x2e ? digitsFrom(text, end + 1, limit) : end;
  }
  const duration = durationEnd(text, at, end, limit);
  if (duration > 0) return duration;
  if (isWord(next)) return -1;
  return isNamedPlace(text, at, end, digits, failed, masked) ? end : -1;
}

/** A word with digits in it, whole: hexadecimal addresses, digests, ids of requests and calls. */
export function volatileWord(text: string, at: number, end: number): number {
  const length = end - at;
  if (length === 8 && text.charCodeAt(end) === 0x2d) {
    const uuid = sticky(UUID, text, at);
    if (uuid > 0) return uuid;
  }
  if (length < 6) return -1;
  if (text.charCodeAt(at) === 0x30 && (text.charCodeAt(at + 1) | 0x20) === 0x78) {
    return length >= 8 && isHex(text, at + 2, end) ? end : -1;
  }
  if (length >= 7 && hasLetterAndDigit(text, at, end) && isHex(text, at, end)) return end;
  if (length >= 12 && switches(text, at, end) >= (length >= 20 ? 5 : 7)) return end;
  return switches(text, at, end) >= 1 && /(?:^|_)id$/.test(keyBefore(text, at)) ? end : -1;
}

/**
 * The random part of a folder or file below a temporary folder, as [start, end), or null. `slash` is where `/tmp/` begins.
 *
 * Known forms: `tmpab12cd34` (Python), `tmp.AbCdEf1234` (mktemp), `build-AbC123` (Node), `pytest-12`, `/var/folders/xy/…`.
 */
export function temporaryPart(text: string, slash: number, limit: number): readonly [number, number] | null {
  if (text.startsWith(FOLDERS, slash)) {
    const start = slash + FOLDERS.length;
    const two = /^[^/\s]+\/[^/\s]+/.exec(text.slice(start, Math.min(limit, start + 80)));
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
  while (end < limit && isNameCharacter(text.charCodeAt(end))) end++;
  const name = text.slice(start, end);
  if (name.startsWith('pytest-of-')) {
    const run = /^\/pytest-(\d+)/.exec(text.slice(end, Math.min(limit, end + 20)));
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

/** Where a number with a unit of time or of speed ends, with the pieces that follow it (`1m 23.4s`). */
function durationEnd(text: string, at: number, digitsEnd: number, limit: number): number {
  let end = digitsEnd;
  if (isPoint(text.charCodeAt(end)) && isDigit(text.charCodeAt(end + 1))) {
    end = digitsFrom(text, end + 1, limit);
    // 1.2.3 is a version
    if (isPoint(text.charCodeAt(end)) && isDigit(text.charCodeAt(end + 1))) return -1;
  }
  // the tail of a version or a path is no duration: v1.2 s
  if (text.charCodeAt(at - 1) === 0x2e && isDigit(text.charCodeAt(at - 2))) return -1;
  const spaced = text.charCodeAt(end) === 0x20 ? 1 : 0;
  if (!mayBeUnit(text.charCodeAt(end + spaced))) return -1;
  let unit = end + spaced;
  while (unit < limit && isLetter(text.charCodeAt(unit)) && unit - end < 14) unit++;
  const micro = text.charCodeAt(end + spaced);
  if ((micro === 0xb5 || micro === 0x3bc) && text.charCodeAt(end + spaced + 1) === 0x73) return end + spaced + 2;
  const letters = unit - end - spaced;
  if (letters === 0) return -1;
  const name = letters > 12 ? '' : text.slice(end + spaced, unit).toLowerCase();
  if (name === 'm' && spaced === 0) {
    const rest = text.charCodeAt(unit) === 0x20 ? unit + 1 : unit;
    if (!isDigit(text.charCodeAt(rest))) return -1;
    const seconds = durationEnd(text, rest, digitsFrom(text, rest, limit), limit);
    return seconds;
  }
  if (UNITS.has(name) && !isWord(text.charCodeAt(unit))) {
    const rest = text.charCodeAt(unit) === 0x20 ? unit + 1 : unit;
    if (name.startsWith('h') || name.startsWith('m')) {
      if (isDigit(text.charCodeAt(rest))) {
        const more = durationEnd(text, rest, digitsFrom(text, rest, limit), limit);
        if (more > 0) return more;
      }
    }
    return unit;
  }
  return sticky(RATE, text, end);
}

/** Is this the first letter of a unit of time, size or speed? Rejects nearly every word at the cost of one look. */
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

/** A number that its surroundings name a process, a port that the system chose, or a place in a file. */
function isNamedPlace(
  text: string,
  at: number,
  end: number,
  digits: number,
  failed: boolean,
  masked: boolean,
): boolean {
  const before = text.charCodeAt(at - 1);
  if (failed && masked && (before === 0x3a || before === 0x2c)) return true;
  if (failed && digits <= 6) {
    // calc.py:12 and calc.ts(12,5), but no port
    if (before === 0x3a && isPathEnd(text, at)) return true;
    if (before === 0x28 && isWord(text.charCodeAt(at - 2)) && /^,\d+\)/.test(text.slice(end, end + 8))) return true;
  }
  if (before === 0x3a && digits === 5 && isChosenPort(text, at, end)) return true;
  const key = keyBefore(text, at);
  if (key === '') return false;
  return PROCESS_KEYS.has(key) || (failed && PLACE_KEYS.has(key)) || (digits >= 5 && /(?:^|_)id$/.test(key));
}

/** The word that names the value at `at`: letters before it, past a space, colon, equals sign, hash or quote. In lower case. */
function keyBefore(text: string, at: number): string {
  let end = at;
  for (let skipped = 0; skipped < 4 && end > 0; skipped++) {
    const code = text.charCodeAt(end - 1);
    if (code !== 0x20 && code !== 0x3a && code !== 0x3d && code !== 0x23 && code !== 0x22 && code !== 0x27) break;
    end--;
  }
  if (end === at || !mayEndKey(text.charCodeAt(end - 1))) return '';
  let start = end;
  while (start > 0 && end - start < 16 && (isLetter(text.charCodeAt(start - 1)) || text.charCodeAt(start - 1) === 0x5f))
    start--;
  return start === end ? '' : text.slice(start, end).toLowerCase();
}

/** Is this the last letter of a name in PROCESS_KEYS or PLACE_KEYS, or of `id`? */
function mayEndKey(code: number): boolean {
  switch (code | 0x20) {
    case 0x64: // pid, id
    case 0x73: // pids, process, lines
    case 0x65: // line
    case 0x6c: // col
    case 0x6e: // column, ln
    case 0x74: // offset
    case 0x72: // char, character
      return true;
    default:
      return false;
  }
}

/** Does a file's name, or what stands for one, end right before the colon at `at - 1`? */
function isPathEnd(text: string, at: number): boolean {
  if (text.charCodeAt(at - 1) !== 0x3a) return false;
  const code = text.charCodeAt(at - 2);
  if (!isLetter(code) && !isDigit(code) && code !== 0x29 && code !== 0x5d && code !== 0x3e) return false;
  let start = at - 2;
  while (start > 0 && isNameCharacter(text.charCodeAt(start - 1))) start--;
  const name = text.slice(start, at - 1);
  if (text[start - 1] === '/' || code === 0x29 || code === 0x5d || code === 0x3e) return true;
  return /\.[A-Za-z]\w*$|file$/.test(name);
}

function isChosenPort(text: string, at: number, end: number): boolean {
  const port = Number(text.slice(at, end));
  return port >= 32_768 && port <= 65_535 && /(?:localhost|\d|\]):$/.test(text.slice(Math.max(0, at - 10), at));
}

/** Seconds or milliseconds since 1970 between 2014 and 2033. */
function isEpoch(text: string, at: number): boolean {
  const second = text.charCodeAt(at + 1);
  return text.charCodeAt(at) === 0x31 && second >= 0x34 && second <= 0x39;
}

/** How often a word goes from letters to digits or back, or from lower case to upper: ids do it often, names seldom. */
function switches(text: string, at: number, end: number): number {
  let count = 0;
  let last = 0;
  for (let i = at; i < end; i++) {
    const code = text.charCodeAt(i);
    const kind = isDigit(code) ? 1 : code >= 0x61 ? 2 : code === 0x5f ? 0 : 3;
    if (kind !== 0 && last !== 0 && kind !== last && !(last === 3 && kind === 2)) count++;
    if (kind !== 0) last = kind;
  }
  return count;
}

function looksRandom(name: string): boolean {
  if (/\d/.test(name)) return /[A-Za-z]/.test(name);
  return /[a-z][A-Z]/.test(name) && /[A-Z].*[a-z].*[A-Z]/.test(name);
}

function hasLetterAndDigit(text: string, at: number, end: number): boolean {
  let letter = false;
  let digit = false;
  for (let i = at; i < end && !(letter && digit); i++) {
    if (isDigit(text.charCodeAt(i))) digit = true;
    else letter = true;
  }
  return letter && digit;
}

function isHex(text: string, at: number, end: number): boolean {
  let upper = false;
  let lower = false;
  for (let i = at; i < end; i++) {
    const code = text.charCodeAt(i);
    if (isDigit(code)) continue;
    if (code >= 0x61 && code <= 0x66) lower = true;
    else if (code >= 0x41 && code <= 0x46) upper = true;
    else return false;
  }
  return !(upper && lower);
}

function sticky(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : -1;
}

function lineEnd(text: string, at: number, limit: number): number {
  const end = text.indexOf('\n', at);
  return end < 0 || end > limit ? limit : end;
}

function digitsFrom(text: string, at: number, limit: number): number {
  let end = at;
  while (end < limit && isDigit(text.charCodeAt(end))) end++;
  return end;
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

function isLetter(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a);
}

function isPoint(code: number): boolean {
  return code === 0x2e || code === 0x2c;
}

function isWord(code: number): boolean {
  return isLetter(code) || isDigit(code) || code === 0x5f;
}

function isNameCharacter(code: number): boolean {
  return isWord(code) || code === 0x2d || code === 0x2e;
}
