import { withoutEscapes } from '../util/showable';
import { plainLines } from './runners/lines';
import { isWrapper } from './runners/wrapper-lines';

const LONGEST = 400;

/** Patterns of lines that name a cause, the most reliable first. Each is tried on all lines before the next one. */
const TRACEBACK = /^(?:\s*[|+] )?\s*Traceback \(most recent call last\):/;
const PYTHON_ERROR =
  /^(?:[A-Za-z_][\w.]{0,150}(?:Error|Exception|Warning|Interrupt|Exit|Failure|Timeout|NotFound|DoesNotExist)|[a-z_]\w{0,60}(?:\.\w{1,60}){1,8})(?::|$)/;
const CAUSES: readonly RegExp[] = [
  /^\s*(?:Uncaught )?(?:[A-Za-z_$][\w$.]{0,150})?(?:Error|Exception|Failure|Panic)(?: \[\w{1,60}\])?: \S/,
  /^Exception in thread "[^"]{1,100}" \S|^Caused by: \S|^Unhandled exception[.:] /,
  /^thread '[^']{1,200}' (?:\(\d+\) )?panicked at |^panic: \S|^fatal error: \S/,
  /^(?:\S{1,200}: )?(?:line \d+: |\d+: )?\S{1,200}: (?:command )?not found$|is not recognized as (?:an internal|the name of)|^\S{1,200}: .{0,200}No such file or directory$/i,
  /^\s*(?:error|fatal|fatal error|panic|abort(?:ed)?|usage error|syntax error|parse error)(?:\[\w{1,20}\])?: \S/i,
  /^(?:\S{1,300}:\d{1,7}(?::\d{1,7})?: |\S{1,300}\(\d{1,7},\d{1,7}\): )(?:fatal )?error\b/i,
  /^(?:E {3}|\s*)(?:assert\b|AssertionError|assertion (?:`|failed|".*" failed))/,
  /^\s*(?:npm|pnpm|yarn|bun) (?:ERR!|error) \S|^\s*ERR_\w{1,60}\b|^\s*(?:✖|✗|×|❌) \S|^\[(?:ERROR|error|FATAL)\] \S|^ERROR[: ]\s*\S/,
  /\b(?:permission denied|access is denied|connection refused|connection reset|timed out|no such file|cannot find|could not|cannot|can't|unable to|not found|invalid|unknown (?:option|command|argument|flag)|unrecognized|unexpected|does not exist|already (?:exists|in use)|out of memory|segmentation fault|killed|refused|denied|forbidden|unauthorized|missing|requires?|must|only supports?|does not|did not|ignored by|errored)\b|\bno \w{1,40}(?: \w{1,40})? (?:found|named)\b|\bno module named\b/i,
  /\b(?:error|failed|failure|exception|fatal)\b/i,
];
const NO_CAUSE =
  /^\s*(?:at |File "|#\d+ |\^|~|\||\d+ \||warning\b|note\b|info\b|hint\b|help\b|debug\b|warn\b|\[warn\]|✓|✔|ok\b)/i;
const NO_FAILURE = /\b(?:0|no) (?:errors?|failures?|failed)\b/i;

/**
 * Returns the line in which a failed command names its cause: the exception at the end of a traceback, an assertion, an `error:` line. A wrapper's
 * message that something failed (`script "lint" exited with code 1`) does not count. Null where there is nothing but that, or only an exit code.
 *
 * At most 400 characters, as the program wrote it: neither masked nor redacted. Reads the first and last 64 KB.
 */
export function errorLine(output: string): string | null {
  const lines = plainLines(output);
  const trace = endOfTraceback(lines);
  if (trace !== null) return shown(trace);
  const said = lines.filter((line) => line.trim() !== '' && !NO_CAUSE.test(line));
  // Expensive, so it is checked last, for the few lines that are left.
  const isOwn = (line: string): boolean => !isWrapper(line.trim());
  for (const cause of CAUSES) {
    const at = said.findIndex((line) => cause.test(line) && !NO_FAILURE.test(line) && isOwn(line));
    const line = said[at];
    if (line === undefined) continue;
    // Rust says where it panicked, and in the next line why
    const why = /panicked at \S+:\d+:\d+:$/.test(line) ? said.slice(at + 1).find(isOwn) : undefined;
    return shown(why === undefined ? line : `${line} ${why.trim()}`);
  }
  // a line or two from an unknown program: nothing else can be the cause
  const own = said.filter(isOwn);
  return own.length > 0 && own.length <= 2 ? shown(own[0] ?? '') : null;
}

/** Messages that the call itself is wrong, in the words of its program. */
const USAGE =
  /^usage: |\b(?:unknown|unrecogni[sz]ed|invalid|unexpected|no such) (?:option|argument|flag|switch|parameter|subcommand)s?\b|\b(?:missing|required?) (?:required )?(?:option|argument|parameter|field|propert\w+)s?\b|\b(?:option|argument|parameter|field|property)s? \S{0,60} ?(?:is|are) (?:required|missing|unknown|not recogni[sz]ed)\b/im;
/** Longer outputs come from a program that ran. Characters. */
const LONGEST_USAGE = 1_500;

/** Returns whether a failed call was rejected because of how it was called: a usage text, an unknown option, a missing parameter. */
export function isUsageError(output: string): boolean {
  if (output.length > LONGEST_USAGE || output.includes('Traceback (most recent call last)')) return false;
  return USAGE.test(withoutEscapes(output));
}

/**
 * Returns the output of a failed command without a wrapper's message that it failed; empty where there is nothing else. Reads as much as `errorLine`
 * does.
 */
export function ownText(output: string): string {
  return plainLines(output)
    .filter((line) => line.trim() !== '' && !isWrapper(line.trim()))
    .join('\n');
}

/** Returns the last exception of the last Python traceback: the earlier ones led to it. */
function endOfTraceback(lines: readonly string[]): string | null {
  const start = lines.findLastIndex((line) => TRACEBACK.test(line));
  if (start < 0) return null;
  for (const line of lines.slice(start + 1)) {
    if (/^\s/.test(line) || line === '') continue;
    return PYTHON_ERROR.test(line) ? line : null;
  }
  return null;
}

function shown(line: string): string {
  const text = line.trim();
  return text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text;
}
