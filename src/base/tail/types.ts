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
  /** 1-based; 0 while the preceding lines have not been counted. */
  readonly line: number;
  /** Byte offset of its first byte. */
  readonly offset: number;
}

/** Start of a line. */
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
  /** NUL bytes at the beginning of a line, which are left out. A writer that kept its offset after a truncation leaves such a hole. */
  | 'nul-bytes'
  /** A consumer's callback threw; the line counts as delivered. */
  | 'consumer';

/** Problem with a file, or with one line of it; `line` and `offset` are 0 where it concerns the whole file. */
export interface TailProblem extends Problem {
  readonly code: TailProblemCode;
}

/** Reason why a new generation of a file begins. Everything delivered from it before is void. */
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
   * A number, for lines only, is the size of the tail to read, in bytes, from its first full line; line numbers are 0 until the preceding lines are
   * counted. A smaller file is read from its start.
   */
  readonly from: 'start' | number;
  /** Byte sequences that are counted in the raw bytes of each line or document. Overlaps of a sequence with itself count once. */
  readonly markers: readonly string[];
  /** Last modification, in milliseconds since the epoch: of many files opened at once, the newest goes first. */
  readonly modifiedAt?: number;
  /** `calls`: hits of the markers in the raw bytes of this line. */
  readonly line?: (line: TranscriptLine, calls: number) => void;
  /** `calls`: hits of the markers that were added since the previous text, never negative. */
  readonly document?: (text: string, calls: number) => void;
  /** The next change is not read before the promise is settled. */
  readonly database?: (database: Uint8Array, log: Uint8Array | null) => void | Promise<void>;
  /** Called when a new generation begins: everything decoded from this file must be forgotten. Its content follows from the start. */
  readonly reset?: (reason: ResetReason) => void;
  /** Called after each batch, when everything that the file held at the last check has been delivered; the first time even for an empty file. */
  readonly caughtUp?: () => void;
  /** Called when the file is no longer there. The reader waits for it to come back (`reset('reappeared')`). */
  readonly gone?: () => void;
  readonly problem?: (problem: TailProblem) => void;
}

/** One open file. After `dispose` no callback is called. */
export interface Reader extends Disposable {
  readonly path: string;
  /** 1 for the first content of the file, one more with each reset. */
  readonly generation: number;
  /** Byte offset up to which lines were taken from the file, including the bytes of a partial last line. */
  readonly offset: number;
  /** Offset at which reading began in this generation: 0, or the first full line of the tail. */
  readonly seedOffset: number;
  /**
   * Reads the file in idle time, oldest line first, with correct numbers, up to the last line that this reader has delivered. Then it calls `done` in
   * the same turn, so that the next line comes through `line` of the options, with its correct number too. `replaced` means that a new generation
   * began in the meantime, or the reader was disposed; the delivered lines do not count. `from`: a line before those that this reader delivered;
   * where absent, the first line.
   */
  readHistory(
    line: (line: TranscriptLine, calls: number) => void,
    done: () => void,
    from?: LinePlace,
  ): Promise<'done' | 'replaced'>;
  /** Checks the file now, for a caller that knows it has changed. */
  poke(): void;
  /** For databases: delivers the content again although it has not changed, for a consumer that wants more of it than before. */
  reread?(): void;
}

/** A file below a root whose path matches and that is not open. */
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
  /** Absolute. It need not exist: its nearest existing parent is watched. */
  readonly path: string;
  /** Number of levels below `path` at which files can be; 0 is directly in it. */
  readonly depth: number;
  /** Returns whether this path (relative to `path`, with `/`) is reported. */
  readonly matches: (relativePath: string) => boolean;
  /** Returns whether this folder (relative to `path`, with `/`) is opened and watched. Where absent, all are. */
  readonly enters?: (relativeFolder: string) => boolean;
  /**
   * Called when a matching file is found and, while no reader has it open, again when it changes, at most every 2 s. Newest first in the
   * first walk. `never`: do not report it again while it is the same file.
   */
  readonly onFile: (candidate: Candidate) => 'never' | void;
  /**
   * Called once, when a folder is not entered because the limit of folders is reached. Folders already held are still followed; removed folders make
   * room for new ones. `held`: folders of this root.
   */
  readonly onLimit?: (held: number) => void;
  /** Called when the first walk is over. */
  readonly onWalked?: () => void;
}

/** A watch that the operating system refused; the folder is polled every 2 s instead. */
export interface WatchFailure {
  /** `EMFILE`, `ENOSPC` or another system code. */
  readonly code: string;
  /** Number of folders that are polled now. */
  readonly polled: number;
}

export interface TailOptions {
  readonly log: Log;
  readonly fs?: TailFs;
  readonly clock?: TailClock;
  /** Timers for checks of what is already watched. Where absent, those of the clock. */
  readonly beat?: Timers;
  /** Size limit of documents; larger ones are not read. Bytes, default 64 MB. */
  readonly documentLimit?: number;
  /** The same for databases, and for their write-ahead logs. Default 256 MB. */
  readonly databaseLimit?: number;
  /** Limit of watched folders; the rest is polled. Default 4096. */
  readonly watchLimit?: number;
  /** Limit of folders that all roots hold together, watched or not; one root holds at most half of them. Default 20,000. */
  readonly folderLimit?: number;
}

/** Order in which the heads of files are read. */
export interface HeadOptions {
  /** True if it is where only transcripts are expected: such files go before others. */
  readonly isExpected: boolean;
  /** Milliseconds since the epoch: newer files go first. */
  readonly modifiedAt: number;
}

/** Inspection of a head, in steps of at most a few milliseconds. It may have to wait between two of them. */
export type InspectHead = (head: string) => Generator<undefined, void>;

/** Follows growing files: finds them below roots, reads appended data, frames it. One time budget for all reading. */
export interface Tail extends Disposable {
  watch(root: RootOptions): Disposable;
  open(path: string, options: OpenOptions): Reader;
  /**
   * Returns the first bytes of a file as text, at most `bytes` (default 64 KB), cut at a line break where there is one. Rejects with a `TailError`.
   */
  readHead(path: string, bytes?: number): Promise<string>;
  /**
   * Reads the head of a file and inspects it when its turn comes: all such inspections together get a quarter of the time, after an initial 200 ms
   * without waiting. Rejects with a `TailError`. Settles without an inspection when the tail is disposed.
   */
  lookAtHead(path: string, options: HeadOptions, look: InspectHead): Promise<void>;
  /** Counts the line breaks in the first `offset` bytes, in slices: the line number there is 1 more. Rejects with a `TailError`. */
  countLines(path: string, offset: number): Promise<number>;
  /** Reports that the watcher failed and folders are polled instead; null when all folders are watched again. */
  onDidFailWatching(listener: (failure: WatchFailure | null) => void): Disposable;
}

export interface WholeFileOptions {
  readonly unit: 'line' | 'document' | 'database';
  readonly markers: readonly string[];
  readonly line?: (line: TranscriptLine, calls: number) => void;
  readonly document?: (text: string, calls: number) => void;
  readonly database?: (database: Uint8Array, log: Uint8Array | null) => void | Promise<void>;
  readonly problem?: (problem: TailProblem) => void;
  /** Reports the number of bytes read so far. */
  readonly progress?: (bytes: number) => void;
  /** False if no more lines are wanted. */
  readonly isWanted?: () => boolean;
  readonly fs?: TailFs;
  readonly documentLimit?: number;
}
