import * as fs from 'node:fs';

export type FileKind = 'file' | 'folder' | 'link' | 'other';

export interface FileStatus {
  /** After following links: never `link`. */
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

/** The part of the file system that reading needs. Rejections carry the system's `code`. */
export interface TailFs {
  /** Follows links. */
  status(path: string): Promise<FileStatus>;
  /** Opens for reading, without waiting for the other end of a named pipe. */
  open(path: string): Promise<number>;
  statusOf(descriptor: number): Promise<FileStatus>;
  /** Returns the number of bytes read; 0 at the end of the file. */
  read(descriptor: number, into: Buffer, at: number, length: number, position: number): Promise<number>;
  close(descriptor: number): Promise<void>;
  entries(folder: string): Promise<FolderEntry[]>;
  /** Absent if there are none. */
  readonly local?: LocalFs;
  /** Returns whether the name exists. Used for missing folders, because a refused watch costs ten times as much. */
  exists(path: string): boolean;
  /** Watches the entries of one folder; not recursive. Throws or calls `failed` with a system error. */
  watch(
    folder: string,
    changed: (kind: 'rename' | 'change', name: string | null) => void,
    failed: (error: Error) => void,
  ): FolderWatch;
}

/**
 * Synchronous calls, for files that were just written to a local disk and are therefore in memory. On a busy machine the thread pool costs
 * more than the call itself.
 */
export interface LocalFs {
  /** Returns whether this device is a local disk. */
  holds(path: string, device: number): Promise<boolean>;
  /** Null if missing or unreadable. */
  status(path: string): FileStatus | null;
  /** Throws a system error. */
  open(path: string): number;
  statusOf(descriptor: number): FileStatus;
  read(descriptor: number, into: Buffer, at: number, length: number, position: number): number;
  /** Closes a descriptor; never throws. */
  close(descriptor: number): void;
}

export interface FolderWatch {
  close(): void;
}

/**
 * Returns the status of a file or folder; null if it is missing or unreadable. `device` is the device on which it was last seen, -1 if never.
 * Synchronous for local disks.
 */
export async function statusAgain(fs: TailFs, path: string, device: number): Promise<FileStatus | null> {
  const local = device !== -1 && (await fs.local?.holds(path, device)) ? fs.local : undefined;
  return local ? local.status(path) : fs.status(path).catch(() => null);
}

// A named pipe that replaces the file between the check and the opening must not block a thread.
const OPEN_FLAGS = fs.constants.O_RDONLY | (fs.constants.O_NONBLOCK ?? 0);

/** Types of local file systems, as returned by statfs(2): ext2 to 4, tmpfs, overlayfs, XFS, Btrfs, F2FS, ZFS. Used on Linux only. */
const LOCAL_TYPES = new Set([0xef53, 0x01021994, 0x794c7630, 0x58465342, 0x9123683e, 0xf2f52010, 0x2fc12fc1]);

const localDevices = new Map<number, Promise<boolean>>();

const localFs: LocalFs = {
  holds(path, device) {
    const known = localDevices.get(device);
    if (known) return known;
    const answer = new Promise<boolean>((resolve) => {
      if (process.platform !== 'linux') resolve(false);
      else fs.statfs(path, (error, stats) => resolve(!error && LOCAL_TYPES.has(stats.type)));
    });
    localDevices.set(device, answer);
    return answer;
  },
  status(path) {
    try {
      const stats = fs.statSync(path, { throwIfNoEntry: false });
      return stats ? statusOf(stats) : null;
    } catch {
      return null;
    }
  },
  open: (path) => fs.openSync(path, OPEN_FLAGS),
  statusOf: (descriptor) => statusOf(fs.fstatSync(descriptor)),
  read: (descriptor, into, at, length, position) => fs.readSync(descriptor, into, at, length, position),
  close(descriptor) {
    try {
      fs.closeSync(descriptor);
    } catch {
      // It is closed even so.
    }
  },
};

/** node:fs with callbacks: small reads cost a third of what they cost with its promises. */
export const systemFs: TailFs = {
  local: localFs,
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
  exists: (path) => fs.existsSync(path),
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
