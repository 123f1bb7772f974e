import type { Problem } from '../util/problem';
import type { Disposable } from '../util/disposable';
import type { Log } from '../util/log';
import type { Timers } from '../beat';
import type { TailClock } from './pace/clock';
import type { TailFs } from './file-system';

/** One framed line of a growing file. */
export interface TranscriptLine {
  /** Without its line break, byte order mark and leading NUL bytes. Strings over 16 KB inside are cut down (util/cut). */
  readonly text: string;
  /** 1-based; 0 while the lines before have not been counted. */
  readonly line: number;
  /** Byte offset of its first byte. */
  readonly offset: number;
}

/** Where a line begins. */
export interface LinePlace {
  /** Byte offset of its first byte. */
  readonly offset: number;
  /** Number of lines before it. */
  readonly lines: number;
}

export type TailProblemCode =
  /** The file cannot be opened or read; `why` names the system's reason. Reported once until it can be read again. */
  | 'unreadable'
  /** A named pipe, device, socket or folder. Never opened. */
  | 'not-a-file'
  /** A line has so much structure that parts of it were left out even after its long strings were cut. */
  | 'line-too-large'
  /** A document over the size limit: not read. */
  | 'document-too-large'
  /** NUL bytes at the beginning of a line, left out. A writer that kept its offset after a truncation leaves such a hole. */
  | 'nul-bytes'
  /** A consumer's callback threw; the line counts as delivered. */
  | 'consumer';

/** Problem with a file, or with one line of it; `line` and `offset` are 0 where it concerns the whole file. */
export interface TailProblem extends Problem {
  readonly code: TailProblemCode;
}

/** Why a new generation of a file begins. Everything delivered from it before is void. */
export type ResetReason =
  /** Another file now has its name: atomic replace, rotation. */
  | 'replaced'
  /** It is shorter than what was read. */
  | 'truncated'
  /** Data already read is no longer there: the file was truncated and written longer, or overwritten. */
  | 'rewritten'
  /** It was deleted, or could not be found, and is back. */
  | 'reappeared';

export interface OpenOptions {
  /**
   * Unit that the consumer receives: lines, the whole text whenever it changed, or the bytes of a database and its write-ahead
   * log.
   */
  readonly unit: 'line' | 'document' | 'database';
  /**
   * A number, for lines only: so many bytes of the end, from the first full line there; line numbers are 0 until the lines before are counted.
   * A smaller file is read from its start.
   */
  readonly from: 'start' | number;
  /** Byte sequences that are counted in the raw bytes of each line or document. Overlaps of one with itself count once. */
  readonly markers: readonly string[];
  /** Last modification, milliseconds since the epoch: of many files opened at once, the newest goes first. */
  readonly modifiedAt?: number;
  /** `calls`: hits of the markers in the raw bytes of this line. */
  readonly line?: (line: TranscriptLine, calls: number) => void;
  /** `calls`: hits of the markers that were added since the text before, never negative. */
  readonly document?: (text: string, calls: number) => void;
  /** The next change is not read before the promise is settled. */
  readonly database?: (database: Uint8Array, log: Uint8Array | null) => void | Promise<void>;
  /** A new generation begins: forget what was decoded of this file. Its content follows from the start. */
  readonly reset?: (reason: ResetReason) => void;
  /** Everything the file held at the last check has been delivered. Called after each batch, and the first time for an empty file too. */
  readonly caughtUp?: () => void;
  /** The file is no longer there. The reader waits for it to come back (`reset('reappeared')`). */
  readonly gone?: () => void;
  readonly problem?: (problem: TailProblem) => void;
}

/** One open file. After `dispose` no callback comes. */
export interface Reader extends Disposable {
  readonly path: string;
  /** 1 for the first content of the file, one more with each reset. */
  readonly generation: number;
  /** Byte offset up to which lines were taken from the file; bytes of a partial last line included. */
  readonly offset: number;
  /** Offset at which reading began in this generation: 0, or the first full line of the tail. */
  readonly seedOffset: number;
  /**
   * Reads the file in idle time, oldest line first, with true numbers, as far as this reader has given lines; then calls `done` in the same
   * turn: the next line comes by `line` of the options, with its true number too. `replaced`: a new generation began meanwhile, or the
   * reader was disposed; what was given does not count. `from`: a line that lies before those that this reader gave. Absent: the first.
   */
  readHistory(
    line: (line: TranscriptLine, calls: number) => void,
    done: () => void,
    from?: LinePlace,
  ): Promise<'done' | 'replaced'>;
  /** Checks the file now, for a caller who knows that it changed. */
  poke(): void;
  /** Databases: delivers the content again although it did not change, for a consumer who wants more of it than before. */
  reread?(): void;
}

/** A file below a root whose path matches, that is not open. */
export interface Candidate {
  readonly path: string;
  readonly size: number;
  /** Milliseconds since the epoch. */
  readonly modifiedAt: number;
  readonly inode: number;
  /** False for files that the first walk found. */
  readonly appeared: boolean;
}

export interface RootOptions {
  /** Absolute. It need not exist: the nearest folder above that does is watched. */
  readonly path: string;
  /** Number of levels below `path` at which files can lie; 0 is directly in it. */
  readonly depth: number;
  /** Should this path (relative to `path`, with `/`) be reported? */
  readonly matches: (relativePath: string) => boolean;
  /** Should this folder (relative to `path`, with `/`) be opened and watched? Absent: all are. */
  readonly enters?: (relativeFolder: string) => boolean;
  /**
   * Called when a matching file is found and, while no reader has it open, again when it changes, at most every 2 s. Newest first in the
   * first walk. `never`: do not report it again while it is the same file.
   */
  readonly onFile: (candidate: Candidate) => 'never' | void;
  /**
   * Called once, when a folder is not entered because the limit of folders is reached. What is held goes on; folders that go make room for
   * new ones. `held`: folders of this root.
   */
  readonly onLimit?: (held: number) => void;
  /** The first walk is over. */
  readonly onWalked?: () => void;
}

/** The operating system's watcher refused; the folder is polled every 2 s instead. */
export interface WatchFailure {
  /** `EMFILE`, `ENOSPC` or another system code. */
  readonly code: string;
  /** Folder that could not be watched. */
  readonly path: string;
  /** Number of folders polled now. */
  readonly polled: number;
}

export interface TailOptions {
  readonly log: Log;
  readonly fs?: TailFs;
  readonly clock?: TailClock;
  /** Timers of looks at what is watched already. Those of the clock where absent. */
  readonly beat?: Timers;
  /** Uninterrupted work before the event loop gets its turn, milliseconds. Default 6. */
  readonly sliceMs?: number;
  /** Larger documents are not read, bytes. Default 64 MB. */
  readonly documentLimit?: number;
  /** The same for databases, and for their write-ahead logs. Default 256 MB. */
  readonly databaseLimit?: number;
  /** Limit of watched folders; the rest is polled. Default 4096. */
  readonly watchLimit?: number;
  /** Limit of folders that all roots hold together, watched or not; one root holds half of them at most. Default 20,000. */
  readonly folderLimit?: number;
}

/** Order in which the heads of files are read. */
export interface HeadOptions {
  /** It lies where only transcripts are expected: such files go before others. */
  readonly isExpected: boolean;
  /** Milliseconds since the epoch: newer files go first. */
  readonly modifiedAt: number;
}

/** Inspection of a head, in steps of a few milliseconds at most. It may have to wait between two of them. */
export type InspectHead = (head: string) => Generator<undefined, void>;

/** Follows growing files: finds them below roots, reads what is appended, frames it. One time budget for all reading. */
export interface Tail extends Disposable {
  watch(root: RootOptions): Disposable;
  open(path: string, options: OpenOptions): Reader;
  /** The first bytes of a file as text, at most `bytes` (default 64 KB), cut at a line break where there is one. Rejects with a `TailError`. */
  readHead(path: string, bytes?: number): Promise<string>;
  /**
   * Reads the head of a file and looks at it, when its turn comes: all such looks together have a quarter of the time, after 200 ms that they
   * may take at once. Rejects with a `TailError`. Settles without a look when the tail is disposed.
   */
  lookAtHead(path: string, options: HeadOptions, look: InspectHead): Promise<void>;
  /** Line breaks in the first `offset` bytes: 1 more is the line number there. In slices. Rejects with a `TailError`. */
  countLines(path: string, offset: number): Promise<number>;
  /** The watcher failed and polls instead; null when all folders are watched again. */
  onDidFailWatching(listener: (failure: WatchFailure | null) => void): Disposable;
}

export interface WholeFileOptions {
  readonly unit: 'line' | 'document' | 'database';
  readonly markers: readonly string[];
  readonly line?: (line: TranscriptLine, calls: number) => void;
  readonly document?: (text: string, calls: number) => void;
  readonly database?: (database: Uint8Array, log: Uint8Array | null) => void | Promise<void>;
  readonly problem?: (problem: TailProblem) => void;
  /** Bytes read so far. */
  readonly progress?: (bytes: number) => void;
  /** False: no more lines are wanted. */
  readonly isWanted?: () => boolean;
  readonly fs?: TailFs;
  readonly clock?: TailClock;
  readonly sliceMs?: number;
  readonly documentLimit?: number;
}
