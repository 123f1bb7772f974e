import { open, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Breather, createBreather } from '../breathe';
import { isAbsent } from '../errors';
import { type JournalName, decodeLine, journalFile, parseJournalName } from './journal-format';
import { RECORD_VERSION, type StoreRecord } from './records';

const CHUNK = 256 * 1024;
/** No record is nearly as long; data without line feeds must not fill the memory. */
const LONGEST_LINE = 4 * 1024 * 1024;

/** Content of a journal. */
export interface JournalReading {
  /** Offset after the last whole line. */
  readonly end: number;
  /** Lines that failed their checksum or exceed the limit: the disk lost what had been written. */
  readonly damaged: number;
  /** All lines that were read, including damaged and unknown ones. */
  readonly lines: number;
  /** Written by a newer version: none of it is used, and it must not be deleted. */
  readonly newer: boolean;
}

/** Lists all journals of a folder, in order of their names; none for an absent folder. */
export async function listJournals(folder: string): Promise<readonly JournalName[]> {
  let files: string[];
  try {
    files = await readdir(folder);
  } catch (error) {
    if (isAbsent(error)) return [];
    throw error;
  }
  return files.sort().flatMap((file) => parseJournalName(file) ?? []);
}

/** Reads the whole lines from `start` on. Returns undefined if the file is gone. */
export async function readJournal(
  path: string,
  start: number,
  onRecord: (record: StoreRecord) => void,
  breather: Breather = createBreather(),
): Promise<JournalReading | undefined> {
  let handle;
  try {
    // A folder in its place cannot be read, and a pipe cannot even be opened without waiting.
    if (!(await stat(path)).isFile()) return { end: start, damaged: 1, lines: 0, newer: false };
    handle = await open(path, 'r');
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw error;
  }
  let end = start;
  let damaged = 0;
  let lines = 0;
  let rest: Buffer = Buffer.alloc(0);
  /** True within a line that is too long to be one: it is skipped up to its line feed. */
  let isTooLong = false;
  try {
    const buffer = Buffer.allocUnsafe(CHUNK);
    for (;;) {
      const { bytesRead } = await handle.read(buffer, 0, CHUNK, end + rest.length);
      if (bytesRead === 0) return { end, damaged, lines, newer: false };
      breather.restart();
      const chunk =
        rest.length === 0 ? buffer.subarray(0, bytesRead) : Buffer.concat([rest, buffer.subarray(0, bytesRead)]);
      let position = 0;
      for (let feed = chunk.indexOf(10, position); feed >= 0; feed = chunk.indexOf(10, position)) {
        const record = isTooLong ? 'unknown' : decodeLine(chunk.toString('utf8', position, feed));
        isTooLong = false;
        lines++;
        end += feed + 1 - position;
        position = feed + 1;
        if (record === 'damaged') damaged++;
        else if (record !== 'unknown') {
          if (record.k === 'journal' && record.v > RECORD_VERSION) return { end, damaged, lines, newer: true };
          onRecord(record);
        }
        const pause = breather.breathe();
        if (pause) await pause;
      }
      rest = Buffer.from(chunk.subarray(position));
      if (isTooLong || rest.length > LONGEST_LINE) {
        if (!isTooLong) damaged++;
        isTooLong = true;
        end += rest.length;
        rest = Buffer.alloc(0);
      }
      breather.note();
    }
  } finally {
    await handle.close();
  }
}

/** Follows the journals of the other windows. */
export interface JournalFollower {
  /** Passes on what was appended since the last time. */
  read(onRecord: (record: StoreRecord) => void): Promise<void>;
}

export function createJournalFollower(folder: string, isOwn: (base: string) => boolean): JournalFollower {
  const known = new Map<string, { end: number; newer: boolean }>();
  return {
    async read(onRecord) {
      const breather = createBreather();
      const present = new Set<string>();
      for (const name of await listJournals(folder)) {
        present.add(name.base);
        const before = known.get(name.base);
        if (isOwn(name.base) || before?.newer) continue;
        const start = before?.end ?? 0;
        // Sealed between listing and reading: the same bytes are under the other name.
        const reading =
          (await readJournal(join(folder, journalFile(name.base, name.sealed)), start, onRecord, breather)) ??
          (await readJournal(join(folder, journalFile(name.base, !name.sealed)), start, onRecord, breather));
        if (reading) known.set(name.base, { end: reading.end, newer: reading.newer });
      }
      for (const base of known.keys()) if (!present.has(base)) known.delete(base);
    },
  };
}
