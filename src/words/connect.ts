/** What *Connect Agent…* asks before it writes. */
export interface ConnectQuestion {
  /** Name of the agent, as people know it. */
  readonly agent: string;
  readonly file: string;
  /** The file is not there yet. */
  readonly isNew: boolean;
  /** Lines that are added. */
  readonly added: number;
  /** What the person should know before, each a sentence. */
  readonly warnings: readonly string[];
}

/** Which file changes and how, what runs from then on, and how to undo it: what a person has to know to agree, in the length of a notification. */
export function connectQuestion({ agent, file, isNew, added, warnings }: ConnectQuestion): string {
  const lines = added === 1 ? '1 line is' : `${added} lines are`;
  const change = isNew ? `The file ${file} is made` : `${lines} added to ${file}, nothing else changes`;
  return [
    `Connect ${agent}?`,
    ...warnings,
    `${change}: the editor shows it.`,
    'The hook runs with the agent’s tool calls, hands over a message where one waits, and leaves at once otherwise.',
    '“Disconnect Agent…” takes it out again.',
  ].join(' ');
}
