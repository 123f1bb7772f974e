import type { AgentAdapter } from '../../agents/adapter';
import { cleanLine } from '../../base/util/showable';
import { SESSIONS_IN_ALL, SESSIONS_OF_FOLDERS } from './room';

/** Files that are named: this many from the agents' own stores, and this many from the open folders. The last ones to lose a session are kept. */
const MOST_NAMED = 20;
/** Characters of a session's name that are kept. */
const MOST_OF_A_NAME = 60;

/** Transcripts with a session that is not followed because there are too many. */
export class LeftOutTranscripts {
  private readonly inStores = new Map<string, Unread>();
  private readonly inFolders = new Map<string, Unread>();

  /** Returns the newest first; agents' own stores come before the open folders, so that nothing in a folder hides what is lost there. */
  all(): readonly Unread[] {
    return [...[...this.inStores.values()].reverse(), ...[...this.inFolders.values()].reverse()];
  }

  /**
   * Notes the first session of a file that is left out.
   *
   * @param inFolder the file is in an open folder
   * @returns what to report; null if the file is named already
   */
  add(file: string, adapter: AgentAdapter, session: string, inFolder: boolean): Unread | null {
    const named = inFolder ? this.inFolders : this.inStores;
    if (named.has(file)) return null;
    const limit = inFolder
      ? `of the transcripts in the open folders, only the newest ${SESSIONS_OF_FOLDERS} sessions are followed`
      : `only the newest ${SESSIONS_IN_ALL} sessions are followed`;
    const name = cleanLine(session).slice(0, MOST_OF_A_NAME);
    const why = `left out, in whole or in part (session ${name}): ${limit}. Lower unstuck.sessions.maxAge to follow fewer old ones, or delete old transcripts.`;
    const [oldest] = named.keys();
    if (named.size >= MOST_NAMED && oldest !== undefined) named.delete(oldest);
    const unread = { adapter, file, why };
    named.set(file, unread);
    return unread;
  }

  /** Forgets a file, because it is read from its beginning. */
  delete(file: string): void {
    this.inStores.delete(file);
    this.inFolders.delete(file);
  }

  clear(): void {
    this.inStores.clear();
    this.inFolders.clear();
  }
}

/** A file that cannot be read, or a folder of which only a part is followed, and the remedy. */
export interface Unread {
  /** Null if it does not concern a single agent. */
  readonly adapter: AgentAdapter | null;
  readonly file: string;
  /** One or two sentences. */
  readonly why: string;
}
