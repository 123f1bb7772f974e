import { asNumber, asRecord } from './json';

/** One form in which an agent writes an exit code into the text for its model. */
export interface ExitCodeForm {
  /** Agents write it before or after the output; elsewhere it is part of a program's own output. */
  readonly where: 'head' | 'tail';
  readonly pattern: RegExp;
}

const HEAD = 400;
const TAIL = 600;

/** Claude Code: `Exit code 1`, then the output. */
export const CLAUDE_FORM: ExitCodeForm = { where: 'head', pattern: /^(?:Error: )?Exit code (-?\d{1,10})(?:\n|$)/ };
/** Gemini CLI and Qwen Code: a line `Exit Code: 1` after the output. */
export const GEMINI_FORM: ExitCodeForm = { where: 'tail', pattern: /(?:^|\n)Exit Code: (-?\d{1,10})(?=\n|$)/ };
/** Codex: `Process exited with code 1` in the header above the output. */
const CODEX_FORM: ExitCodeForm = {
  where: 'head',
  pattern: /(?:^|\n)Process exited with code (-?\d{1,10})(?=\n|$)/,
};
/** Codex, older and code mode: `Exit code: 1` as the first line. */
const CODEX_OLD_FORM: ExitCodeForm = { where: 'head', pattern: /^Exit code: (-?\d{1,10})(?:\n|$)/ };
/** Copilot CLI: `<shellId: 0 completed with exit code 1>` at the end. */
const COPILOT_FORM: ExitCodeForm = { where: 'tail', pattern: /<[^<>\n]{0,60}exit code (-?\d{1,10})>/ };
/** OpenHands: `[The command completed with exit code 1.]`, `[Command finished with exit code 1]`. */
const OPENHANDS_FORM: ExitCodeForm = {
  where: 'tail',
  pattern: /\[(?:The c|C)ommand (?:completed|finished) with exit code (-?\d{1,10})\.?[^\]\n]{0,200}\]/,
};
/** mini-swe-agent: `<returncode>1</returncode>` before the output. */
export const MINI_SWE_FORM: ExitCodeForm = { where: 'head', pattern: /<returncode>(-?\d{1,10})<\/returncode>/ };

const ALL: readonly ExitCodeForm[] = [
  CLAUDE_FORM,
  CODEX_FORM,
  CODEX_OLD_FORM,
  MINI_SWE_FORM,
  GEMINI_FORM,
  COPILOT_FORM,
  OPENHANDS_FORM,
];

/**
 * Returns the exit code that an agent wrote into a result's text, undefined if it wrote none. Only the ends are searched: the cost does not grow with
 * the output.
 */
export function exitCodeIn(text: string, forms: readonly ExitCodeForm[] = ALL): number | undefined {
  if (text === '') return undefined;
  const head = text.length > HEAD ? text.slice(0, HEAD) : text;
  const tail = text.length > TAIL ? text.slice(-TAIL) : text;
  for (const { where, pattern } of forms) {
    const code = pattern.exec(where === 'head' ? head : tail)?.[1];
    if (code !== undefined) return Number(code);
  }
  return undefined;
}

/** Returns the exit code from structured metadata, under the names that agents use for it. */
export function exitCodeOf(metadata: unknown): number | undefined {
  const record = asRecord(metadata);
  if (!record) return undefined;
  for (const name of ['exitCode', 'exit_code', 'exit', 'returncode', 'return_code', 'code']) {
    const code = asNumber(record[name]);
    if (code !== undefined) return code;
  }
  for (const name of ['metadata', 'shellExecution', 'result']) {
    const code = asRecord(record[name]) && exitCodeOf(record[name]);
    if (code !== undefined) return code;
  }
  return undefined;
}

/**
 * Returns whether a call failed, and its exit code. Most agents record a failed command as a success; then the exit code in the metadata or in the
 * text decides.
 */
export function outcomeOf(result: {
  readonly output: string;
  /** Fields of the record itself. */
  readonly isError?: boolean | undefined;
  readonly metadata?: unknown;
  /** Forms to look for in the text; [] for none. */
  readonly forms?: readonly ExitCodeForm[];
}): { readonly isError: boolean; readonly exitCode?: number } {
  const exitCode = exitCodeOf(result.metadata) ?? exitCodeIn(result.output, result.forms);
  const isError = result.isError === true || (exitCode !== undefined && exitCode !== 0);
  return exitCode === undefined ? { isError } : { isError, exitCode };
}
