const NOTHING = Buffer.alloc(0);
const HEAD_BYTES = 1024;
/** Number of bytes before the offset that are compared. */
export const CHECK_BYTES = 64;

/**
 * Recognises the file that was read so far by its first bytes and those before the offset. No watcher can tell a file that was truncated and
 * rewritten longer from one that was appended to.
 */
export class ReadMark {
  private first: Buffer = NOTHING;
  private last: Buffer = NOTHING;

  /** Number of bytes at the beginning that are compared. */
  get headBytes(): number {
    return this.first.length;
  }

  /** Number of bytes before the offset at which a read must start for the comparison. */
  get back(): number {
    return this.last.length;
  }

  /** Clears the mark: nothing has been read. */
  clear(): void {
    this.first = NOTHING;
    this.last = NOTHING;
  }

  /** Adds `bytes` that were read at `offset`, where the previous ones ended. */
  add(bytes: Buffer, offset: number): void {
    if (this.first.length < HEAD_BYTES && offset === this.first.length) {
      this.first = Buffer.concat([this.first, bytes.subarray(0, HEAD_BYTES - this.first.length)]);
    }
    const last = bytes.length >= CHECK_BYTES ? bytes : Buffer.concat([this.last, bytes]);
    this.last = Buffer.from(last.subarray(-CHECK_BYTES));
  }

  /** Sets the mark for reading that begins in the middle: the first bytes of the file, and those before the offset. */
  set(first: Buffer, last: Buffer): void {
    this.first = Buffer.from(first.subarray(0, HEAD_BYTES));
    this.last = Buffer.from(last.subarray(-CHECK_BYTES));
  }

  isHead(bytes: Buffer, read: number): boolean {
    return read >= this.first.length && this.first.compare(bytes, 0, this.first.length) === 0;
  }

  /** Returns whether the bytes that begin `back` before the offset are unchanged. */
  isBefore(bytes: Buffer, read: number): boolean {
    return read >= this.last.length && this.last.compare(bytes, 0, this.last.length) === 0;
  }
}
