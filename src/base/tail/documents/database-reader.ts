import { codeOf } from '../errors';
import type { FileStatus } from '../file-system';
import type { ReaderParts } from '../parts';
import { readDatabase } from './read-database';
import { isSameStatus } from '../same-status';
import type { OpenOptions } from '../types';
import { WholeReader } from './whole-reader';

/** Shortest time between two reads of a database. */
const INTERVAL_MS = 1_000;
/** Largest share of the time that goes into reading one database: if a read takes long, it happens less often. */
const SHARE = 0.1;

/** Follows a database and its write-ahead log. The consumer receives the bytes of both when one of them has changed. */
export class DatabaseReader extends WholeReader {
  private logStatus: FileStatus | null = null;

  constructor(path: string, options: OpenOptions, parts: ReaderParts) {
    super(path, options, parts, INTERVAL_MS);
  }

  reread(): void {
    this.status = null;
    this.pacer.wake();
  }

  async sweep(): Promise<boolean> {
    if (this.pacer.isRunning) return false;
    const before = this.status;
    const [now, log] = await this.look();
    if (this.disposed || this.pacer.isRunning || this.isUnchanged(now, log)) return false;
    this.pacer.wake();
    return before !== null;
  }

  private look(): Promise<[FileStatus | null, FileStatus | null]> {
    const { fs } = this.parts;
    return Promise.all([fs.status(this.path).catch(() => null), fs.status(`${this.path}-wal`).catch(() => null)]);
  }

  private isUnchanged(now: FileStatus | null, log: FileStatus | null): boolean {
    if (!now || !this.status || !isSameStatus(now, this.status)) return false;
    return log && this.logStatus ? isSameStatus(log, this.logStatus) : log === this.logStatus;
  }

  protected async read(): Promise<void> {
    const { fs } = this.parts;
    const opened = await this.presence.open();
    if (!opened) {
      this.status = null;
      return;
    }
    try {
      const first = this.generation === 0;
      if (first) this.generation = 1;
      else if (opened.reappeared) this.reset();
      const [now, log] = await this.look();
      if (this.disposed || this.isUnchanged(now, log)) return;
      const began = this.parts.clock.now();
      const read = await readDatabase(fs, opened.descriptor, this.path, this.parts.databaseLimit);
      if (this.disposed) return;
      this.status = now;
      this.logStatus = log;
      if (!read) this.reportTooLarge(this.parts.databaseLimit);
      else await this.give(read.database, read.log);
      this.pacer.intervalMs = Math.max(INTERVAL_MS, (this.parts.clock.now() - began) / SHARE);
    } catch (error) {
      this.status = null;
      this.presence.failed(codeOf(error));
    } finally {
      void fs.close(opened.descriptor);
    }
  }

  private async give(database: Uint8Array, log: Uint8Array | null): Promise<void> {
    this.tooLarge = false;
    this.presence.works();
    // The consumer takes ownership of the bytes, so their number is stored first.
    this.offset = database.length;
    try {
      await this.options.database?.(database, log);
    } catch (error) {
      this.parts.log.error(`${this.path}: ${String(error)}`);
      this.callConsumer(() =>
        this.options.problem?.({ code: 'consumer', line: 0, offset: 0, why: 'could not be processed' }),
      );
    }
    this.callConsumer(() => this.options.caughtUp?.());
  }

  protected override reset(): void {
    this.logStatus = null;
    super.reset();
  }
}
