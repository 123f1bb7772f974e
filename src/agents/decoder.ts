import type { TranscriptLine } from '../base/tail';
import type { AgentEvent, PlanItem, Problem } from '../core/model';
import type { SqlReader } from './sqlite/reader';

/** Receiver of a decoder's events. Callbacks instead of arrays: the hot path allocates nothing per line. */
export interface DecodeSink {
  event(event: AgentEvent): void;
  problem(problem: Problem): void;
}

/** Facts from a database about a session, before its records are read. */
export interface SessionHead {
  readonly session: string;
  readonly cwd?: string;
  readonly parent?: string;
  /** Time of the last change, in milliseconds since the epoch. */
  readonly modifiedAt: number;
}

/** Receiver for a database, which holds many sessions: the listener chooses which to read, and learns how much of each was read. */
export interface DatabaseSink extends DecodeSink {
  /** Returns whether to read the session. Called again at each reading while the answer is no. */
  wants(head: SessionHead): boolean;
  /**
   * Reports how many records of a session were read, and how many of the vendor's call markers are in them, counted independently of decoding. Called
   * before their events.
   */
  read(session: string, records: number, calls: number): void;
  /** `session`: given if the problem is in a record of that session. */
  problem(problem: Problem, session?: string): void;
}

export interface DecoderContext {
  /** Absolute path of the transcript. */
  readonly file: string;
  /** Folder in which the agent works, if the place of its transcript shows it and the transcript may not. */
  readonly cwd?: string;
  /** The plan of its first session at the point where reading begins, if that is not the first line. */
  readonly plan?: readonly PlanItem[] | undefined;
  /** Reads databases; absent if none can be read. */
  readonly sqlite?: SqlReader;
  /** Returns the text of a small file next to the transcript (at most 256 KB), undefined if it cannot be read. */
  readonly readSmall: (path: string) => string | undefined;
}

/** Decodes an append-only transcript line by line. Never throws. */
export interface LineDecoder {
  readonly unit: 'line';
  decode(line: TranscriptLine, sink: DecodeSink): void;
  /** Reads a line of another file of the same session (`SessionFiles.companions`). */
  decodeCompanion?(file: string, line: TranscriptLine, sink: DecodeSink): void;
  /** Called once everything that the session's files hold now was passed in. */
  settle?(sink: DecodeSink): void;
}

/** Decodes a transcript that is rewritten whole. It takes the whole text each time and emits only what is new. Never throws. */
export interface DocumentDecoder {
  readonly unit: 'document';
  decode(text: string, sink: DecodeSink): void;
}

/**
 * Decodes a database image: the bytes of the database and of its write-ahead log, which belong to the decoder from then on. Emits only what is new.
 * Yields to the event loop; never rejects.
 */
export interface DatabaseDecoder {
  readonly unit: 'database';
  decode(database: Uint8Array, log: Uint8Array | null, sink: DatabaseSink): Promise<void>;
}

export type Decoder = LineDecoder | DocumentDecoder | DatabaseDecoder;
