import { counted } from '../../../base/util/counts';

/** Question of *Connect Agent…* before it writes. */
export interface ConnectQuestion {
  /** Name of the agent, as people know it. */
  readonly agent: string;
  readonly file: string;
  /** The file is not there yet. */
  readonly isNew: boolean;
  /** Lines that are added. */
  readonly added: number;
  /** Warnings that the person should read before, each a sentence. */
  readonly warnings: readonly string[];
}

/**
 * Words the change to the file, what runs from then on, and how to undo it: everything a person needs in order to agree, in the
 * length of a notification.
 */
export function connectQuestion({ agent, file, isNew, added, warnings }: ConnectQuestion): string {
  const change = isNew
    ? `The file ${file} is made: the editor shows it.`
    : `${counted(added, 'line is', 'lines are')} added to ${file}, nothing else changes: the editor shows it.`;
  return [
    `Connect ${agent}?`,
    ...warnings,
    change,
    'The hook runs with the agent’s tool calls, hands over a message where one waits, and leaves at once otherwise.',
    '“Disconnect Agent…” takes it out again.',
  ].join(' ');
}

/** Facts about an agent in the list of *Connect Agent…* or *Disconnect Agent…*. */
export interface ConnectFacts {
  /** Sessions of it that are listed here. */
  readonly sessions: number;
  /** Its program is on the PATH; null where that cannot be said. */
  readonly isFound: boolean | null;
  /** `works` and `none` are certain; anything else is said by `message`. */
  readonly connection: 'works' | 'none' | 'other';
  /** Degree to which a working connection is proven: `connected, proven`. */
  readonly proof: string;
  readonly file: string;
  /** One sentence about the connection. */
  readonly message: string;
}

/** Behind the agent's name: `2 sessions here, not connected`. Whoever has sessions here is found, whatever the PATH says. */
export function connectState({ sessions, isFound, connection, proof }: ConnectFacts): string {
  const program = isFound === null ? '' : isFound ? 'found on the PATH' : 'not found on the PATH';
  const works = sessions === 0 ? program : `${counted(sessions, 'session')} here`;
  const connected = { works: proof, none: 'not connected', other: '' }[connection];
  return [works, connected].filter((part) => part !== '').join(', ');
}

/** Below it: what will happen when it is picked. */
export function connectOutlook(verb: 'Connect' | 'Disconnect', { connection, file, message }: ConnectFacts): string {
  if (verb === 'Disconnect')
    return connection === 'none' ? 'Nothing to take out' : `Asks, then takes out what Unstuck wrote: ${file}`;
  if (connection === 'other') return message;
  return connection === 'works'
    ? `Tests what is written already: ${file}`
    : `Shows the change and asks before it writes: ${file}`;
}
