import { type CheckOutput, readCheckOutput, checkSaying as sayingOfCheck } from '../../base/checks/check-output';
import type { Command } from '../../base/checks/command';
import { errorLine, ownText } from '../../base/checks/error-line';
import type { ToolCallEvent, ToolResultEvent } from '../../core/model';
import { hashOf } from '../../base/util/hash';
import { isAllMasked, maskedFingerprint, rawFingerprint } from './mask';
import { confirmsWrite, saysNothing, namesImage } from './placeholder';

/**
 * Kind of a saying, which represents the result of a step (docs/detectors.md, "What a step says"). All rules compare sayings; none reads a result
 * itself.
 *
 * `failures`: a failed check, by the set of its failures. `passed`: a check that passed. `error`: another failed call, by the line that names the
 * cause. `confirmed`: an edit that was carried out. `text`: everything else, by its masked text. `nothing`: equal to no other saying.
 */
export type SayingKind = 'failures' | 'passed' | 'error' | 'confirmed' | 'text' | 'nothing';

export interface Saying {
  readonly kind: SayingKind;
  readonly failed: boolean;
  /** Null where the call is not a check. */
  readonly check: CheckOutput | null;
  /** 32 bits; equal numbers mean that the unmasked results are equal. */
  readonly raw: number;
  /** 32 bits, never 0; equal numbers of one call mean equal sayings. The first call costs a pass over the text. */
  readonly token: () => number;
  /** Error that a failure names, as a number that is equal for equal errors, whatever the call; 0 where it names none. */
  readonly error: number;
}

/** Seeds that distinguish the kinds of sayings. */
const FAILURES = 0x3f1d;
const ERROR = 0x77a1;
const PASSED = 0x1b0d;
const CONFIRMED = 0x2c9e;
const UNNAMED = 0x5e55;

/**
 * Computes the saying of a call with its result.
 *
 * @param failed as shown by the record and the text, before a check's own totals are read
 * @param command purpose of its command line; null where it has none
 */
export function sayingOf(
  call: ToolCallEvent,
  result: ToolResultEvent,
  failed: boolean,
  command: Command | null,
): Saying {
  if (result.exitCodeLate) {
    const { exitCodeLate: _late, exitCode: _code, ...before } = result;
    return { ...sayingOf(call, { ...before, isError: false }, false, command), failed };
  }
  const { output } = result;
  if (result.outcome === 'unknown' || saysNothing(result)) return nothing(failed);
  const check = mayBeCheck(call, output, command)
    ? readCheckOutput(command, output, result.exitCode ?? (failed || result.isError ? 1 : 0))
    : null;
  if (check?.passed === true) {
    const raw = cutBy(call, output, command) || PASSED;
    return { kind: 'passed', failed: false, check, raw, token: () => raw, error: 0 };
  }
  if (check !== null) return checked(check, output, failed);
  // "Not yet" and "done" may print the same, namely nothing.
  const raw = rawFingerprint(output, failed || (result.exitCode ?? 0) !== 0);
  if (failed) {
    // If no line is known to name the error, the whole text counts, in any language.
    const text = errorLine(output) ?? ownText(output);
    // An exit code alone names no error: such failures are equal only for the same call.
    const error = text === '' ? 0 : named(ERROR, maskedFingerprint(text, true));
    return { kind: 'error', failed, check, raw, token: () => error || UNNAMED, error };
  }
  if (call.kind === 'changed' && call.command === undefined) {
    // Some records name the file but not the change: two edits of one file are then not known to be the same edit.
    if (!holdsContent(call.args, call.target, 0)) return nothing(failed);
    return { kind: 'confirmed', failed, check, raw: CONFIRMED, token: () => CONFIRMED, error: 0 };
  }
  if (isAllMasked(output, false) || (command !== null && confirmsWrite(output))) return nothing(failed);
  // A digest is masked elsewhere; here it distinguishes images.
  const hasCode = (result.exitCode ?? 0) !== 0;
  const token = namesImage(output) ? () => raw | 0 || 1 : () => maskedFingerprint(output, hasCode) || 1;
  return { kind: 'text', failed, check, raw, token, error: 0 };
}

/** Words about an edit besides its content. */
const ABOUT_AN_EDIT = /^(?:add|create|update|modify|edit|write|delete|remove|move|rename|true|false)$/i;
/** Length of the longest of these words: the text of an edit is longer, and may be very long. */
const LONGEST_WORD = 6;
const DEPTH = 4;

/** Returns whether the arguments contain a text that is neither the file's path nor a word for the operation. */
function holdsContent(args: unknown, target: string | undefined, depth: number): boolean {
  if (typeof args === 'string') return args !== target && (args.length > LONGEST_WORD || !ABOUT_AN_EDIT.test(args));
  if (typeof args !== 'object' || args === null) return false;
  return depth >= DEPTH || Object.values(args).some((value) => holdsContent(value, target, depth + 1));
}

/** Totals of a runner are at the end, or in the first lines if a filter cut off the rest. */
const TOTALS =
  /\d\s{0,3}(?:pass|fail|err|issue|problem|test|example|assert|warn)|(?:tests?|failures?|errors?|passed|failed)[:=]\s{0,12}\d|\bOK\b|BUILD|test result/i;
const SHOWN = 2000;

/** True for every command that checks, and for others whose output may show the totals of a runner. */
function mayBeCheck(call: ToolCallEvent, output: string, command: Command | null): boolean {
  if (command?.kind === 'check') return true;
  if (command === null ? call.kind !== 'other' : command.kind === 'look' || command.kind === 'wait') return false;
  return TOTALS.test(output.length > SHOWN * 2 ? output.slice(0, SHOWN) + output.slice(-SHOWN) : output);
}

/**
 * Returns a hash of the whole command line if a filter behind a check let nothing through: that result is only about the filter's own lines, so two
 * filters that both find nothing say different things. 0 where something was printed.
 */
function cutBy({ command = '' }: ToolCallEvent, output: string, parsed: Command | null): number {
  return parsed?.exit === 'piped' && output.trim() === '' ? hashOf(command) | 0 || 1 : 0;
}

/** Makes the saying of a check. Exit code and totals decide first; where neither does, the record does, and the text is all that can be compared. */
function checked(check: CheckOutput, output: string, recorded: boolean): Saying {
  const failed = check.passed === null ? recorded : !check.passed;
  const raw = rawFingerprint(output, failed);
  if (!failed)
    return { kind: 'text', failed, check, raw, token: () => maskedFingerprint(output, false) || 1, error: 0 };
  const set = setOf(check);
  const line = set === null ? errorLine(output) : null;
  const error =
    set !== null ? named(FAILURES, hashOf(set) | 0) : line !== null ? named(ERROR, maskedFingerprint(line, true)) : 0;
  return {
    kind: 'failures',
    failed,
    check,
    raw,
    token: () => error || maskedFingerprint(output, true) || UNNAMED,
    error,
  };
}

/** Returns the failures as one text. If no runner names them, the lines with failures count with their numbers: `9 of 40 failed` is not `5 of 40`. */
function setOf(check: CheckOutput): string | null {
  const { failures } = check;
  if (failures.length === 0 || failures.some(({ name, suite }) => name !== '' || suite !== ''))
    return sayingOfCheck(check);
  return failures.map(({ kind, values }) => `${kind} ${values.join(' ')}`).join('\n');
}

function nothing(failed: boolean): Saying {
  return { kind: 'nothing', failed, check: null, raw: 0, token: () => 0, error: 0 };
}

function named(seed: number, value: number): number {
  return Math.imul(value ^ seed, 0x9e37_79b1) | 0 || seed;
}
