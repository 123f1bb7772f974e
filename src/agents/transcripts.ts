import type { DataPlace } from '../base/files';

/** Facts about the machine, for finding transcripts. */
export interface LocateEnvironment extends DataPlace {
  /** Inside an editor: its storage for the open workspace, and the workspace's first folder. */
  readonly editor?: { readonly storage: string; readonly folder: string };
}

/** A folder in which an agent keeps transcripts. */
export interface TranscriptRoot {
  readonly path: string;
  /** Number of levels below `path` at which transcripts can be; 0 is directly in it. */
  readonly depth: number;
  /** Returns whether this path (relative to `path`, with `/`) is a transcript. */
  readonly matches: (relativePath: string) => boolean;
  /** Returns whether this folder below the root (relative path with `/`) leads to transcripts. Absent: all do. */
  readonly enters?: (relativeFolder: string) => boolean;
  /**
   * Returns whether a folder below the root (relative path with `/`) can hold sessions of one of these workspace folders: a cheap test, for agents
   * that name folders after the project. False saves opening it; true promises nothing.
   */
  readonly mayBelong?: (relativeFolder: string, workspaceFolders: readonly string[]) => boolean;
  /**
   * With `mayBelong`: returns whether this folder (relative path with `/`) holds sessions of one other working directory, or leads to them. Such
   * folders are read after the open folders' own, so that their sessions can be named. False below a session, where its sub-agents are.
   */
  readonly holdsOthers?: (relativeFolder: string) => boolean;
  /** Folder in which every writer below this root works: the one that is open in this window. */
  readonly cwd?: string;
}

/** The files of one session, for agents that write it into several. Absolute paths; none of the files need exist. */
export interface SessionFiles {
  /** The file that is followed, if it exists. */
  readonly main: string;
  /** The others. They are read along with the first one that is found. */
  readonly companions: readonly string[];
}

/** Facts about a session from the head of a transcript, without decoding it. */
export interface Peek {
  readonly session?: string;
  readonly cwd?: string;
  readonly parent?: string;
  /**
   * Given if the file is not where its working directory would put it: returns whether it was moved to the place for sessions of one of these
   * folders.
   */
  readonly movedTo?: (folders: readonly string[]) => boolean;
}

export interface Liveness {
  /** False: the session's process is gone. */
  readonly alive: boolean;
  readonly pid?: number;
  readonly status?: 'idle' | 'busy' | 'waiting';
  readonly waitingFor?: 'permission' | 'question';
  /** Milliseconds since the epoch of the last change of `status`. */
  readonly since?: number;
}

/** File and process access for liveness, passed in so that tests need neither. */
export interface LivenessProbe {
  readonly list: (folder: string) => readonly string[];
  readonly read: (path: string) => string | undefined;
  /** Returns the start time of a process in the platform's unit (Linux: clock ticks, field 22 of /proc/pid/stat), null if it is not running. */
  readonly processStart: (pid: number) => string | null;
}
