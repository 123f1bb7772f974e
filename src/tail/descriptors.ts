import type { LocalFs, TailFs } from './file-system';

/** Files held open at most. Others are opened for each read. */
const MOST_OPEN = 256;

export interface DescriptorOwner {
  /** Is it being read from at this moment? */
  readonly isReading: boolean;
  /** The descriptor is closed: open the file anew. */
  descriptorClosed(): void;
}

/**
 * Keeps files open between reads, so that the last lines of a file that is renamed or replaced are still read, and its inode number is
 * not given to its successor. The files read last stay open.
 *
 * None on Windows, where an open file stands in the way of others that replace it.
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

  /** The file was opened or read: it stays open. */
  keep(owner: DescriptorOwner, descriptor: number, local: LocalFs | undefined): void {
    this.open.delete(owner);
    this.open.set(owner, { descriptor, local });
  }

  /** After a read, not before it: closes those that were not read for longest where there are too many. */
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

  /** The process may open no more files: gives back what is not in use. */
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
