import { codeOf } from '../errors';
import type { FileStatus } from '../file-system';
import type { Lane } from '../pace/lanes';
import type { ReaderParts } from '../parts';
import { type DocumentText, readDocument } from './read-document';
import { isSameStatus } from '../same-status';
import type { OpenOptions } from '../types';
import { WholeReader } from './whole-reader';

/** Shortest time between two reads of a document. */
const INTERVAL_MS = 250;
/** A document that is incomplete is probably being written; after this many milliseconds it is passed on as it is. */
const INCOMPLETE_MS = 2_000;
const LOOK_AGAIN_MS = 500;
/** A document that changes during each of this many reads is passed on as read. */
const MOST_UNSETTLED = 8;

/** Follows a file that is always rewritten as a whole. The consumer receives its text when its content has changed. */
export class DocumentReader extends WholeReader {
  private digest = '';
  private calls = 0;
  private incompleteSince = -1;
  private unsettled = 0;
  private caughtUp = false;

  constructor(path: string, options: OpenOptions, parts: ReaderParts) {
    super(path, options, parts, INTERVAL_MS);
  }

  async sweep(): Promise<boolean> {
    const before = this.status;
    if (this.pacer.isRunning) return false;
    const now = await this.parts.fs.status(this.path).catch(() => null);
    if (this.disposed || this.status !== before || (now && before && isSameStatus(now, before))) return false;
    this.pacer.wake();
    return before !== null;
  }

  protected async read(lane: Lane): Promise<void> {
    const { fs } = this.parts;
    const opened = await this.presence.open();
    if (!opened) {
      this.status = null;
      return;
    }
    const { descriptor, status, reappeared } = opened;
    try {
      if (this.generation === 0) this.generation = 1;
      else if (reappeared) this.reset();
      if (status.size === 0 || (this.status && isSameStatus(status, this.status))) {
        // Most likely emptied to be rewritten: its text comes with the next change.
        this.status = status;
        this.reportCaughtUp();
        return;
      }
      const { options, parts } = this;
      const document = await readDocument(parts, descriptor, lane, {
        markers: options.markers,
        limit: parts.documentLimit,
      });
      const after = await fs.statusOf(descriptor);
      if (this.disposed) return;
      // It changed during the read, so the text may mix two versions. The next change, or the sweep, reads it again.
      if (!isSameStatus(status, after) && this.unsettled++ < MOST_UNSETTLED) this.pacer.wake();
      else this.take(document, status);
    } catch (error) {
      this.status = null;
      this.presence.failed(codeOf(error));
    } finally {
      void fs.close(descriptor);
    }
  }

  private take(document: DocumentText | undefined, status: FileStatus): void {
    if (!document) {
      this.status = status;
      this.reportTooLarge(this.parts.documentLimit);
      return;
    }
    this.tooLarge = false;
    this.unsettled = 0;
    if (!document.complete && this.isFreshlyIncomplete()) {
      this.pacer.wakeAfter(LOOK_AGAIN_MS);
      return;
    }
    this.incompleteSince = -1;
    this.status = status;
    if (document.digest !== this.digest) {
      const added = Math.max(0, document.calls - this.calls);
      this.digest = document.digest;
      this.calls = document.calls;
      this.offset = document.bytes;
      this.callConsumer(() => this.options.document?.(document.text, added));
      this.caughtUp = false;
    }
    this.reportCaughtUp();
  }

  private isFreshlyIncomplete(): boolean {
    const now = this.parts.clock.now();
    if (this.incompleteSince < 0) this.incompleteSince = now;
    return now - this.incompleteSince < INCOMPLETE_MS;
  }

  protected override reset(): void {
    this.digest = '';
    this.calls = 0;
    super.reset();
  }

  private reportCaughtUp(): void {
    this.presence.works();
    if (this.caughtUp) return;
    this.caughtUp = true;
    this.callConsumer(() => this.options.caughtUp?.());
  }
}
