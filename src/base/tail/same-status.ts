import type { FileStatus } from './file-system';

/** Returns whether both describe the same file, unmodified in between. */
export function isSameStatus(one: FileStatus, other: FileStatus): boolean {
  return (
    one.size === other.size &&
    one.modifiedAt === other.modifiedAt &&
    one.inode === other.inode &&
    one.device === other.device
  );
}
