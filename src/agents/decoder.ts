import type { TranscriptLine } from '../base/tail';
import type { AgentEvent, PlanItem, Problem } from '../core/model';
import type { SqlReader } from './sqlite/reader';

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
  /** The plan of its first session where reading begins, if that is not at the first line. */
  readonly plan?: readonly PlanItem[] | undefined;
  /** Reads databases; absent where none can be read. */
  readonly sqlite?: SqlReader;
  /** Text of a small file beside the transcript (at most 256 KB), undefined where it cannot be read. */
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
