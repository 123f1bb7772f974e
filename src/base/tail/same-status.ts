import type { FileStatus } from './file-system';

/** Is it the same file, not written since? */
export function isSameStatus(one: FileStatus, other: FileStatus): boolean {
  return (
    one.size === other.size &&
    one.modifiedAt === other.modifiedAt &&
    one.inode === other.inode &&
    one.device === other.device
  );
}
