import { counted, whole } from '../../../base/util/counts';

/** One change that *Connect Agent…* would write. */
export interface ConnectChange {
  /** Name of the agent, as people know it. */
  readonly agent: string;
  readonly file: string;
  /** The file is not there yet. */
  readonly isNew: boolean;
  /** Lines that are added. */
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
  /** Leaves the changes in the editor, where a button in their title bar connects. */
  readonly read: string;
}

/**
 * Words the changes, what runs from then on, and how to undo it: everything a person needs in order to agree.
 *
 * @param nudges a nudge follows at once
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

/** Said once it is written. @param test what came of calling the hook */
export function connectedWords(agent: string, test: string): string {
  return `${agent} is connected; its next tool call will confirm it. ${test.replace(/\.?$/, '.')}`;
}

/** The same where a step is left for the person. */
export function setUpWords(agent: string, step: string): string {
  return `Unstuck is set up for ${agent}. ${step}`;
}

/** Facts about an agent in the list of *Connect Agent…* or *Disconnect Agent…*. */
export interface ConnectFacts {
  /** Sessions of it that are listed here. */
  readonly sessions: number;
  /** Its program is on the PATH; null where that cannot be said. */
  readonly isFound: boolean | null;
  /** `works`, `trust` (it waits for its user to trust the hook) and `none` are certain; anything else is said by `message`. */
  readonly connection: 'works' | 'trust' | 'none' | 'other';
  /** Degree to which a working connection is proven: `connected, proven`. */
  readonly proof: string;
  /** Folders of this window in which it is connected; of an agent that is connected once for all folders there is one. */
  readonly folders: { readonly connected: number; readonly all: number };
  /** Where there are several folders, its place within each. */
  readonly file: string;
  /** One sentence about the connection. */
  readonly message: string;
}

/** Behind the agent's name: `2 sessions here, not connected`. Whoever has sessions here is found, whatever the PATH says. */
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

/** Below it: what will happen when it is picked. */
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
