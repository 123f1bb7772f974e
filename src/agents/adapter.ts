import type { AgentEvent, AgentId, Problem, TurnEnds } from '../core/model';
import type { Result } from '../base/util/result';
import type { SqlReader } from './sqlite/reader';

/** One framed line of a transcript. */
export interface TranscriptLine {
  /** Without its line break. Long strings inside may be cut down (util/cut): equal full strings stay equal, different ones different. */
  readonly text: string;
  /** 1-based; 0 while the lines before have not been counted. */
  readonly line: number;
  /** Byte offset of its first byte. */
  readonly offset: number;
}

/** Receiver of a decoder's events. Callbacks instead of arrays: the hot path allocates nothing per line. */
export interface DecodeSink {
  event(event: AgentEvent): void;
  problem(problem: Problem): void;
}

/** Facts of a database about a session before its records are read. */
export interface SessionHead {
  readonly session: string;
  readonly cwd?: string;
  readonly parent?: string;
  /** When it changed last, milliseconds since the epoch. */
  readonly modifiedAt: number;
}

/** A database holds many sessions: the listener chooses which to read, and learns how much of each was read. */
export interface DatabaseSink extends DecodeSink {
  /** Asked again at each reading while the answer is no. */
  wants(head: SessionHead): boolean;
  /**
   * Reports the number of records read of a session, and of the vendor's call markers in them, counted apart from decoding.
   * Before their events.
   */
  read(session: string, records: number, calls: number): void;
  /** `session`: where the problem is one of that session's records. */
  problem(problem: Problem, session?: string): void;
}

export interface DecoderContext {
  /** Absolute path of the transcript. */
  readonly file: string;
  /** Folder in which the agent works, if the place of its transcript shows it and the transcript may not. */
  readonly cwd?: string;
  /** Reads databases; absent where none can be read. */
  readonly sqlite?: SqlReader;
  /** Text of a small file beside the transcript (at most 64 KB), undefined where it cannot be read. */
  readonly readSmall: (path: string) => string | undefined;
}

/** Decodes an append-only transcript line by line. Never throws. */
export interface LineDecoder {
  readonly unit: 'line';
  decode(line: TranscriptLine, sink: DecodeSink): void;
  /** A line of another file of the same session (`SessionFiles.beside`). */
  beside?(file: string, line: TranscriptLine, sink: DecodeSink): void;
  /** All that the files of the session hold now was given. */
  settle?(sink: DecodeSink): void;
}

/** Decodes a transcript that is rewritten whole. Given the whole text each time, it emits only what is new. Never throws. */
export interface DocumentDecoder {
  readonly unit: 'document';
  decode(text: string, sink: DecodeSink): void;
}

/**
 * Decodes a database image: the bytes of the database and of its write-ahead log, which the decoder owns from then on. Emits only what is
 * new. Yields to the event loop; never rejects.
 */
export interface DatabaseDecoder {
  readonly unit: 'database';
  decode(database: Uint8Array, log: Uint8Array | null, sink: DatabaseSink): Promise<void>;
}

export type Decoder = LineDecoder | DocumentDecoder | DatabaseDecoder;

/** The decoders of decoders.ts. */
export type DecoderName =
  | 'claudeCode'
  | 'codex'
  | 'codexStream'
  | 'gemini'
  | 'geminiDocument'
  | 'opencode'
  | 'opencodeExport'
  | 'opencodeStream'
  | 'vscodeChat'
  | 'copilot'
  | 'qwen'
  | 'pi'
  | 'openhands'
  | 'openhandsDocument'
  | 'sweAgent'
  | 'miniSweAgent'
  | 'miniSweAgentLog'
  | 'aider'
  | 'clineConversation'
  | 'cline'
  | 'goose'
  | 'antigravity'
  | 'kimi'
  | 'kimiCode'
  | 'kiro'
  | 'crush'
  | 'cursor'
  | 'droid'
  | 'amp'
  | 'atif'
  | 'generic';

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

/** Everything Unstuck knows about one kind of agent. README.md of this folder says what a new agent takes. */
export interface AgentAdapter {
  readonly id: AgentId;
  /** Readable name: `Claude Code`. */
  readonly name: string;
  readonly unit: Decoder['unit'];
  locate(environment: LocateEnvironment): readonly TranscriptRoot[];
  /**
   * Returns whether a file with this head (its first 64 KB at most, cut at a line break where possible) is a transcript of this
   * agent. Unambiguous forms return `yes`; `maybe` loses against a `yes` of another adapter.
   */
  recognises(head: string, file: string): 'yes' | 'maybe' | 'no';
  /** `readSmall`: text of a small file beside the transcript, where the transcript itself does not say enough. */
  peek(head: string, file: string, readSmall?: DecoderContext['readSmall']): Peek;
  /** For agents that write one session into several files. `cwd`: where the session works, as far as it is known. */
  files?(file: string, cwd: string | undefined): SessionFiles;
  /** Longest delay between a call and its result in the transcript, milliseconds. Absent: with the next call at the latest. */
  readonly outcomesLateMs?: number;
  /** What decodes it: `createDecoder` of decoders.ts. */
  readonly decoder: DecoderName;
  /**
   * Byte sequences of which each step has exactly one in the raw bytes: the vendor's own call marker. Counted apart from the
   * decoder, so that a decoder that misses calls is noticed. Empty: this format has none, and docs/agents.md says so.
   */
  readonly callMarkers: readonly string[];
  /**
   * Returns how many of the `found` markers of a line are steps of this transcript, for formats that copy calls into records of
   * other kinds (requests, progress, forked history). Read from the line's envelope, never from the decoder; absent where all
   * are.
   */
  ownCalls?(text: string, found: number): number;
  /** The same for formats in which an earlier line says what a line is: one such function for each reading from the start. */
  createOwnCalls?(): (text: string, found: number) => number;
  /**
   * The records of one session of a database as text for a person, one per line: line n is the record that events name as line n. An error
   * is one sentence.
   */
  print?(
    sqlite: SqlReader,
    database: Uint8Array,
    log: Uint8Array | null,
    session: string,
  ): Promise<Result<string, string>>;
  /** Advice where a file is too large to be read: one sentence. */
  readonly tooLarge?: string;
  /** Live sessions by id; absent where the agent leaves no trace of its process. */
  liveness?(environment: LocateEnvironment, probe: LivenessProbe): ReadonlyMap<string, Liveness>;
  /**
   * Endings of transcript names in the workspace. Files whose head says for sure whose they are need no setting to be followed.
   */
  readonly workspaceFiles?: readonly string[];
  /** False where records have no time of their own; the time at which the followed file changed stands for it. */
  readonly writesTimes?: false;
  /** False where a tool that runs is not visible in the transcript: silence then needs more patience (docs/detectors.md, `stall`). */
  readonly showsRunningTool: boolean;
  /** Whether its turns end with a record of their own. */
  readonly turnEnds: TurnEnds;
  /** False where the format holds what was said and not what was called: that nothing was called then means nothing. */
  readonly holdsCalls?: false;
}
