/** Where a command writes. Standard output carries results only; everything else goes to standard error. */
export interface Output {
  /** One result line. */
  line(text: string): void;
  /** A note for the person at the terminal. */
  note(text: string): void;
  readonly isTerminal: boolean;
}

/** The command line was not understood, or nothing could be read: exit code 2 and one clear line. */
export class UsageError extends Error {
  constructor(
    readonly reason: 'usage' | 'unreadable',
    message: string,
  ) {
    super(message);
  }
}

/** `12`, `1.9k`, `4.2M`. */
export function count(value: number): string {
  if (value < 1000) return String(value);
  return value < 1_000_000 ? `${(value / 1000).toFixed(1)}k` : `${(value / 1_000_000).toFixed(1)}M`;
}
