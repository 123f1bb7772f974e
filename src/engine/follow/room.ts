/** Number of sessions followed at a time, in all files: each takes 35 KB of memory and more. */
export const SESSIONS_IN_ALL = 1_000;
/**
 * Number of those whose transcripts may be in the open folders. A repository can bring such files, so they get a fifth: more than agents keep in one
 * project, and the agents' own stores have 800 left.
 */
export const SESSIONS_OF_FOLDERS = 200;

/** Facts that decide whether a session is followed when there are too many. */
export interface FollowPriority {
  /** Its transcript is in an open folder, not in its agent's own store. */
  readonly inFolder: boolean;
  /** When it was last written, milliseconds since the epoch; infinite while its process is alive. */
  readonly writtenAt: number;
}

/** `none`: only `limit` sessions are followed, and all of them come first. */
export type Room<One> =
  | { readonly is: 'free' }
  | { readonly is: 'made'; readonly by: One }
  | { readonly is: 'none'; readonly limit: number };

/** A session that is followed. */
export interface Seated extends FollowPriority {
  /** False if it is too old to be shown. */
  readonly isShown: boolean;
}

/**
 * Decides whether one more session is followed. The newest are. Sessions of the open folders have a part of the room, and make room for those of the
 * agents' own stores, never the other way round.
 *
 * @param followed all sessions that are followed
 * @param stays true for one that may not make room
 */
export function roomFor<One extends Seated>(
  newcomer: FollowPriority,
  followed: Iterable<One>,
  stays: (one: One) => boolean,
): Room<One> {
  let all = 0;
  let inFolders = 0;
  let first: One | undefined;
  let firstInFolders: One | undefined;
  for (const one of followed) {
    all++;
    if (one.inFolder) inFolders++;
    if (stays(one) || !makesRoom(one, newcomer)) continue;
    if (!first || goesBefore(one, first)) first = one;
    if (one.inFolder && (!firstInFolders || goesBefore(one, firstInFolders))) firstInFolders = one;
  }
  if (newcomer.inFolder && inFolders >= SESSIONS_OF_FOLDERS) return made(firstInFolders, SESSIONS_OF_FOLDERS);
  return all < SESSIONS_IN_ALL ? { is: 'free' } : made(first, SESSIONS_IN_ALL);
}

function made<One>(by: One | undefined, limit: number): Room<One> {
  return by === undefined ? { is: 'none', limit } : { is: 'made', by };
}

function makesRoom(one: Seated, newcomer: FollowPriority): boolean {
  if (!one.isShown) return true;
  return one.inFolder === newcomer.inFolder ? one.writtenAt < newcomer.writtenAt : one.inFolder;
}

function goesBefore(one: Seated, other: Seated): boolean {
  if (one.isShown !== other.isShown) return !one.isShown;
  return one.inFolder === other.inFolder ? one.writtenAt < other.writtenAt : one.inFolder;
}
