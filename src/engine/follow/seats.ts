import type { AgentAdapter } from '../../agents/adapter';
import type { Session } from '../session/session';
import type { FoundFile } from './discovery';
import type { FollowedTranscript } from './followed-transcript';
import { type Room, roomFor, type Seated, SESSIONS_OF_FOLDERS } from './room';
import type { UnreadFiles } from './unread-files';

/** The engine as the seats see it: queries and commands. */
export interface SeatsHost {
  readonly sessions: ReadonlyMap<string, Session>;
  readonly files: ReadonlyMap<string, FollowedTranscript>;
  /** True if it is recent enough to be shown, or its process is alive. */
  readonly isShown: (session: Session) => boolean;
  readonly unread: Pick<UnreadFiles, 'leftOut'>;
  readonly close: (file: string) => void;
  readonly remove: (session: Session) => void;
}

/** Finds a seat for each session until there are too many, and then takes it from another one if it must. */
export class Seats {
  /** The newest session refused since one left, in the folders and elsewhere: an older one need not be compared again. */
  private readonly refused = new Map<boolean, { readonly writtenAt: number; readonly room: Room<never> }>();

  constructor(private readonly host: SeatsHost) {}

  /** True if there is room for one more session of a file. Another one may have to leave for it; what is left out is reported. */
  admits(found: FoundFile, adapter: AgentAdapter, session: string): boolean {
    const room = this.roomFor(found, session);
    switch (room.is) {
      case 'free':
        return true;
      case 'made':
        this.leave(room.by, found.path);
        return true;
      case 'none':
        this.host.unread.leftOut(found.path, adapter, session, found.inFolder);
        return false;
    }
  }

  /** Called when a session is no longer followed. */
  left(): void {
    this.refused.clear();
  }

  private roomFor({ path, inFolder, modifiedAt }: FoundFile, session: string): Room<Session> {
    const { sessions, files } = this.host;
    if (sessions.size < SESSIONS_OF_FOLDERS) return { is: 'free' };
    const writtenAt = files.get(path)?.writtenAt(session) ?? modifiedAt;
    const before = this.refused.get(inFolder);
    if (before && writtenAt <= before.writtenAt) return before.room;
    const seated = Array.from(sessions.values(), (one) => this.seated(one));
    // No session leaves a file that is being read.
    const room = roomFor({ inFolder, writtenAt }, seated, (one) => one.session.options.file === path);
    if (room.is === 'none') this.refused.set(inFolder, { writtenAt, room });
    return room.is === 'made' ? { is: 'made', by: room.by.session } : room;
  }

  /** Closes a file whose last session leaves, unless it is being read. It is read from its beginning once it changes. */
  private leave(session: Session, reading: string): void {
    const { files, unread, close, remove } = this.host;
    const { file, session: key } = session.options;
    const main = files.get(file);
    if (main) unread.leftOut(file, main.adapter, key, main.inFolder);
    for (const open of files.values()) {
      if (!open.sessions.has(session)) continue;
      if (open.sessions.size === 1 && open.file !== reading) close(open.file);
      else open.drop(session);
    }
    remove(session);
  }

  private seated(session: Session): Seated & { readonly session: Session } {
    const { file: path, session: name } = session.options;
    const file = this.host.files.get(path);
    const inFolder = file?.inFolder ?? false;
    const isShown = this.host.isShown(session);
    // A transcript written into a folder can name any session that has a live process.
    const lives = !inFolder && session.liveness?.alive === true;
    return { session, inFolder, isShown, writtenAt: lives ? Number.POSITIVE_INFINITY : (file?.writtenAt(name) ?? 0) };
  }
}
