import { createHash } from 'node:crypto';

/** Returns 16 hex digits of the SHA-256 of a text: stored with each journal line and each row of the snapshot, to detect what the disk changed. */
export function checksumOf(text: string): string {
  // Not cut out of the longer hex text: sql.js copies texts character by character, at a third of the speed once some of them are slices.
  return createHash('sha256').update(text).digest().toString('hex', 0, 8);
}
