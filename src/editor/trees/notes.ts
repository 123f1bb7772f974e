import { basename } from 'node:path';
import { whole } from '../../base/util/counts';
import { earlierRead, EMPTY_ROWS, lookFor, noneOfThisFolder, otherFolders } from '../../core/words';
import type { HiddenAgent } from '../connect/hidden-agents';

/** A line below the agents. */
export interface Note {
  readonly id: string;
  readonly text: string;
  readonly command?: string;
  /** Argument of the command. */
  readonly argument?: string;
  /** Name of a codicon. */
  readonly icon?: string;
}

export interface NotesInput {
  /** Number of sessions of folders that are not open and that the list leaves out. */
  readonly otherSessions: number;
  /** The same by place, while no agent is listed: where sessions were looked for and found. */
  readonly elsewhere?: readonly { readonly place: string; readonly sessions: number }[];
  /** Agents that work in a folder of this window and keep their files where it does not look. */
  readonly hidden?: readonly HiddenAgent[];
  /** True if no agent is listed. */
  readonly isEmpty?: boolean;
  /** Files that cannot be read, with what helps. `adapter` is null if the file does not belong to a single agent. */
  readonly unread: readonly {
    readonly adapter: { readonly name: string } | null;
    readonly file: string;
    readonly why: string;
  }[];
  /** Note about the connection to other machines. */
  readonly fleet?: Note | null;
  /** Numbers of earlier sessions that were read for the history, and of those with incidents. */
  readonly earlier: { readonly read: number; readonly withIncidents: number };
}

/** Number of files that are listed one by one. */
const MOST_UNREAD = 5;
/** Number of places that are listed while no agent is listed, those with the most sessions. */
const MOST_PLACES = 4;

/** Lists the notes to show below the agents. */
export function notesOf({
  otherSessions,
  elsewhere = [],
  hidden = [],
  isEmpty = false,
  unread,
  fleet,
  earlier,
}: NotesInput): readonly Note[] {
  const shown: Note[] = fleet ? [fleet] : [];
  // A view with a row shows no welcome, so the first offer of the welcome must then be among the rows.
  if (elsewhere.length > 0 || (isEmpty && hidden.length > 0))
    shown.push(
      { id: 'empty', text: EMPTY_ROWS.noAgent },
      { id: 'replay', text: EMPTY_ROWS.replay, command: 'unstuck.replay', icon: 'play' },
      { id: 'connect', text: EMPTY_ROWS.connect, command: 'unstuck.connect', icon: 'plug' },
    );
  for (const { place, sessions } of elsewhere.slice(0, MOST_PLACES))
    shown.push({ id: `looked ${place}`, text: noneOfThisFolder(place, sessions) });
  if (otherSessions > 0) {
    shown.push({ id: 'others', text: otherFolders(otherSessions), command: 'unstuck.showOtherFolders', icon: 'eye' });
  }
  for (const { agent, name, folder } of hidden)
    shown.push({
      id: `hidden ${agent}`,
      text: lookFor(name, folder),
      command: 'unstuck.connect',
      argument: agent,
      icon: 'eye',
    });
  for (const { adapter, file, why } of unread.slice(0, MOST_UNREAD)) {
    const text = `${basename(file)} is ${why}`;
    shown.push({ id: `unread ${file}`, text: adapter ? `${adapter.name}: ${text}` : text });
  }
  if (unread.length > MOST_UNREAD) {
    shown.push({
      id: 'unread',
      text: `${whole(unread.length - MOST_UNREAD)} more files were not read. The log lists them.`,
    });
  }
  if (earlier.read > 0) {
    const text = `${earlierRead(earlier.read, earlier.withIncidents)} Show`;
    shown.push({ id: 'earlier', text, command: 'unstuck.incidents.focus' });
  }
  return shown;
}
