/** Facts of the machine for finding transcripts. */
export interface LocateEnvironment {
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  /** Inside an editor: where it keeps what belongs to the open workspace, and the first folder of that. */
  readonly editor?: { readonly storage: string; readonly folder: string };
}

/** A folder in which an agent keeps transcripts. */
export interface TranscriptRoot {
  readonly path: string;
  /** Number of levels below `path` at which transcripts can lie; 0 is directly in it. */
  readonly depth: number;
  /** Returns whether this path (relative to `path`, with `/`) is a transcript. */
  readonly matches: (relativePath: string) => boolean;
  /** Returns whether this folder below the root (relative path with `/`) leads to transcripts. Absent: all do. */
  readonly enters?: (relativeFolder: string) => boolean;
  /**
   * Cheap test whether a folder below the root (relative path with `/`) can hold sessions of one of these workspace folders, for
   * agents that name folders after the project. False saves opening it; true promises nothing.
   */
  readonly mayBelong?: (relativeFolder: string, workspaceFolders: readonly string[]) => boolean;
  /**
   * With `mayBelong`: does this folder (relative path with `/`) hold sessions of one other working directory, or lead to them? Such folders
   * are looked at after the open folders' own, so that their sessions can be named. Not what lies below a session: its sub-agents.
   */
  readonly holdsOthers?: (relativeFolder: string) => boolean;
  /** Folder in which every writer below this root works: the folder that this window has open. */
  readonly cwd?: string;
}

/** The files of one session, for agents that write it into several. Absolute paths; none of them need exist. */
export interface SessionFiles {
  /** The one that is followed, where it exists. */
  readonly main: string;
  /** The others. They are read along with the first that is found. */
  readonly beside: readonly string[];
}

/** Facts about a session from the head of a transcript, without decoding it. */
export interface Peek {
  readonly session?: string;
  readonly cwd?: string;
  readonly parent?: string;
  /** The file does not lie where its working directory puts it: was it moved to where sessions of one of these folders lie? */
  readonly movedTo?: (folders: readonly string[]) => boolean;
}

export interface Liveness {
  /** False: its process is gone. */
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
  /** Start time of a process in the unit its platform uses (Linux: clock ticks, field 22 of /proc/pid/stat), null when it does not run. */
  readonly processStart: (pid: number) => string | null;
}
