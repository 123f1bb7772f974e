import { join } from 'node:path';
import { restOf } from '../../beat';
import type { Disposable } from '../../util/disposable';
import type { Log } from '../../util/log';
import { type Budget, Priority } from '../pace/budget';
import type { TailClock } from '../pace/clock';
import { codeOf, isOutOfDescriptors } from '../errors';
import { type FileStatus, type FolderEntry, type LocalFs, type TailFs, statusAgain } from '../file-system';
import type { Folders } from './folders';
import { AtOnce, MOST_CALLS, inParallel } from './parallel';
import type { FolderRoom } from './room';
import { isSameStatus } from '../same-status';
import type { RootOptions } from '../types';

/** Shortest time between two reports of a file that is not open. */
const REPORT_INTERVAL_MS = 2_000;
/** Unopened files checked in one walk: the newest, since older ones rarely change. */
const MOST_LOOKED_AT = 256;

/** Time after which a folder is read again if no descriptor was left for it. */
const AGAIN_MS = 5_000;

/** A synchronous status call for a new file takes some microseconds. One that takes this many milliseconds has waited for the disk. */
const WAITED_MS = 3;

interface KnownFile {
  readonly path: string;
  readonly folder: KnownFolder;
  readonly name: string;
  status: FileStatus;
  never: boolean;
  reportedAt: number;
  timer: Disposable | null;
}

interface KnownFolder {
  /** Relative to the root, with `/`; empty for the root. */
  readonly relative: string;
  readonly path: string;
  readonly depth: number;
  readonly files: Map<string, KnownFile>;
  readonly folders: Map<string, KnownFolder>;
  /** Names whose status is being read, with whether to read it once more afterwards. */
  readonly checking: Map<string, boolean>;
  watch: Disposable | null;
  identity: string;
  /** -1 before the first scan. */
  device: number;
  scan: Promise<void> | null;
  scanAgain: boolean;
  dropped: boolean;
}

export interface RootParts {
  readonly fs: TailFs;
  readonly clock: TailClock;
  readonly log: Log;
  readonly budget: Budget;
  readonly folders: Folders;
  readonly room: FolderRoom;
  /** Files that a reader follows are not reported. */
  readonly isOpen: (path: string) => boolean;
}

/** Finds the files below one root: by a walk, then by the changes of its folders. */
export class Root implements Disposable {
  private readonly top: KnownFolder;
  /** Folders by device and inode, so that a link that leads back is not followed. */
  private readonly visited = new Map<string, KnownFolder>();
  /** One shared limit for folders and their entries, which are checked in parallel. */
  private readonly calls = new AtOnce(MOST_CALLS);
  /** Files found by the first walk; undefined when it is over. */
  private found: KnownFile[] | undefined = [];
  /** Number of folders that it holds, and whether the limit was reported. */
  private held = 0;
  private isLimited = false;
  /** True once a status call had to wait for the disk: from then on a thread makes these calls. */
  private hasWaited = false;
  private readonly matches: (path: string) => boolean;
  private readonly enters: (path: string) => boolean;

  constructor(
    private readonly options: RootOptions,
    private readonly parts: RootParts,
  ) {
    this.matches = this.guarded(options.matches);
    this.enters = this.guarded(options.enters ?? (() => true));
    this.top = this.newFolder('', options.path, 0);
    void this.firstWalk();
  }

  dispose(): void {
    this.drop(this.top);
  }

  /** Checks the newest files in folders that are not watched. */
  poll(): Promise<void> {
    return this.lookAtFiles((folder) => !this.parts.folders.isWatched(folder.path));
  }

  /** Checks the newest files, to notice changes that no watcher reported. */
  walk(): Promise<void> {
    return this.lookAtFiles(() => true);
  }

  private async lookAtFiles(isMeant: (folder: KnownFolder) => boolean): Promise<void> {
    const files: KnownFile[] = [];
    const collect = (folder: KnownFolder): void => {
      if (isMeant(folder))
        for (const file of folder.files.values()) if (!file.never && !this.parts.isOpen(file.path)) files.push(file);
      for (const child of folder.folders.values()) collect(child);
    };
    collect(this.top);
    const { budget } = this.parts;
    await inParallel(newest(files, MOST_LOOKED_AT), async (file) => {
      // Synchronous checks never yield on their own, so yield here.
      while (!budget.begin()) await budget.turn(Priority.idle);
      await this.check(file.folder, file.name);
    });
  }

  private async firstWalk(): Promise<void> {
    await this.scan(this.top);
    const found = this.found ?? [];
    this.found = undefined;
    found.sort((one, other) => other.status.modifiedAt - one.status.modifiedAt);
    for (const file of found) {
      while (!this.parts.budget.begin()) await this.parts.budget.turn(Priority.seed);
      if (!file.folder.dropped && !this.parts.isOpen(file.path)) this.give(file, false);
    }
    if (!this.top.dropped) this.options.onWalked?.();
  }

  /** Checks all entries of a folder, and those of new folders below it. */
  private scan(folder: KnownFolder): Promise<void> {
    if (folder.scan) {
      folder.scanAgain = true;
      return folder.scan;
    }
    folder.scan = this.scanNow(folder).finally(() => {
      folder.scan = null;
      if (!folder.scanAgain || folder.dropped) return;
      folder.scanAgain = false;
      void this.scan(folder);
    });
    return folder.scan;
  }

  private async scanNow(folder: KnownFolder): Promise<void> {
    const { fs } = this.parts;
    // What appears while the folder is being read need not be among its entries.
    const files = [...folder.files];
    const folders = [...folder.folders];
    let entries: FolderEntry[];
    try {
      const status = await statusAgain(fs, folder.path, folder.device);
      if (status) {
        this.identify(folder, identityOf(status));
        folder.device = status.device;
        this.parts.folders.note(folder.path, status);
      }
      entries = status ? await fs.entries(folder.path) : [];
    } catch (error) {
      if (isOutOfDescriptors(codeOf(error))) {
        // What is known stays, and what is new is found then.
        this.parts.clock.after(AGAIN_MS, () => !folder.dropped && void this.scan(folder));
        return;
      }
      // Missing or unreadable. Its watch reports when that changes.
      entries = [];
    }
    if (folder.dropped) return;
    const names = new Set(entries.map((entry) => entry.name));
    for (const [name, file] of files) if (!names.has(name) && folder.files.get(name) === file) this.forget(file);
    for (const [name, child] of folders) {
      if (names.has(name) || folder.folders.get(name) !== child) continue;
      folder.folders.delete(name);
      this.drop(child);
    }
    const wanted = entries.filter(({ name, kind }) => {
      if (folder.files.has(name) || folder.folders.has(name)) return false;
      if (kind === 'file') return this.matches(relativeTo(folder, name));
      return (
        kind !== 'other' && (this.mayEnter(folder, name) || (kind === 'link' && this.matches(relativeTo(folder, name))))
      );
    });
    // Links last, so that a file that is reachable without a link is reported by its own path.
    const links = wanted.filter((entry) => entry.kind === 'link');
    const others = wanted.filter((entry) => entry.kind !== 'link');
    const { budget } = this.parts;
    const local = await this.localOf(folder);
    for (const some of [others, links])
      await inParallel(some, async ({ name, kind }) => {
        // Synchronous checks never yield on their own, so yield here.
        while (!budget.begin()) await budget.turn(Priority.seed);
        if (kind !== 'file' || !local || this.hasWaited || folder.checking.has(name)) await this.check(folder, name);
        else this.checkLocal(folder, name, local);
      });
  }

  /** Returns the disk of a folder if its files can be checked without a thread. A file system mounted below the folder is not among its files. */
  private async localOf({ path, device }: KnownFolder): Promise<LocalFs | undefined> {
    const { local } = this.parts.fs;
    return device !== -1 && (await local?.holds(path, device)) ? local : undefined;
  }

  /** Checks a file without a promise: for thousands of files, a promise each takes longer than the disk. */
  private checkLocal(folder: KnownFolder, name: string, local: LocalFs): void {
    const { clock } = this.parts;
    const begun = clock.now();
    const status = local.status(join(folder.path, name));
    this.hasWaited ||= clock.now() - begun >= WAITED_MS;
    if (!folder.dropped && status?.kind === 'file') this.see(folder, name, status);
  }

  private changed(folder: KnownFolder, name: string, kind: 'rename' | 'change'): void {
    if (folder.dropped || this.parts.isOpen(join(folder.path, name))) return;
    const file = folder.files.get(name);
    if (file && kind === 'change') {
      if (file.never || file.timer) return;
      const wait = restOf(REPORT_INTERVAL_MS, file.reportedAt, this.parts.clock.now());
      if (wait === 0) void this.check(folder, name);
      else this.checkLater(file, wait);
      return;
    }
    const isWanted =
      file !== undefined ||
      folder.folders.has(name) ||
      this.matches(relativeTo(folder, name)) ||
      (kind === 'rename' && this.mayEnter(folder, name));
    if (isWanted) void this.check(folder, name);
  }

  private checkLater(file: KnownFile, milliseconds: number): void {
    file.timer = this.parts.clock.after(milliseconds, () => {
      file.timer = null;
      void this.check(file.folder, file.name);
    });
  }

  /** Reads the status of this name now. */
  private async check(folder: KnownFolder, name: string): Promise<void> {
    if (folder.checking.has(name)) {
      folder.checking.set(name, true);
      return;
    }
    do {
      folder.checking.set(name, false);
      const status = await this.calls.run(() => this.statusOf(folder, name));
      if (folder.dropped) return;
      await this.take(folder, name, status);
    } while (folder.checking.get(name));
    folder.checking.delete(name);
  }

  private statusOf(folder: KnownFolder, name: string): Promise<FileStatus | null> {
    return statusAgain(this.parts.fs, join(folder.path, name), folder.files.get(name)?.status.device ?? -1);
  }

  private async take(folder: KnownFolder, name: string, status: FileStatus | null): Promise<void> {
    const file = folder.files.get(name);
    const child = folder.folders.get(name);
    if (file && status?.kind !== 'file') this.forget(file);
    if (child && status?.kind !== 'folder') {
      folder.folders.delete(name);
      this.drop(child);
    }
    if (status?.kind === 'folder' && !child && this.mayEnter(folder, name)) await this.enter(folder, name, status);
    if (status?.kind === 'file' && this.matches(relativeTo(folder, name))) this.see(folder, name, status);
  }

  private async enter(folder: KnownFolder, name: string, status: FileStatus): Promise<void> {
    const identity = identityOf(status);
    const visited = this.visited.get(identity);
    if (visited && (await this.isStill(visited, identity))) return;
    if (folder.dropped || folder.folders.has(name)) return;
    if (!this.parts.room.hasRoom(this.held, this.found !== undefined)) return this.leaveOut();
    // Watch first, then check, so that no change between the two is missed.
    const child = this.newFolder(relativeTo(folder, name), join(folder.path, name), folder.depth + 1);
    folder.folders.set(name, child);
    this.identify(child, identity);
    child.device = status.device;
    await this.scan(child);
  }

  private leaveOut(): void {
    if (this.isLimited) return;
    this.isLimited = true;
    this.options.onLimit?.(this.held);
  }

  /** Checks that the folder is still the same. A new one may reuse the inode of a removed one before the removal is reported. */
  private async isStill(folder: KnownFolder, identity: string): Promise<boolean> {
    const now = await this.calls.run(() => this.parts.fs.status(folder.path)).catch(() => null);
    return now !== null && !folder.dropped && identityOf(now) === identity;
  }

  private see(folder: KnownFolder, name: string, status: FileStatus): void {
    const known = folder.files.get(name);
    if (!known) {
      const path = join(folder.path, name);
      const file = { path, folder, name, status, never: false, reportedAt: Number.NEGATIVE_INFINITY, timer: null };
      folder.files.set(name, file);
      if (this.found) this.found.push(file);
      else if (!this.parts.isOpen(path)) this.give(file, true);
      return;
    }
    if (isSameStatus(known.status, status)) return;
    if (known.status.inode !== status.inode) known.never = false;
    known.status = status;
    if (!known.never && !this.parts.isOpen(known.path)) this.give(known, true);
  }

  private give(file: KnownFile, appeared: boolean): void {
    const { path, status } = file;
    file.reportedAt = this.parts.clock.now();
    try {
      const { size, modifiedAt, inode } = status;
      file.never = this.options.onFile({ path, size, modifiedAt, inode, appeared }) === 'never';
    } catch (error) {
      this.parts.log.error(`${path}: ${String(error)}`);
    }
  }

  private mayEnter(folder: KnownFolder, name: string): boolean {
    return folder.depth < this.options.depth && this.enters(relativeTo(folder, name));
  }

  /** Treats a test that throws as false, because no caller could catch the error. */
  private guarded(test: (path: string) => boolean): (path: string) => boolean {
    return (path) => {
      try {
        return test(path);
      } catch (error) {
        this.parts.log.error(`${path}: ${String(error)}`);
        return false;
      }
    };
  }

  private newFolder(relative: string, path: string, depth: number): KnownFolder {
    const folder: KnownFolder = {
      relative,
      path,
      depth,
      files: new Map(),
      folders: new Map(),
      checking: new Map(),
      watch: null,
      identity: '',
      device: -1,
      scan: null,
      scanAgain: false,
      dropped: false,
    };
    this.held++;
    this.parts.room.take();
    folder.watch = this.parts.folders.watch(path, {
      changed: (name, kind) => this.changed(folder, name, kind),
      again: () => void this.scan(folder),
    });
    return folder;
  }

  private identify(folder: KnownFolder, identity: string): void {
    if (folder.identity === identity) return;
    if (this.visited.get(folder.identity) === folder) this.visited.delete(folder.identity);
    folder.identity = identity;
    this.visited.set(identity, folder);
  }

  private forget(file: KnownFile): void {
    file.timer?.dispose();
    file.folder.files.delete(file.name);
  }

  private drop(folder: KnownFolder): void {
    if (!folder.dropped) {
      this.held--;
      this.parts.room.give();
    }
    folder.dropped = true;
    folder.watch?.dispose();
    if (this.visited.get(folder.identity) === folder) this.visited.delete(folder.identity);
    for (const file of folder.files.values()) file.timer?.dispose();
    for (const child of folder.folders.values()) this.drop(child);
  }
}

function identityOf({ device, inode }: FileStatus): string {
  return `${device}:${inode}`;
}

function relativeTo(folder: KnownFolder, name: string): string {
  return folder.relative === '' ? name : `${folder.relative}/${name}`;
}

/** Returns the `most` files that were written last, in no particular order. */
function newest(files: readonly KnownFile[], most: number): KnownFile[] {
  if (files.length <= most) return [...files];
  const times = Float64Array.from(files, (file) => file.status.modifiedAt).sort();
  const oldest = times[times.length - most] as number;
  return files.filter((file) => file.status.modifiedAt >= oldest).slice(0, most);
}
