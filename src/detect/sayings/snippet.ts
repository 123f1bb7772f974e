import { pieceOf, piecesOf } from '../../base/util/piece';
import { cleanLine } from '../../base/util/showable';
import { copied } from '../../base/util/text';

/** Longest line that is kept for a person to read. Characters. */
export const LINE_LENGTH = 200;
/** Longest line that is kept of a step's result, for the newest 128 steps. Characters. */
const RESULT_LENGTH = 100;

/** Returns a result line for a person, with a sign where it was cut. The line is kept without the sign, which would double its memory. */
export function shownResult(line: string): string {
  return line.length < RESULT_LENGTH ? line : `${line}…`;
}

/** Returns at most `length` characters of a text in one line, copied: a slice would keep the whole original text alive. */
export function snippetLine(text: string, length = LINE_LENGTH, sign = '…'): string {
  if (isPlain(text, length))
    return sign === '' ? copied(pieceOf(text, 0, length)) : [pieceOf(text, 0, length - 1), sign].join('');
  let line = cleanLine(piecesOf(text, 0, Math.min(text.length, length * 4)));
  if (line.length > length) {
    const room = length - sign.length;
    const end = /[\ud800-\udbff]/.test(line[room - 1] ?? '') ? room - 1 : room;
    line = `${pieceOf(line, 0, end)}${sign}`;
  }
  return copied(line);
}

/** Returns at most `length` characters from both ends of a text, with a note between them about what was left out. */
export function headAndTail(text: string, length: number): string {
  if (text.length <= length) return text;
  const tail = pieceOf(text, text.length - length / 2, text.length);
  return `${pieceOf(text, 0, length / 2)}\n… ${text.length - length} characters left out …\n${tail}`;
}

/** Returns whether this text is longer than `length` even without surrounding space, and needs no further cleaning within that length. */
function isPlain(text: string, length: number): boolean {
  if (text.length <= length || length < 16) return false;
  for (let at = 0; at <= length; at++) {
    const code = text.charCodeAt(at);
    if (code < 0x20 || code > 0x7e) return false;
  }
  return text.charCodeAt(0) !== 0x20 && text.charCodeAt(length) !== 0x20;
}

/** Lines that show how a command went: the final lines of pytest, jest, cargo, go and compilers, and errors. */
const TELLS =
  /(?:error|exception|failed|failing|failures?|fatal|cannot|can't|not found|not ok|no such|denied|refused|timed out|timeout|traceback|panic|invalid|unexpected|undefined|passed|passing)\b/i;
/** A word for a failure in the lines of many runners, too common elsewhere to identify an error. */
const FAIL = /\bfail\b/i;
/** Header that package managers print before a script: its name, and below it the command. */
const SCRIPT = /^> (?:@[\w.-]+\/)?[\w.-]+@\d\S* \S/;
/** Frame that agents add around a result for their model, and shells around an error. */
const FRAME =
  /^(?:Chunk ID:|Wall time:|Process exited with|Original token count:|Output:\s*$|Process Group PGID:|Exit code:? -?\d+\s*$|<\/?(?:untrusted_context|output|returncode|tool_use_error)>?|<shellId:|Background PIDs:|Signal:|Error: \(none\))/i;
const RULE = /^[\s=\-_*#~+.|─━]*$/;

/**
 * Returns the result of a call in one line of at most 100 characters, copied: for a failure its last informative line, otherwise its first line.
 *
 * Reads the first and last 1,000 characters only.
 */
export function resultLine(output: string, failed: boolean, command?: string): string {
  if (!failed) return snippetLine(firstLine(withoutEcho(output, command)), RESULT_LENGTH, '');
  const tail = output.length > 1000 ? output.slice(-1000) : output;
  return snippetLine(
    lastTellingLine(tail) ?? lastTellingLine(output.slice(0, 1000)) ?? lastTellingLine(tail, FAIL) ?? firstLine(output),
    RESULT_LENGTH,
    '',
  );
}

/** Removes the first line of a result if it only repeats the command. */
export function withoutEcho(output: string, command: string | undefined): string {
  if (command === undefined || command === '') return output;
  const end = output.indexOf('\n');
  const first = (end < 0 ? output : output.slice(0, end)).trim();
  return first !== '' && first.length <= command.length + 2 && command.startsWith(first)
    ? end < 0
      ? ''
      : output.slice(end + 1)
    : output;
}

/**
 * Returns the line that identifies an answer of a service or a refusal, even where the text around it differs: the last one that names an exception,
 * or else the first informative one. There is always one, unlike the cause of a failed command (`checks/error-line.ts`). `Error: (none)` is part of
 * the frame that Gemini CLI and Qwen Code put around each result.
 */
export function tellingLine(output: string): string {
  const head = output.length > 2000 ? output.slice(0, 2000) : output;
  const tail = output.length > 2000 ? output.slice(-2000) : output;
  const named = lastMatch(
    tail,
    /^(?:E\s+)?(?:[A-Za-z_][\w.]*(?:Error|Exception|Warning|Interrupt|Exit)\b.*|error(?:\[\w+\])?: (?!\(none\)).*)$/gim,
  );
  if (named !== undefined) return named.trim();
  const lines = head.split('\n');
  const at = lines.findIndex((line) => TELLS.test(line) && !FRAME.test(line));
  if (at < 0) return firstLine(output);
  const line = lines[at]?.trim() ?? '';
  // "ERROR:" alone names no error; the text after it does
  return line.length > 16
    ? line
    : `${line} ${
        lines
          .slice(at + 1)
          .find((next) => !RULE.test(next) && !FRAME.test(next))
          ?.trim() ?? ''
      }`;
}

function firstLine(text: string): string {
  let at = 0;
  let isScript = false;
  for (let lines = 0; lines < 12; lines++) {
    const end = text.indexOf('\n', at);
    const last = Math.min(end < 0 ? text.length : end, at + 1000);
    const line = text.slice(at, last);
    isScript = SCRIPT.test(line) || (isScript && line.startsWith('> '));
    if (!RULE.test(line) && !FRAME.test(line) && !isScript) return pieceOf(text, at, last).replace(/^Output: /, '');
    if (end < 0) break;
    at = end + 1;
  }
  return text.slice(0, 1000).trim();
}

function lastTellingLine(text: string, pattern = TELLS): string | undefined {
  let end = text.length;
  while (end > 0) {
    const start = text.lastIndexOf('\n', end - 1) + 1;
    const line = text.slice(start, end);
    if (pattern.test(line) && !FRAME.test(line)) return pieceOf(text, start, end);
    if (start === 0) return undefined;
    end = start - 1;
  }
  return undefined;
}

function lastMatch(text: string, pattern: RegExp): string | undefined {
  let last: string | undefined;
  for (const match of text.matchAll(pattern)) last = match[0];
  return last;
}
