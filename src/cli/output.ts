import { presentable, presentableLine, redactDeep } from '../base/util/redact';
import { escapedJson } from '../base/util/showable';

/** Output of a command. Standard output carries results only; everything else goes to standard error. */
export interface Output {
  /** Prints one result line. */
  line(text: string): void;
  /** Prints a note for the person at the terminal. */
  note(text: string): void;
  readonly isTerminal: boolean;
  /** True if the result lines go to a terminal, where a person reads them and nothing stores them. Absent means false. */
  readonly hasTerminalForResults?: boolean;
  /** Transforms a text before it is cut to its space in a line; absent leaves it unchanged. */
  present?(text: string): string;
}

/**
 * Wraps the output of a command so that it leaves without secrets and escape sequences. A record stays a record: its texts are redacted one by one.
 * No command has to do this itself.
 */
export function presentedOutput(output: Output): Output {
  return {
    ...output,
    line: (text) => output.line(presentedLine(text)),
    note: (text) => output.note(presentedLine(text)),
    present: presentable,
  };
}

/** Wraps the output of a command with `--raw`: secrets stay, but a record still contains no character that a terminal obeys. */
export function rawOutput(output: Output): Output {
  return { ...output, line: (text) => output.line(text.startsWith('{') ? escapedJson(text) : text) };
}

/** Reports what went wrong in one line. It contains names of files and options, which anyone can have chosen. */
export function reportProblem(output: Output, message: string): void {
  output.note(presentableLine(message));
}

function presentedLine(text: string): string {
  if (!text.startsWith('{')) return presentable(text);
  try {
    return escapedJson(JSON.stringify(redactDeep(JSON.parse(text))));
  } catch {
    return presentable(text);
  }
}

/** Thrown if the command line was not understood or nothing could be read: exit code 2 and one clear line. */
export class UsageError extends Error {
  constructor(
    readonly reason: 'usage' | 'unreadable',
    message: string,
  ) {
    super(message);
  }
}

/** Formats a count as `12`, `1.9k` or `4.2M`. */
export function shortCount(value: number): string {
  if (value < 1000) return String(value);
  return value < 1_000_000 ? `${(value / 1000).toFixed(1)}k` : `${(value / 1_000_000).toFixed(1)}M`;
}
