import { counted, whole } from '../../../base/util/counts';

/** One change that *Connect Agent…* would write. */
export interface ConnectChange {
  /** Name of the agent, as people know it. */
  readonly agent: string;
  readonly file: string;
  /** True if the file does not exist yet. */
  readonly isNew: boolean;
  /** Number of lines that are added. */
  readonly added: number;
  /** Notes for the person before they agree, each a sentence. */
  readonly notes: readonly string[];
}

/** The dialog of *Connect Agent…* before it writes. */
export interface ConnectQuestion {
  readonly message: string;
  /** Lines. */
  readonly detail: readonly string[];
  readonly connect: string;
  /** Button that leaves the changes in the editor, where a button in their title bar connects. */
  readonly read: string;
}

/**
 * Describes the changes, what will run from then on, and how to undo it: everything a person needs in order to agree.
 *
 * @param nudges true if a nudge follows immediately
 */
export function connectQuestion(changes: readonly ConnectChange[], nudges: boolean): ConnectQuestion {
  const agents = [...new Set(changes.map(({ agent }) => agent))];
  const who = agents.length > 3 ? `${agents.length} kinds of agents` : agents.join(', ');
  return {
    message: nudges ? `Connect ${who} and send the nudge?` : `Connect ${who}?`,
    detail: [
      ...changes.flatMap((change) => [changeWords(change), ...change.notes]),
      '',
      'The hook delivers a message if one is waiting; otherwise it exits at once. Disconnect Agent… removes it.',
    ],
    connect: nudges ? 'Connect and Nudge' : 'Connect',
    read: 'Read First',
  };
}

function changeWords({ file, isNew, added }: ConnectChange): string {
  return isNew
    ? `Unstuck will create ${file}.`
    : `${counted(added, 'line is', 'lines are')} added to ${file}; nothing else changes.`;
}

/** Confirms that it was written. @param test outcome of calling the hook */
export function connectedWords(agent: string, test: string): string {
  return `${agent} is connected; its next tool call will confirm it. ${test.replace(/\.?$/, '.')}`;
}

/** The same where a step remains for the person. */
export function setUpWords(agent: string, step: string): string {
  return `Unstuck is set up for ${agent}. ${step}`;
}

/** Facts about an agent in the list of *Connect Agent…* or *Disconnect Agent…*. */
export interface ConnectFacts {
  /** Number of its sessions that are listed here. */
  readonly sessions: number;
  /** True if its program is on the PATH; null where that is unknown. */
  readonly isFound: boolean | null;
  /** `works`, `trust` (it waits for its user to trust the hook) and `none` are certain; anything else is described by `message`. */
  readonly connection: 'works' | 'trust' | 'none' | 'other';
  /** Degree to which a working connection is proven: `connected, proven`. */
  readonly proof: string;
  /** Number of folders of this window in which it is connected, and of all; 1 for an agent that is connected once for all folders. */
  readonly folders: { readonly connected: number; readonly all: number };
  /** Its path within each folder, where there are several. */
  readonly file: string;
  /** One sentence about the connection. */
  readonly message: string;
}

/** Describes an agent after its name: `2 sessions here, not connected`. An agent with sessions here counts as found, whatever is on the PATH. */
export function connectState({ sessions, isFound, connection, proof, folders }: ConnectFacts): string {
  const program = isFound === null ? '' : isFound ? 'found on the PATH' : 'not found on the PATH';
  const works = sessions === 0 ? program : `${counted(sessions, 'session')} here`;
  const trust = 'set up, waiting for you to trust the hook';
  const isPart = folders.connected > 0 && folders.connected < folders.all;
  const connected = isPart
    ? `connected in ${whole(folders.connected)} of ${counted(folders.all, 'folder')}`
    : { works: proof, trust, none: 'not connected', other: '' }[connection];
  return [works, connected].filter((part) => part !== '').join(', ');
}

/** Says, below it, what will happen if it is picked. */
export function connectOutlook(verb: 'Connect' | 'Disconnect', facts: ConnectFacts): string {
  const { connection, folders, message } = facts;
  const among = verb === 'Connect' ? folders.all : folders.connected;
  const file = folders.all > 1 ? `${facts.file} in ${counted(among, 'folder')}` : facts.file;
  if (verb === 'Disconnect')
    return connection === 'none' ? 'Nothing to remove' : `Asks, then removes what Unstuck wrote: ${file}`;
  if (connection === 'other' || connection === 'trust') return message;
  return connection === 'works'
    ? `Tests the existing connection: ${file}`
    : `Shows the change and asks before writing: ${file}`;
}
