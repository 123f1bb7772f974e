/**
 * Bytes, one character each. Paths below the top of a work tree come in this form, with slashes, since a name need not be UTF-8; so does all
 * that git reads and writes.
 */
export type Bytes = string;

export const bytesOf = (text: string): Bytes => Buffer.from(text, 'utf8').toString('latin1');
export const pathText = (bytes: Bytes): string => Buffer.from(bytes, 'latin1').toString('utf8');

/** Entry at a path. */
export interface FoundEntry {
  readonly kind: 'file' | 'folder' | 'link' | 'other';
  readonly isExecutable: boolean;
  readonly size: number;
  /** When the content changed, nanoseconds since the epoch. */
  readonly contentAt: bigint;
  /** When the content, the mode or the name changed, likewise; null where the platform does not keep it as git does. */
  readonly statusAt: bigint | null;
}

/** Form of a file in the work tree: with the permission to run it, or as a link whose content is its target. */
export type FileForm = 'plain' | 'executable' | 'link';

/** File access of checkpoints, passed in. No function follows a link below the root, and none opens what is no plain file. */
export interface CheckpointFiles {
  /** A new folder that only this user can read. */
  temporary(): Promise<string>;
  remove(folder: string): Promise<void>;
  /** The real path of the nearest folder that has a `.git`: this one or one above it. Null where there is none. */
  repositoryAbove(folder: string): Promise<string | null>;
  /** Null where nothing is. */
  look(root: string, path: Bytes): Promise<FoundEntry | null>;
  /** Names in a folder. */
  names(root: string, path: Bytes): Promise<readonly Bytes[]>;
  /** Hands out a plain file, or the target of a link, piece by piece. Its size; null where it is neither. What `each` throws ends it. */
  read(root: string, path: Bytes, each: (piece: Uint8Array) => void): Promise<number | null>;
  /** Copies the same into a new file. Its size, or why it was not copied. */
  copy(root: string, path: Bytes, to: string, limit: number): Promise<number | 'special' | 'too_large'>;
  /** Makes a link to a folder. */
  link(folder: string, at: string): Promise<void>;
  /** Writes a file in the place of the one that is there, with the folders above it. Throws errors of the system. */
  write(root: string, path: Bytes, content: Uint8Array, form: FileForm): Promise<void>;
  /** Deletes a file or a link, and the folders above it that become empty. Throws errors of the system. */
  delete(root: string, path: Bytes): Promise<void>;
}
