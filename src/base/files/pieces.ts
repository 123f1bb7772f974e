import { constants } from 'node:fs';
import { type FileHandle, lstat, open } from 'node:fs/promises';

/** Absent on Windows, which has no pipes among its files. */
const NO_FOLLOW = constants.O_NOFOLLOW ?? 0;
const NO_WAIT = constants.O_NONBLOCK ?? 0;
/** Bytes read at a time: hashing them takes less than a millisecond. */
const PIECE = 256 * 1024;

/**
 * Passes a regular file of any size to `each`, piece by piece. A link at the end of the path is not followed. Throws only what `each` throws.
 *
 * @param path bytes: a name need not be UTF-8
 * @param each must not keep any part of a piece
 * @returns the number of bytes, or null where the file is not regular or cannot be read
 */
export async function readPieces(path: Buffer, each: (piece: Uint8Array) => Promise<void>): Promise<number | null> {
  // Opening a device can have an effect, so the name is checked first. A file that takes its place in the meantime is caught by the check below.
  const named = await lstat(path).catch(() => null);
  if (!named?.isFile()) return null;
  const file = await open(path, constants.O_RDONLY | NO_FOLLOW | NO_WAIT).catch(() => null);
  if (!file) return null;
  try {
    return (await file.stat()).isFile() ? await pieces(file, each) : null;
  } finally {
    await file.close();
  }
}

async function pieces(file: FileHandle, each: (piece: Uint8Array) => Promise<void>): Promise<number | null> {
  const room = Buffer.allocUnsafe(PIECE);
  for (let size = 0; ; ) {
    const part = await file.read(room, 0, PIECE, size).catch(() => null);
    if (!part) return null;
    if (part.bytesRead === 0) return size;
    size += part.bytesRead;
    await each(room.subarray(0, part.bytesRead));
  }
}
