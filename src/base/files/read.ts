import * as fs from 'node:fs';
import { lstat, open, stat } from 'node:fs/promises';
import { fail, ok, type Result } from '../util/result';
import { type FileProblem, problemOf, problemOfError } from './problem';

export interface WholeOptions {
  /** Limit in bytes. A larger file is refused, even one that grows over the limit while it is read. */
  readonly limit: number;
  /** Refuses a symbolic link at the end of the path. Links to folders before it are followed. */
  readonly noFollow?: boolean;
}

export interface PartOptions {
  /** Offset in bytes; a negative one counts from the end of the file. */
  readonly from: number;
  /** Bytes, at most; fewer where the file ends earlier. */
  readonly length: number;
  readonly noFollow?: boolean;
}

/** Content of a regular file. */
export interface FileBytes {
  readonly bytes: Buffer<ArrayBuffer>;
  /** Size of the whole file when it was opened. */
  readonly size: number;
  /** Time of the last rename or change of the status, in milliseconds since the epoch. */
  readonly changedAt: number;
}

// Both are absent on Windows, which has no pipes among its files and lets only an administrator create a link.
const NO_FOLLOW = fs.constants.O_NOFOLLOW ?? 0;
const NO_WAIT = fs.constants.O_NONBLOCK ?? 0;

/** Bytes to read beyond the size that a file reports: files of /proc report 0. */
const FURTHER = 16 * 1024;

/** Reads a whole regular file. Never throws and never waits for another process: a file that is not regular is not read. */
export async function readBytes(path: string, options: WholeOptions): Promise<Result<FileBytes, FileProblem>> {
  return bounded(await read(path, wholeOf(options)), path, options);
}

/** Does the same as `readBytes` synchronously, for the few places that cannot wait. */
export function readBytesNow(path: string, options: WholeOptions): Result<FileBytes, FileProblem> {
  return bounded(readNow(path, wholeOf(options)), path, options);
}

/** Reads a whole regular file as UTF-8 text. Never throws. */
export async function readText(path: string, options: WholeOptions): Promise<Result<string, FileProblem>> {
  return text(await readBytes(path, options));
}

/** Does the same as `readText` synchronously. */
export function readTextNow(path: string, options: WholeOptions): Result<string, FileProblem> {
  return text(readBytesNow(path, options));
}

/** Reads a piece of a regular file of any size. Never throws. */
export function readPart(path: string, options: PartOptions): Promise<Result<FileBytes, FileProblem>> {
  return read(path, options);
}

/** Does the same as `readPart` synchronously. */
export function readPartNow(path: string, options: PartOptions): Result<FileBytes, FileProblem> {
  return readNow(path, options);
}

interface Request extends PartOptions {
  /** Bytes; a larger file is refused before any of it is read. */
  readonly largest?: number;
}

function wholeOf({ limit, noFollow }: WholeOptions): Request {
  // One byte more than is allowed shows that the file has grown over the limit.
  return { from: 0, length: limit + 1, largest: limit, ...(noFollow !== undefined && { noFollow }) };
}

function bounded(
  result: Result<FileBytes, FileProblem>,
  path: string,
  { limit }: WholeOptions,
): Result<FileBytes, FileProblem> {
  return result.ok && result.value.bytes.length > limit ? fail(problemOf('TOOLARGE', path)) : result;
}

function text(result: Result<FileBytes, FileProblem>): Result<string, FileProblem> {
  return result.ok ? ok(result.value.bytes.toString('utf8')) : result;
}

function flags({ noFollow }: Request): number {
  return fs.constants.O_RDONLY | NO_WAIT | (noFollow === true ? NO_FOLLOW : 0);
}

/** Returns the code for a file that must not be read; null for one that may be. */
function refusal(stats: fs.Stats, { largest }: Request): string | null {
  if (stats.isSymbolicLink()) return 'ELOOP';
  if (!stats.isFile()) return 'NOTFILE';
  return largest !== undefined && stats.size > largest ? 'TOOLARGE' : null;
}

async function read(path: string, request: Request): Promise<Result<FileBytes, FileProblem>> {
  try {
    // Opening a device can have an effect (a tape rewinds), so the name is checked first. A file that takes its place in the meantime is caught by
    // the check below.
    const wrong = refusal(request.noFollow === true ? await lstat(path) : await stat(path), request);
    if (wrong !== null) return fail(problemOf(wrong, path));
    const file = await open(path, flags(request));
    try {
      const stats = await file.stat();
      const changed = refusal(stats, request);
      if (changed !== null) return fail(problemOf(changed, path));
      const pieces = new Pieces(stats, request);
      for (let piece = pieces.next(); piece; piece = pieces.next()) {
        pieces.took(piece, (await file.read(piece, 0, piece.length, pieces.position)).bytesRead);
      }
      return ok(pieces.result());
    } finally {
      await file.close();
    }
  } catch (error) {
    return fail(problemOfError(error, path));
  }
}

function readNow(path: string, request: Request): Result<FileBytes, FileProblem> {
  try {
    // An exception costs ten times as much as the check, and most of these files do not exist.
    const quiet = { throwIfNoEntry: false } as const;
    const named = request.noFollow === true ? fs.lstatSync(path, quiet) : fs.statSync(path, quiet);
    const wrong = named ? refusal(named, request) : 'ENOENT';
    if (wrong !== null) return fail(problemOf(wrong, path));
    const descriptor = fs.openSync(path, flags(request));
    try {
      const stats = fs.fstatSync(descriptor);
      const changed = refusal(stats, request);
      if (changed !== null) return fail(problemOf(changed, path));
      const pieces = new Pieces(stats, request);
      for (let piece = pieces.next(); piece; piece = pieces.next()) {
        pieces.took(piece, fs.readSync(descriptor, piece, 0, piece.length, pieces.position));
      }
      return ok(pieces.result());
    } finally {
      fs.closeSync(descriptor);
    }
  } catch (error) {
    return fail(problemOfError(error, path));
  }
}

/** Collects the reads of one file up to its end or to the requested number of bytes. */
class Pieces {
  private readonly pieces: Buffer<ArrayBuffer>[] = [];
  private readonly start: number;
  private bytes = 0;
  private ended = false;

  constructor(
    private readonly stats: fs.Stats,
    private readonly request: Request,
  ) {
    this.start = request.from < 0 ? Math.max(0, stats.size + request.from) : request.from;
  }

  /** Offset in the file of the next piece. */
  get position(): number {
    return this.start + this.bytes;
  }

  /** Returns the room for the next read; null where nothing more is wanted. */
  next(): Buffer<ArrayBuffer> | null {
    const wanted = this.request.length - this.bytes;
    if (this.ended || wanted <= 0) return null;
    // The rest of the file and one byte, so that the next read finds its end.
    const rest = this.stats.size - this.position;
    return Buffer.allocUnsafe(Math.min(wanted, rest > 0 ? rest + 1 : FURTHER));
  }

  took(piece: Buffer<ArrayBuffer>, bytes: number): void {
    if (bytes === 0) this.ended = true;
    else this.pieces.push(piece.subarray(0, bytes));
    this.bytes += bytes;
  }

  result(): FileBytes {
    const [only] = this.pieces;
    const bytes = this.pieces.length === 1 && only ? only : Buffer.concat(this.pieces);
    return { bytes, size: this.stats.size, changedAt: this.stats.ctimeMs };
  }
}
