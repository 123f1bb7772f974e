import { type CheckOutput, readCheckOutput, checkSaying as sayingOfCheck } from '../../base/checks/check-output';
import type { Command } from '../../base/checks/command';
import { errorLine, ownText } from '../../base/checks/error-line';
import type { ToolCallEvent, ToolResultEvent } from '../../core/model';
import { hashOf } from '../../base/util/hash';
import { isAllMasked, maskedFingerprint, rawFingerprint } from './mask';
import { confirmsWrite, saysNothing, namesImage } from './placeholder';

/**
 * Kind of a saying, which represents the result of a step (docs/detectors.md, "What a step says"). All rules compare sayings;
 * none reads a result by itself.
 *
 * `failures`: a failed check, by the set of its failures. `passed`: a check that passed. `error`: another failed call, by the
 * line that names the cause. `confirmed`: an edit that was made. `text`: everything else, by its masked text. `nothing`: equal
 * to nothing.
 */
export type SayingKind = 'failures' | 'passed' | 'error' | 'confirmed' | 'text' | 'nothing';

export interface Saying {
  readonly kind: SayingKind;
  readonly failed: boolean;
  /** Null where the call is no check. */
  readonly check: CheckOutput | null;
  /** 32 bits; equal numbers are equal results as they stand. */
  readonly raw: number;
  /** 32 bits, never 0; equal numbers of one call mean equal sayings. The first call costs a pass over the text. */
  readonly token: () => number;
  /** Error that a failure names, as a number shared across calls; 0 where it names none. */
  readonly error: number;
}

/** Seeds that keep the kinds of sayings apart. */
const FAILURES = 0x3f1d;
const ERROR = 0x77a1;
const PASSED = 0x1b0d;
const CONFIRMED = 0x2c9e;
const UNNAMED = 0x5e55;

/**
 * Computes the saying of a call with its result.
 *
 * @param failed as far as record and text show, before a check's own totals are read
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
  // "Not yet" and "done" may print the same: nothing.
  const raw = rawFingerprint(output, failed || (result.exitCode ?? 0) !== 0);
  if (failed) {
    // Where no line is known to name the error, the whole text does, in whatever language.
    const text = errorLine(output) ?? ownText(output);
    // An exit code alone names no error: such failures are equal for the same call only.
    const error = text === '' ? 0 : named(ERROR, maskedFingerprint(text, true));
    return { kind: 'error', failed, check, raw, token: () => error || UNNAMED, error };
  }
  if (call.kind === 'changed' && call.command === undefined) {
    // Some records name the file and not the change: two edits of one file are then not known to be the same edit.
    if (!holdsContent(call.args, call.target, 0)) return nothing(failed);
    return { kind: 'confirmed', failed, check, raw: CONFIRMED, token: () => CONFIRMED, error: 0 };
  }
  if (isAllMasked(output, false) || (command !== null && confirmsWrite(output))) return nothing(failed);
  // A digest is masked elsewhere; here it distinguishes images.
  const hasCode = (result.exitCode ?? 0) !== 0;
  const token = namesImage(output) ? () => raw | 0 || 1 : () => maskedFingerprint(output, hasCode, raw) || 1;
  return { kind: 'text', failed, check, raw, token, error: 0 };
}

/** Words about an edit besides its content. */
const ABOUT_AN_EDIT = /^(?:add|create|update|modify|edit|write|delete|remove|move|rename|true|false)$/i;
/** Characters of the longest of these words: what an edit writes is longer, and may be long. */
const LONGEST_WORD = 6;
const DEPTH = 4;

/** Returns whether the arguments contain a text that is neither the file's path nor a word for the operation. */
function holdsContent(args: unknown, target: string | undefined, depth: number): boolean {
  if (typeof args === 'string') return args !== target && (args.length > LONGEST_WORD || !ABOUT_AN_EDIT.test(args));
  if (typeof args !== 'object' || args === null) return false;
  return depth >= DEPTH || Object.values(args).some((value) => holdsContent(value, target, depth + 1));
}

/** Totals of a runner stand at the end, or in the first lines where a filter cut the rest. */
const TOTALS =
  /\d\s{0,3}(?:pass|fail|err|issue|problem|test|example|assert|warn)|(?:tests?|failures?|errors?|passed|failed)[:=]\s{0,12}\d|\bOK\b|BUILD|test result/i;
const SHOWN = 2000;

/** Every command that checks, and others where the output may show the totals of a runner. */
function mayBeCheck(call: ToolCallEvent, output: string, command: Command | null): boolean {
  if (command?.kind === 'check') return true;
  if (command === null ? call.kind !== 'other' : command.kind === 'look' || command.kind === 'wait') return false;
  return TOTALS.test(output.length > SHOWN * 2 ? output.slice(0, SHOWN) + output.slice(-SHOWN) : output);
}

/**
 * The whole line, where a filter behind a check let nothing through: that says something about its own lines only, so two filters that both
 * find nothing say different things. 0 where something was printed.
 */
function cutBy({ command = '' }: ToolCallEvent, output: string, parsed: Command | null): number {
  return parsed?.exit === 'piped' && output.trim() === '' ? hashOf(command) | 0 || 1 : 0;
}

/** Exit code and totals decide first; where neither does, what the record says, and then the text is all there is. */
function checked(check: CheckOutput, output: string, recorded: boolean): Saying {
  const failed = check.passed === null ? recorded : !check.passed;
  const raw = rawFingerprint(output, failed);
  if (!failed)
    return { kind: 'text', failed, check, raw, token: () => maskedFingerprint(output, false, raw) || 1, error: 0 };
  const set = setOf(check);
  const line = set === null ? errorLine(output) : null;
  const error =
    set !== null ? named(FAILURES, hashOf(set) | 0) : line !== null ? named(ERROR, maskedFingerprint(line, true)) : 0;
  return {
    kind: 'failures',
    failed,
    check,
    raw,
    token: () => error || maskedFingerprint(output, true, raw) || UNNAMED,
    error,
  };
}

/**
 * Returns the failures as one text. Where no runner names them, the lines with failures count with their numbers: `9 of 40
 * failed` is not `5 of 40`.
 */
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
