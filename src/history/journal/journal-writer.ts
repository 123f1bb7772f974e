import { type FileHandle, mkdir, open, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from '../../base/util/error-code';
import { isAbsent } from '../errors';
import { encodeRecord, journalBase, journalFile } from './journal-format';
import { type LineCount, createLineCount } from './line-count';
import type { ProcessIdentity } from '../windows/process-id';
import { RECORD_VERSION, type StoreRecord } from './records';

/** One open journal file. Passed in so that a test can have a full disk. */
export interface JournalFile {
  append(data: Buffer): Promise<void>;
  /** Brings data and size to the disk. */
  sync(): Promise<void>;
  /** True while its name still leads to it, which ends when another process seals or deletes it. */
  isInPlace(): Promise<boolean>;
  close(): Promise<void>;
}

/** Creates a journal file that did not exist. */
export type OpenJournalFile = (path: string) => Promise<JournalFile>;

export interface JournalWriterOptions {
  readonly folder: string;
  /** Folder with the number of lines of each journal. */
  readonly counts: string;
  readonly window: string;
  readonly self: ProcessIdentity;
  readonly now: () => number;
  /** Unique, of letters and digits. */
  readonly uniqueId: () => string;
  readonly openFile?: OpenJournalFile;
}

/** The journal of one window. Not for concurrent calls: the caller awaits one before the next. */
export interface JournalWriter {
  /** Resolves when the records are on disk. After a failure nothing of the batch counts, and the next call starts a new file. */
  append(records: readonly StoreRecord[]): Promise<void>;
  /** Ends the current file: its data now belong to the compacting process. The next append starts a new one. */
  seal(): Promise<void>;
  /** Bytes in the current file. */
  readonly bytes: number;
  /** True if this window has written to this file. */
  isOwn(base: string): boolean;
}

interface Journal {
  readonly base: string;
  readonly file: JournalFile;
  readonly count: LineCount;
  /** Number of its lines that are on disk. */
  lines: number;
}

/** Another process may take a journal away only if it assumes that this one is dead; once is a mistake, more often a broken disk. */
const MOST_ATTEMPTS = 5;

export function createJournalWriter(options: JournalWriterOptions): JournalWriter {
  const openFile = options.openFile ?? openJournalFile;
  const own = new Set<string>();
  let current: Journal | null = null;
  let bytes = 0;

  async function begin(): Promise<Journal> {
    const base = journalBase(options.uniqueId(), options.self);
    own.add(base);
    const path = join(options.folder, journalFile(base, false));
    let file: JournalFile;
    try {
      file = await openFile(path);
    } catch (error) {
      if (!isAbsent(error)) throw error;
      // The folder was deleted while in use: start again in a new one.
      await mkdir(options.folder, { recursive: true, mode: 0o700 });
      file = await openFile(path);
    }
    bytes = 0;
    current = { base, file, count: createLineCount(options.counts, base), lines: 0 };
    return current;
  }

  async function abandon(): Promise<void> {
    const journal = current;
    current = null;
    bytes = 0;
    await journal?.file.close().catch(() => {});
    await journal?.count.close();
  }

  async function write(records: readonly StoreRecord[]): Promise<boolean> {
    const isNew = current === null;
    const journal = current ?? (await begin());
    const head = isNew
      ? encodeRecord({ k: 'journal', v: RECORD_VERSION, window: options.window, at: options.now() })
      : '';
    const data = Buffer.from(head + records.map(encodeRecord).join(''), 'utf8');
    try {
      await journal.file.append(data);
      // In place after the write: a process that takes the file renames it before reading, and so reads this write.
      const [, inPlace] = await Promise.all([
        journal.file.sync(),
        journal.file.isInPlace(),
        isNew ? syncFolder(options.folder) : null,
      ]);
      if (inPlace) {
        bytes += data.length;
        journal.lines += records.length + (isNew ? 1 : 0);
        await journal.count.note(journal.lines);
        return true;
      }
    } catch (error) {
      // A half-written line must remain the last line of its file, so nothing more is written to the file.
      await abandon();
      throw error;
    }
    await abandon();
    return false;
  }

  return {
    async append(records) {
      for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) if (await write(records)) return;
      throw new Error('The journal keeps being removed');
    },
    async seal() {
      const journal = current;
      if (!journal) return;
      await abandon();
      await sealJournal(options.folder, journal.base);
    },
    get bytes() {
      return bytes;
    },
    isOwn: (base) => own.has(base),
  };
}

/** Renames a journal, so that nobody writes to it any more. False if it is gone. */
export async function sealJournal(folder: string, base: string): Promise<boolean> {
  try {
    await rename(join(folder, journalFile(base, false)), join(folder, journalFile(base, true)));
    return true;
  } catch (error) {
    if (isAbsent(error)) return false;
    throw error;
  }
}

export const openJournalFile: OpenJournalFile = async (path) => {
  // Exclusive, append only, readable by the owner alone.
  const handle: FileHandle = await open(path, 'ax', 0o600);
  const { ino, dev } = await handle.stat().catch(async (error: unknown) => {
    await handle.close();
    throw error;
  });
  return {
    async append(data) {
      let written = 0;
      while (written < data.length) written += (await handle.write(data, written)).bytesWritten;
    },
    sync: () => handle.datasync(),
    async isInPlace() {
      try {
        const now = await stat(path);
        return now.ino === ino && now.dev === dev;
      } catch (error) {
        if (isAbsent(error)) return false;
        throw error;
      }
    },
    close: () => handle.close(),
  };
};

/** Makes new names in a folder durable. Windows cannot sync a folder, and does not need to. */
export async function syncFolder(folder: string): Promise<void> {
  try {
    const handle = await open(folder, 'r');
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch (error) {
    const code = errorCode(error);
    if (code === 'EISDIR' || code === 'EPERM' || code === 'EINVAL' || code === 'EACCES' || code === 'ENOTSUP') return;
    throw error;
  }
}
