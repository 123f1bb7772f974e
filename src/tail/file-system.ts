import * as fs from 'node:fs';

export type FileKind = 'file' | 'folder' | 'link' | 'other';

export interface FileStatus {
  /** After links were followed: never `link`. */
  readonly kind: FileKind;
  readonly size: number;
  /** Milliseconds since the epoch. */
  readonly modifiedAt: number;
  readonly inode: number;
  readonly device: number;
}

export interface FolderEntry {
  readonly name: string;
  readonly kind: FileKind;
}

/** What reading needs of a file system. Rejections carry the system's `code`. */
export interface TailFs {
  /** Follows links. */
  status(path: string): Promise<FileStatus>;
  /** Opens for reading, without waiting for the other end of a named pipe. */
  open(path: string): Promise<number>;
  statusOf(descriptor: number): Promise<FileStatus>;
  /** Bytes read, 0 at the end of the file. */
  read(descriptor: number, into: Buffer, at: number, length: number, position: number): Promise<number>;
  close(descriptor: number): Promise<void>;
  entries(folder: string): Promise<FolderEntry[]>;
  /** Changes of the entries of one folder; not recursive. Throws or calls `failed` with a system error. */
  watch(
    folder: string,
    changed: (kind: 'rename' | 'change', name: string | null) => void,
    failed: (error: Error) => void,
  ): FolderWatch;
}

export interface FolderWatch {
  close(): void;
}

// A named pipe that takes the place of a file between the look and the opening must not block a thread.
const OPEN_FLAGS = fs.constants.O_RDONLY | (fs.constants.O_NONBLOCK ?? 0);

/** node:fs by callbacks: a third of the cost of its promises on small reads. */
export const systemFs: TailFs = {
  status: (path) =>
    new Promise((resolve, reject) =>
      fs.stat(path, (error, stats) => (error ? reject(error) : resolve(statusOf(stats)))),
    ),
  open: (path) =>
    new Promise((resolve, reject) =>
      fs.open(path, OPEN_FLAGS, (error, descriptor) => (error ? reject(error) : resolve(descriptor))),
    ),
  statusOf: (descriptor) =>
    new Promise((resolve, reject) =>
      fs.fstat(descriptor, (error, stats) => (error ? reject(error) : resolve(statusOf(stats)))),
    ),
  read: (descriptor, into, at, length, position) =>
    new Promise((resolve, reject) =>
      fs.read(descriptor, into, at, length, position, (error, bytes) => (error ? reject(error) : resolve(bytes))),
    ),
  close: (descriptor) => new Promise((resolve) => fs.close(descriptor, () => resolve())),
  entries: (folder) =>
    new Promise((resolve, reject) =>
      fs.readdir(folder, { withFileTypes: true }, (error, entries) =>
        error ? reject(error) : resolve(entries.map((entry) => ({ name: entry.name, kind: kindOf(entry) }))),
      ),
    ),
  watch(folder, changed, failed) {
    const watcher = fs.watch(folder, { persistent: true }, (kind, name) =>
      changed(kind === 'rename' ? 'rename' : 'change', name),
    );
    watcher.on('error', failed);
    return watcher;
  },
};

function statusOf(stats: fs.Stats): FileStatus {
  return { kind: kindOf(stats), size: stats.size, modifiedAt: stats.mtimeMs, inode: stats.ino, device: stats.dev };
}

function kindOf(entry: fs.Stats | fs.Dirent): FileKind {
  if (entry.isFile()) return 'file';
  if (entry.isDirectory()) return 'folder';
  return entry.isSymbolicLink() ? 'link' : 'other';
}
