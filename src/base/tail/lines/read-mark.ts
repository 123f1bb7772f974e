const NOTHING = Buffer.alloc(0);
const HEAD_BYTES = 1024;
/** Bytes before the offset that are compared. */
export const CHECK_BYTES = 64;

/**
 * Recognises the file that was read up to here by its first bytes and those before the offset. No watcher distinguishes a file that was
 * truncated and rewritten longer from one that was appended to.
 */
export class ReadMark {
  private first: Buffer = NOTHING;
  private last: Buffer = NOTHING;

  /** Length of the begin that is compared. */
  get headBytes(): number {
    return this.first.length;
  }

  /** Number of bytes before the offset at which a read must start for the comparison. */
  get back(): number {
    return this.last.length;
  }

  /** Nothing was read. */
  clear(): void {
    this.first = NOTHING;
    this.last = NOTHING;
  }

  /** `bytes` were read at `offset`, where the last ones ended. */
  add(bytes: Buffer, offset: number): void {
    if (this.first.length < HEAD_BYTES && offset === this.first.length) {
      this.first = Buffer.concat([this.first, bytes.subarray(0, HEAD_BYTES - this.first.length)]);
    }
    const last = bytes.length >= CHECK_BYTES ? bytes : Buffer.concat([this.last, bytes]);
    this.last = Buffer.from(last.subarray(-CHECK_BYTES));
  }

  /** Reading begins in the middle: these are the first bytes of the file, and those before the offset. */
  set(first: Buffer, last: Buffer): void {
    this.first = Buffer.from(first.subarray(0, HEAD_BYTES));
    this.last = Buffer.from(last.subarray(-CHECK_BYTES));
  }

  isHead(bytes: Buffer, read: number): boolean {
    return read >= this.first.length && this.first.compare(bytes, 0, this.first.length) === 0;
  }

  /** Do the bytes that begin `back` before the offset begin as they did? */
  isBefore(bytes: Buffer, read: number): boolean {
    return read >= this.last.length && this.last.compare(bytes, 0, this.last.length) === 0;
  }
}
