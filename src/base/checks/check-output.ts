import { type Command, classifyCommand } from './command';
import { failureKind } from './failure-kind';
import { parseGeneric } from './runners/generic';
import { type Complaint, linesIn, type ParsedOutput, plainText, testCounts } from './runners/lines';
import { parseKnown, shownIn } from './runners/parse-output';
import { runsTasks } from './shell/check-programs';

/** A line that only counts: `6 errors, 2 warnings`. Its number is part of its meaning. */
const COUNTED = /\b\d{1,9} (?:errors?|fail(?:ed|ures?|ing)?|problems?|issues?)\b/i;

/** One thing that fails: a test, or a complaint of a compiler or linter about a file. */
export interface Failing {
  /** The test with its enclosing groups, or the file; empty where the output names neither. */
  readonly name: string;
  /** File or package of the test, where the runner names it; otherwise empty. */
  readonly suite: string;
  /** The first words of its message, without numbers, times and addresses. */
  readonly kind: string;
  /** Values that each `#` replaced, in order. */
  readonly values: readonly string[];
  /** Number of complaints of this kind in the file; 1 for a test. */
  readonly times: number;
}

/** Counts that the runner itself printed. */
export interface Totals {
  readonly failed?: number;
  readonly passed?: number;
}

/** Result of a check, as read from its output. */
export interface CheckOutput {
  /** Null where the output does not say. */
  readonly passed: boolean | null;
  /** Everything that fails, each thing once, sorted. Empty where the check passed or names nothing. */
  readonly failures: readonly Failing[];
  readonly totals: Totals;
}

/** Output of programs that are silent on success, or the words in which a harness says so. */
const SILENT = /^\s*(?:[([](?:[\w ]{1,40} )?no output[)\]]\s*)?$/i;
/** Exit code that a command prints because the line would hide it: `echo "exit: $?"`. */
const STATED_EXIT =
  /^\W{0,6}(?:\w{1,20}[ _-]?)?(?:exit(?:[ _]?(?:code|status))?|rc|status|code)[ :=]{1,3}(\d{1,3})\W{0,6}$/i;

/**
 * Reads the result of a check; null if there is none. A command that is not a check by its name counts as one if its output shows a runner's totals
 * (`make demo`, `python x.py`). A look or a wait that shows such an output does not.
 *
 * The exit code and the totals decide first whether it passed; what was logged before them decides nothing. Reads the first and last 64 KB of the
 * output. Never throws.
 *
 * @param command the command line, or the result of `classifyCommand` for it; null where the tool takes none.
 * @param exitCode of the whole command line; 1 where only an error flag is known, 0 where the agent flags errors and flagged none.
 */
export function readCheckOutput(
  command: string | Command | null,
  output: string,
  exitCode?: number,
): CheckOutput | null {
  const known = typeof command === 'string' ? classifyCommand(command) : command;
  // A commit runs the checks of its hooks.
  if (known !== null && (known.kind === 'look' || known.kind === 'wait')) return null;
  const isCheck = known?.kind === 'check';
  const text = plainText(output);
  const shown = shownIn(text);
  if (!isCheck && shown.size === 0) return null;
  const lines = linesIn(text);
  const parsed = parseKnown(lines, shown);
  if (!isCheck && !(parsed !== null && showsCheck(parsed, known))) return null;
  const passed = verdict(parsed, lines, isCheck ? ownExit(known, lines, exitCode) : undefined, known);
  const complaints = passed === false ? complaintsOf(parsed, lines) : [];
  const totals = testCounts({ failed: parsed?.failed, passed: parsed?.passed });
  return { passed, failures: failingOf(complaints), totals };
}

function complaintsOf(parsed: ParsedOutput | null, lines: readonly string[]): readonly Complaint[] {
  if (parsed !== null && parsed.failures.length > 0) return parsed.failures;
  // a runner that counted failures but names none (only its end was kept): lines of its log must not stand in for them
  return (parsed?.failed ?? 0) > 0 ? [] : parseGeneric(lines).failures;
}

/**
 * True if this is the output of a check, whatever the command is called. The agent's own script may print anything, so totals must be shown. A task
 * named by the project (`npm run x`) runs the project's own tools, so compiler errors are enough there.
 */
function showsCheck({ failed, passed, failures }: ParsedOutput, command: Command | null): boolean {
  if (passed !== undefined || (failed !== undefined && failed > 0)) return true;
  return command !== null && failures.length > 0 && runsTasks(command.main.split(' ')[0] ?? '');
}

/** Returns the exit code of the check itself, as far as the line shows it. */
function ownExit(command: Command, lines: readonly string[], exitCode: number | undefined): number | undefined {
  if (command.exit === 'own' || (command.exit === 'zero' && exitCode === 0)) return exitCode;
  if (command.exit === 'zero') return undefined;
  const statedCodes = lines
    .filter((line) => line.length < 60 && /\d/.test(line))
    .flatMap((line) => STATED_EXIT.exec(line)?.[1] ?? [])
    .map(Number);
  const failed = statedCodes.find((code) => code !== 0);
  if (failed !== undefined) return failed;
  // behind a pipe, `$?` is the exit code of the filter
  return statedCodes.length > 0 && command.exit !== 'piped' ? 0 : undefined;
}

function verdict(
  parsed: ParsedOutput | null,
  lines: readonly string[],
  exit: number | undefined,
  command: Command | null,
): boolean | null {
  if (exit !== undefined && exit !== 0) return false;
  if (parsed !== null) {
    if ((parsed.failed ?? 0) > 0 || parsed.failures.length > 0) return false;
    if (parsed.failed === 0 || parsed.passed !== undefined) return true;
  }
  if (exit === 0) return true;
  if (command === null) return null;
  // the outcome is unknown: complaints in a form that only compilers have, or silence, still decide
  if (lines.every((line) => SILENT.test(line))) return true;
  const generic = parseGeneric(lines);
  return generic.failures.some((one) => one.line !== undefined || /\berror\b/i.test(one.message)) ? false : null;
}

function failingOf(complaints: readonly Complaint[]): readonly Failing[] {
  const found = new Map<string, Failing>();
  for (const one of complaints) {
    const { kind: said, values } = failureKind(one.message, one.test !== undefined);
    const name = one.test ?? one.file ?? '';
    const counted = name === '' ? COUNTED.exec(one.message)?.[0] : undefined;
    const kind = counted === undefined ? said : `${said} (${counted})`;
    const suite = one.test === undefined ? '' : (one.suite ?? '');
    const key = `${name}\u0000${suite}\u0000${kind}`;
    const before = found.get(key);
    if (before === undefined) found.set(key, { name, suite: suite === name ? '' : suite, kind, values, times: 1 });
    else if (one.test === undefined && one.file !== undefined) found.set(key, { ...before, times: before.times + 1 });
  }
  return [...found].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)).map(([, failing]) => failing);
}

/**
 * Returns a summary of a check for comparison with earlier ones: equal texts mean that the same things fail in the same way, or
 * that the check passed. Null where the output does not say (it failed without naming anything, or its outcome is unknown).
 */
export function checkSaying({ passed, failures, totals }: CheckOutput): string | null {
  if (passed === true) return 'passed';
  // for a runner whose list was cut off, its counts are all there is
  if (failures.length === 0 && passed === false && (totals.failed ?? 0) > 0)
    return `${totals.failed} failed, ${totals.passed ?? 0} passed`;
  if (failures.length === 0) return null;
  return failures.map(({ name, suite, kind, times }) => [name, suite, kind, times].join('\u0001')).join('\u0002');
}
