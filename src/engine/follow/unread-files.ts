import { LeftOutTranscripts, type Unread } from './left-out';
import type { AgentAdapter } from '../../agents/adapter';
import type { Log } from '../../base/util/log';

/** Names for what concerns no single file; for a folder, this text and its path. */
const TOO_MANY_FOLDERS = 'too many folders: ';
const TOO_MANY_FILES = 'too many transcripts: ';
const NO_DESCRIPTORS = 'too many open files';
/** Number of files with a left-out session that the log names. */
const MOST_LOGGED = 100;

/** Files that are not followed, with the reason: each reason is shown once, next to the agents and in the log, until it no longer applies. */
export class UnreadFiles {
  private readonly unread = new Map<string, Unread>();
  private readonly left = new LeftOutTranscripts();
  /** The files with a left-out session that the log names. */
  private readonly logged = new Set<string>();

  constructor(
    private readonly log: Pick<Log, 'warn'>,
    private readonly changed: (key: string) => void,
  ) {}

  all(): Unread[] {
    return [...this.unread.values(), ...this.left.all()];
  }

  /** Notes a file that is too large; its reader has already logged that. */
  trouble(file: string, adapter: AgentAdapter, why: string): void {
    this.unread.set(file, { adapter, file, why });
  }

  unreadable(file: string, adapter: AgentAdapter, reason: 'permission' | 'descriptors'): void {
    switch (reason) {
      case 'permission': {
        const why = 'not readable: permission was denied. It is followed as soon as your user may read it.';
        return this.report(file, { adapter, file, why });
      }
      case 'descriptors': {
        const why = 'not read: too many files are open. Raise the limit (ulimit -n) and start the program again.';
        return this.report(NO_DESCRIPTORS, { adapter, file, why });
      }
    }
  }

  /**
   * Notes that a session of a file is left out because there are too many.
   *
   * @param inFolder the file is in an open folder
   */
  leftOut(file: string, adapter: AgentAdapter, session: string, inFolder: boolean): void {
    const unread = this.left.add(file, adapter, session, inFolder);
    if (!unread) return;
    this.changed(file);
    if (this.logged.has(file) || this.logged.size > MOST_LOGGED) return;
    this.logged.add(file);
    if (this.logged.size <= MOST_LOGGED) this.log.warn(`${file} is ${unread.why}`);
    else this.log.warn(`sessions of more than ${MOST_LOGGED} files are left out: further ones are not listed`);
  }

  /** Called when a file is followed from its beginning. */
  opened(file: string): void {
    this.left.delete(file);
  }

  /** @param held folders below this one that are followed */
  tooManyFolders(root: string, adapter: AgentAdapter | null, held: number): void {
    const why = `followed only in part: ${held} of its folders. Delete old ones, or open a subfolder.`;
    this.report(`${TOO_MANY_FOLDERS}${root}`, { adapter, file: root, why });
  }

  /** @param reported transcripts of this folder that are followed */
  tooManyFiles(folder: string, reported: number): void {
    const why = `followed only in part: ${reported} of its transcripts, and the others once they change. Delete old ones, or open a subfolder.`;
    this.report(`${TOO_MANY_FILES}${folder}`, { adapter: null, file: folder, why });
  }

  /** Called when a file could be opened, which means that descriptors are available again too. */
  readable(file: string): void {
    this.unread.delete(file);
    this.unread.delete(NO_DESCRIPTORS);
  }

  /** Called when a file is read. */
  read(file: string): void {
    this.unread.delete(file);
  }

  /** Starts to count again, because other folders are watched now. */
  recount(): void {
    this.left.clear();
    for (const key of this.unread.keys())
      if (key.startsWith(TOO_MANY_FOLDERS) || key.startsWith(TOO_MANY_FILES)) this.unread.delete(key);
  }

  private report(key: string, unread: Unread): void {
    if (this.unread.has(key)) return;
    this.unread.set(key, unread);
    this.log.warn(`${unread.file} is ${unread.why}`);
    this.changed(key);
  }
}
