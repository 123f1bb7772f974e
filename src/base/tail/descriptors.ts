import type { LocalFs, TailFs } from './file-system';

/** Limit of files held open. Others are opened for each read. */
const MOST_OPEN = 256;

export interface DescriptorOwner {
  /** True while a read is running. */
  readonly isReading: boolean;
  /** Called when the descriptor was closed: the file must be opened again. */
  descriptorClosed(): void;
}

/**
 * Keeps the most recently read files open, so that the last lines of a renamed or replaced file can still be read, and so that its
 * successor cannot reuse its inode number.
 *
 * Off on Windows, where an open file cannot be replaced.
 */
export class Descriptors {
  private readonly open = new Map<
    DescriptorOwner,
    { readonly descriptor: number; readonly local: LocalFs | undefined }
  >();

  constructor(
    private readonly fs: TailFs,
    private readonly most = process.platform === 'win32' ? 0 : MOST_OPEN,
  ) {}

  /** Keeps the file open after it was opened or read. */
  keep(owner: DescriptorOwner, descriptor: number, local: LocalFs | undefined): void {
    this.open.delete(owner);
    this.open.set(owner, { descriptor, local });
  }

  /** Closes the least recently read files if there are too many. Called after a read, so as not to delay it. */
  trim(): void {
    if (this.open.size > this.most) this.closeOldest(this.open.size - this.most);
  }

  close(owner: DescriptorOwner): void {
    const kept = this.open.get(owner);
    if (!kept) return;
    this.open.delete(owner);
    owner.descriptorClosed();
    if (kept.local) kept.local.close(kept.descriptor);
    else void this.fs.close(kept.descriptor);
  }

  /** Closes all files that are not in use, when the process has no file descriptors left. */
  closeAll(): void {
    this.closeOldest(this.open.size);
  }

  private closeOldest(count: number): void {
    let left = count;
    for (const owner of this.open.keys()) {
      if (left === 0) return;
      if (owner.isReading) continue;
      left--;
      this.close(owner);
    }
  }
}
