import { createHash, type Hash } from 'node:crypto';
import type { Bytes, CheckpointFiles } from './files';

const CR = 13;
const LF = 10;

/** A file of the work tree that is to be compared with an object. */
export interface WorkTreeFile {
  readonly files: CheckpointFiles;
  readonly top: string;
  readonly path: Bytes;
  /** Size in bytes. */
  readonly size: number;
  readonly hash: 'sha1' | 'sha256';
  /** Called with the number of bytes of each piece that is read; may throw to end the reading. */
  readonly onRead: (bytes: number) => void;
}

/** True if the object has exactly the bytes of the file. */
export async function isObject(file: WorkTreeFile, object: string): Promise<boolean> {
  const hash = blob(file, file.size);
  const size = await read(file, (piece) => hash.update(piece));
  return size === file.size && hash.digest('hex') === object;
}

/**
 * True if git keeps the file as this object: byte for byte, with its line ends as LF, or as a pointer of git LFS. All forms are compared without
 * asking the repository which of them it wants, since the answer may name a program.
 */
export async function isKeptAs(file: WorkTreeFile, object: string): Promise<boolean> {
  if (await isObject(file, object)) return true;
  const content = createHash('sha256');
  let [pairs, last] = [0, 0];
  await read(file, (piece) => {
    content.update(piece);
    for (let at = piece.indexOf(LF); at >= 0; at = piece.indexOf(LF, at + 1))
      if ((at === 0 ? last : piece[at - 1]) === CR) pairs++;
    last = piece.at(-1) ?? last;
  });
  const oid = content.digest('hex');
  const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${oid}\nsize ${file.size}\n`;
  if (blob(file, pointer.length).update(pointer).digest('hex') === object) return true;
  return pairs > 0 && (await withLineFeeds(file, file.size - pairs)) === object;
}

/** Returns the id of the object with LF where the file has CR LF. */
async function withLineFeeds(file: WorkTreeFile, size: number): Promise<string> {
  const hash = blob(file, size);
  // A CR at the end of a piece waits for the next piece.
  let waits = false;
  await read(file, (piece) => {
    if (waits && piece[0] !== LF) hash.update('\r');
    waits = piece.at(-1) === CR;
    let from = 0;
    for (let at = piece.indexOf(CR); at >= 0; at = piece.indexOf(CR, at + 1)) {
      if (piece[at + 1] !== LF && at + 1 < piece.length) continue;
      hash.update(piece.subarray(from, at));
      from = at + 1;
    }
    hash.update(piece.subarray(from));
  });
  if (waits) hash.update('\r');
  return hash.digest('hex');
}

function blob({ hash }: WorkTreeFile, size: number): Hash {
  return createHash(hash).update(`blob ${size}\0`);
}

function read({ files, top, path, onRead }: WorkTreeFile, each: (piece: Uint8Array) => void): Promise<number | null> {
  return files.read(top, path, (piece) => {
    onRead(piece.length);
    each(piece);
  });
}
