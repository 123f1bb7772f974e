import { type ParseArgsConfig, parseArgs } from 'node:util';
import { UsageError } from './output';

type Options = NonNullable<ParseArgsConfig['options']>;

/** Reads the words and options of one command. An unknown option or a missing value is a usage error of one clear line. */
export function readArguments<T extends Options>(command: string, args: readonly string[], options: T) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
  } catch (error) {
    throw new UsageError('usage', `unstuck ${command}: ${whatIsWrong(error)}. See 'unstuck ${command} --help'.`);
  }
}

/** Returns Node's own message, unless it would be unclear to a person: for a value that begins with a dash. */
function whatIsWrong(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const [, option] = /^Option '(?:-\w, )?(--[\w-]+)(?![\w-])[^']*' argument is ambiguous/.exec(message) ?? [];
  if (option !== undefined) return `${option} needs a value. Write one that begins with a dash as ${option}=-…`;
  return message.split('. ')[0]?.replace(/\.$/, '') ?? message;
}

/** Reads a time from the command line: ISO 8601 or milliseconds since the epoch. */
export function readTime(command: string, text: string): number {
  const value = /^\d+$/.test(text) ? Number(text) : Date.parse(text);
  if (Number.isFinite(value)) return value;
  throw new UsageError(
    'usage',
    `unstuck ${command}: "${text}" is not a time. Write it as 2026-11-20T18:53:50Z or in milliseconds.`,
  );
}
