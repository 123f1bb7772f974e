/**
 * Bytes, one character each. Paths below the top of a work tree have this form, with slashes, since a name need not be UTF-8; so does everything that
 * git reads and writes.
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
  /** When the content, the mode or the name changed, likewise; null if the platform does not keep it as git does. */
  readonly statusAt: bigint | null;
}

/** Form of a file in the work tree: with the permission to run it, or as a link whose content is its target. */
export type FileForm = 'plain' | 'executable' | 'link';

/** File access of checkpoints, passed in. No function follows a link below the root, and none opens anything but a plain file. */
export interface CheckpointFiles {
  /** Creates a folder that only this user can read. */
  temporary(): Promise<string>;
  remove(folder: string): Promise<void>;
  /** Returns the real path of the nearest folder that has a `.git`: this one or one above it; null if there is none. */
  repositoryAbove(folder: string): Promise<string | null>;
  /** Returns null if nothing is there. */
  look(root: string, path: Bytes): Promise<FoundEntry | null>;
  /** Returns the names in a folder. */
  names(root: string, path: Bytes): Promise<readonly Bytes[]>;
  /**
   * Reads a plain file, or the target of a link, piece by piece. Returns its size; null if it is neither. An error thrown by `each` ends the reading.
   */
  read(root: string, path: Bytes, each: (piece: Uint8Array) => void): Promise<number | null>;
  /** Copies the same into a new file. Returns its size, or the reason why it was not copied. */
  copy(root: string, path: Bytes, to: string, limit: number): Promise<number | 'special' | 'too_large'>;
  /** Makes a link to a folder. */
  link(folder: string, at: string): Promise<void>;
  /** Writes a file in place of the one that is there, and creates the folders above it. Throws errors of the system. */
  write(root: string, path: Bytes, content: Uint8Array, form: FileForm): Promise<void>;
  /** Deletes a file or a link, and the folders above it that become empty. Throws errors of the system. */
  delete(root: string, path: Bytes): Promise<void>;
}
