import { withoutEscapes } from '../util/showable';
import { segmentsOf } from './shell/segments';
import { optionsGone, unwrapped } from './shell/unwrap';
import { programName } from './shell/words';
import { waitIn } from './waits';

/** Signs with which a command that waits says "not yet": its documented exit code and, where that code has other meanings too, its words. */
interface NotYet {
  readonly code: number;
  readonly says?: RegExp;
  /** Words that mean the same where the record holds no exit code. Where absent, `says` is used. */
  readonly words?: RegExp;
}

/** None of the errors of `nc`: an unknown host, an unknown option, a missing program. */
const NO_ERROR_OF_NC =
  /^(?![\s\S]{0,400}\b(?:usage|getaddrinfo|resolve|unknown|not known|invalid|illegal|no such|not found|missing)\b)/i;

/** By program, then by the first words of the command. Sources: the manual of each program. */
const NOT_YET: ReadonlyMap<string, readonly [RegExp, readonly NotYet[]]> = new Map([
  ['gh', [/^gh pr checks\b/, [{ code: 8, words: /\b(?:pending|queued|in.progress)\b/i }]]],
  ['kubectl', [/^kubectl (?:rollout status|wait)\b/, [{ code: 1, says: /timed out waiting/i }]]],
  ['oc', [/^oc (?:rollout status|wait)\b/, [{ code: 1, says: /timed out waiting/i }]]],
  [
    'pg_isready',
    [
      /^/,
      [
        { code: 1, words: /rejecting connections/i },
        { code: 2, words: /no response/i },
      ],
    ],
  ],
  ['systemctl', [/^systemctl is-active\b/, [{ code: 3, says: /^activating\b/m }]]],
  ['pgrep', [/^/, [{ code: 1, says: /^\s*$/ }]]],
  // It prints nothing unless the call is wrong.
  ['nc', [/^nc -\w*z/, [{ code: 1, says: NO_ERROR_OF_NC, words: /refused|timed out|closed/i }]]],
  ['curl', [/^curl\b(?=.* -\w*f|.* --fail)/, [{ code: 22, says: /\b503\b|^\s*$/ }]]],
]);
/** Text that occurs in every line that can say so. */
const MAY_WAIT = new RegExp(`${[...NOT_YET.keys()].join('|')}|timeout|sleep|until|while`);
/** Text in which a harness reports the exit code; not part of the command's own output. */
const FRAME = /^\s*(?:Error: )?(?:Exit code:? \d{1,3})\s*/i;
/** Exit code of `timeout` for a command that it ended. */
const TIMED_OUT = 124;
/** A test that answers `no` with exit code 1, where something waited before it or it is repeated. */
const ASKS = /^(?:grep -\w*q|test\b|\[{1,2}(?: |$))/;
/** Words of a wait that could not begin. */
const FAILS = /\b(?:error|cannot|failed|no such|not found|refused)\b/i;
/** Longer lines are scripts. Characters. */
const LONGEST = 2_000;

/**
 * Returns whether a command that waits has ended with its documented "not yet": `gh pr checks` with 8, `pg_isready` with 2, a `timeout`
 * that ended a wait. Another text under the same code is a failure: a query that is wrong never succeeds.
 */
export function saysNotYet(line: string, exitCode: number | undefined, printed: string): boolean {
  if (exitCode === 0 || line.length > LONGEST || printed.length > SHORT * 4 || !MAY_WAIT.test(line)) return false;
  const output = withoutEscapes(printed.replace(FRAME, ''));
  const segments = segmentsOf(line);
  const last = segments.at(-1);
  if (last === undefined) return false;
  const { words, limit, loop, line: inner } = unwrapped(last);
  const isWaiting = loop || segments.some(({ words: [first = ''] }) => /^(?:sleep|until|while)$/.test(first));
  // Without an exit code, the time limit is assumed to have ended it unless it reports a failure: such a wait does not end on its own.
  if (limit > 0 && (exitCode === TIMED_OUT || (exitCode === undefined && !FAILS.test(output)))) {
    return isWaiting || (inner !== undefined ? /\b(?:until|while)\b/.test(inner) : waitIn(words, 0) !== null);
  }
  if (inner !== undefined) return saysNotYet(inner, exitCode, output);
  if (exitCode === undefined && output.trim() === '') return false;
  const program = programName(words[0] ?? '');
  const command = [program, ...words.slice(1)].join(' ');
  const [begins, signs] = NOT_YET.get(program) ?? [];
  if (begins && signs && (begins.test(command) || begins.test(withoutOptions(program, words)))) {
    return signs.some(({ code, says, words: without }) =>
      exitCode === undefined
        ? (without ?? says)?.test(output) === true
        : code === exitCode && says?.test(output) !== false,
    );
  }
  return isWaiting && exitCode === 1 && ASKS.test(command) && output.trim() === '';
}

function withoutOptions(program: string, words: readonly string[]): string {
  return [program, ...optionsGone(program, words.slice(1))].join(' ');
}

/** A field that reports a state, or a whole answer that does. */
const RUNNING = String.raw`(?:still )?(?:running|pending|queued|in[ _-]?progress|activating)`;
const STATUS_FIELD = new RegExp(String.raw`["']?\b(?:status|state|phase)["']?\s{0,4}[:=]\s{0,4}["']?${RUNNING}\b`, 'i');
const STATUS_WORD = new RegExp(String.raw`^\W{0,8}(?:[\w#]\S{0,40} ){0,5}(?:is |are )?${RUNNING}\W{0,8}$`, 'i');
const DENIES = /\b(?:not|no|none|nothing|never|\w{2,6}n't)\b/i;
/** Longer answers hold more than a state. Characters. */
const SHORT = 1_000;

/** Returns whether a result only says that something is running: `{"status": "running"}`, `Build 12 is still pending`. */
export function saysRunning(output: string): boolean {
  if (output.length > SHORT) return false;
  return STATUS_FIELD.test(output) || (STATUS_WORD.test(output) && !DENIES.test(output));
}
