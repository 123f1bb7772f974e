import { fail, ok, type Result } from '../../base/util/result';

/** `SQLite format 3` and a NUL byte. */
const MAGIC = [0x53, 0x51, 0x4c, 0x69, 0x74, 0x65, 0x20, 0x66, 0x6f, 0x72, 0x6d, 0x61, 0x74, 0x20, 0x33, 0x00];
const HEADER = 100;
/** Magic numbers of a write-ahead log; the last bit is the byte order in which its checksums read words. */
const LOG_MAGIC = 0x377f0682;
const LOG_VERSION = 3_007_000;
const LOG_HEADER = 32;
const FRAME_HEADER = 24;
/** Size limit in bytes: a log can add as much to a database as it contains itself, and both have a limit of 256 MB. */
const LARGEST_IMAGE = 512 * 1024 * 1024;

export interface Overlay {
  /** A database that SQLite opens without a log. May share memory with the input. */
  readonly image: Uint8Array;
  /** Number of log frames that belong to committed transactions, and are in the image. */
  readonly frames: number;
}

/**
 * Returns a database in WAL mode as SQLite itself would read it: its pages, and over them those of the log up to the last commit. A frame counts if
 * it has the salts of the log's header and a correct checksum, which continues from frame to frame: anything after that is left from an earlier round
 * of the log, or half written (https://www.sqlite.org/fileformat2.html, section 4). Writes into the bytes that are passed in. Errors are one short
 * sentence.
 */
export function overlay(database: Uint8Array, log: Uint8Array | null): Result<Overlay, string> {
  const pages = log === null ? null : committedPages(log);
  if (pages === null || pages.frames === 0) {
    const problem = problemOf(database);
    if (problem !== null) return fail(problem);
    return ok({ image: withoutLog(database), frames: 0 });
  }
  const size = pages.count * pages.pageSize;
  if (size > LARGEST_IMAGE) return fail('it is larger than can be read');
  if (database.length > 0 && problemOf(database) === null && pageSizeOf(database) !== pages.pageSize) {
    return fail('its write-ahead log has another page size');
  }
  const image = grown(database, size);
  for (const [page, at] of pages.offsets) {
    if (page > pages.count) continue;
    image.set(pages.log.subarray(at, at + pages.pageSize), (page - 1) * pages.pageSize);
  }
  const problem = problemOf(image);
  return problem === null ? ok({ image: withoutLog(image), frames: pages.frames }) : fail(problem);
}

interface Pages {
  readonly log: Uint8Array;
  readonly pageSize: number;
  /** Number of pages of the database after the last commit. */
  readonly count: number;
  readonly frames: number;
  /** Offset in the log of the newest committed content of each page, by page number. */
  readonly offsets: ReadonlyMap<number, number>;
}

/** Returns null if there is no log, or none that can be used. */
function committedPages(log: Uint8Array): Pages | null {
  if (log.length < LOG_HEADER) return null;
  const view = new DataView(log.buffer, log.byteOffset, log.byteLength);
  const magic = view.getUint32(0);
  if ((magic & ~1) >>> 0 !== LOG_MAGIC || view.getUint32(4) !== LOG_VERSION) return null;
  const pageSize = view.getUint32(8);
  if (!isPageSize(pageSize)) return null;
  const little = (magic & 1) === 0;
  const [salt1, salt2] = [view.getUint32(16), view.getUint32(20)];
  let sum = checksum(view, 0, 24, little, [0, 0]);
  if (sum[0] !== view.getUint32(24) || sum[1] !== view.getUint32(28)) return null;

  const offsets = new Map<number, number>();
  /** Pages of the transaction being read: they count once it is committed. */
  let open: [number, number][] = [];
  let count = 0;
  let frames = 0;
  for (
    let at = LOG_HEADER, read = 1;
    at + FRAME_HEADER + pageSize <= log.length;
    at += FRAME_HEADER + pageSize, read++
  ) {
    const page = view.getUint32(at);
    if (page === 0 || view.getUint32(at + 8) !== salt1 || view.getUint32(at + 12) !== salt2) break;
    sum = checksum(view, at, 8, little, sum);
    sum = checksum(view, at + FRAME_HEADER, pageSize, little, sum);
    if (sum[0] !== view.getUint32(at + 16) || sum[1] !== view.getUint32(at + 20)) break;
    open.push([page, at + FRAME_HEADER]);
    const committed = view.getUint32(at + 4);
    if (committed === 0) continue;
    for (const [number, offset] of open) offsets.set(number, offset);
    open = [];
    count = committed;
    frames = read;
  }
  return { log, pageSize, count, frames, offsets };
}

type Sums = readonly [number, number];

/** Computes the checksum of the log's format over a multiple of 8 bytes, continued from `before`. */
function checksum(view: DataView, start: number, length: number, little: boolean, before: Sums): Sums {
  let [one, two] = before;
  for (let at = start; at < start + length; at += 8) {
    one = (one + view.getUint32(at, little) + two) >>> 0;
    two = (two + view.getUint32(at + 4, little) + one) >>> 0;
  }
  return [one, two];
}

function isPageSize(size: number): boolean {
  return size >= 512 && size <= 65_536 && (size & (size - 1)) === 0;
}

function pageSizeOf(database: Uint8Array): number {
  const size = ((database[16] ?? 0) << 8) | (database[17] ?? 0);
  return size === 1 ? 65_536 : size;
}

function problemOf(database: Uint8Array): string | null {
  if (database.length === 0) return 'the database is empty';
  if (database.length < HEADER || MAGIC.some((byte, at) => database[at] !== byte)) return 'not a SQLite database';
  return isPageSize(pageSizeOf(database)) ? null : 'not a SQLite database';
}

/** Returns the same bytes in a buffer of this size. */
function grown(database: Uint8Array, size: number): Uint8Array {
  if (size <= database.length) return database.subarray(0, size);
  const image = new Uint8Array(size);
  image.set(database);
  return image;
}

/** Sets version 1 for writing and reading: SQLite then does not look for a log. */
function withoutLog(image: Uint8Array): Uint8Array {
  image[18] = 1;
  image[19] = 1;
  return image;
}
