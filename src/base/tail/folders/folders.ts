import { basename, dirname } from 'node:path';
import type { Disposable } from '../../util/disposable';
import { isDue } from '../../beat';
import type { TailClock } from '../pace/clock';
import { codeOf } from '../errors';
import { type FileStatus, type FolderWatch, type TailFs, statusAgain } from '../file-system';
import type { WatchFailure } from '../types';

export interface FolderListener {
  /** Reports a change of an entry. `rename`: it appeared or disappeared. */
  readonly changed?: (name: string, kind: 'rename' | 'change') => void;
  /** Reports that anything may have changed: the system gave no details, or the folder was unwatched for a while or has come back. */
  readonly again: () => void;
}

/** Change of an entry. `unknown`: no report, but it may have changed. */
export type EntryChange = 'change' | 'rename' | 'unknown';

interface Folder {
  readonly path: string;
  readonly listeners: Set<FolderListener>;
  readonly byName: Map<string, Set<(kind: EntryChange) => void>>;
  watch: FolderWatch | null;
  state: 'watched' | 'polled' | 'missing';
  /** While it is missing: the folder above it, in which it will appear. */
  above: Disposable | null;
  /** Reason why it is polled; empty where it is not. */
  refusal: string;
  rearming: boolean;
  inode: number;
  device: number;
  modifiedAt: number;
  unsettled: boolean;
}

/** Error codes that concern the folder and not the watcher. */
const UNREPORTED = new Set(['EACCES', 'EPERM', 'ELOOP']);

/** Folders checked per turn of the event loop: about a millisecond. */
const LOOKS_A_TURN = 64;

/** Folders checked per round of polling. */
const MOST_POLLED = 256;

/** How often polled folders are checked, and during the first minute missing ones. */
const POLL_MS = 2_000;
const EAGER_MS = 60_000;
/**
 * How often a missing folder is checked after that. Its parent reports its appearance, except when a file system is mounted late. Without this limit,
 * the stores of agents that are not installed would be checked dozens of times a second, for ever.
 */
const CHECK_MISSING_MS = 30_000;

/**
 * Watches folders, each once for all subscribers, and never a file or a whole tree. While a folder does not exist, its parent is watched.
 * A folder that the system refuses to watch is polled.
 */
export class Folders {
  private readonly folders = new Map<string, Folder>();
  private watched = 0;
  private cursor = 0;
  private readonly eagerUntil: number;
  private missingDueAt = 0;
  private readonly refusing = new Set<Folder>();
  private failure: WatchFailure | null = null;
  private stopped = false;

  constructor(
    private readonly fs: TailFs,
    private readonly clock: TailClock,
    private readonly limit: number,
    private readonly onFailure: (failure: WatchFailure | null) => void,
    /** Called when a folder must be polled from now on. */
    private readonly onPolled: () => void,
  ) {
    this.eagerUntil = clock.now() + EAGER_MS;
  }

  watch(path: string, listener: FolderListener): Disposable {
    const folder = this.acquire(path);
    folder.listeners.add(listener);
    return {
      dispose: () => {
        folder.listeners.delete(listener);
        this.release(folder);
      },
    };
  }

  /** Reports changes of one entry of a folder. */
  watchEntry(path: string, name: string, changed: (kind: EntryChange) => void): Disposable {
    const folder = this.acquire(path);
    const watchers = folder.byName.get(name) ?? new Set();
    folder.byName.set(name, watchers.add(changed));
    return {
      dispose: () => {
        watchers.delete(changed);
        if (watchers.size === 0) folder.byName.delete(name);
        this.release(folder);
      },
    };
  }

  /** False if the system reports no changes, so that the folder must be polled. */
  isWatched(path: string): boolean {
    return this.folders.get(path)?.state === 'watched';
  }

  /** Notes the status of a folder whose entries are about to be read, so that the first check already shows what was not reported since. */
  note(path: string, { inode, device, modifiedAt }: FileStatus): void {
    const folder = this.folders.get(path);
    if (folder?.modifiedAt === -1) Object.assign(folder, { inode, device, modifiedAt });
  }

  /** Returns when to poll next, in milliseconds of the clock. */
  nextPollAt(): number {
    const now = this.clock.now();
    const isOften = now < this.eagerUntil || [...this.folders.values()].some(({ state }) => state === 'polled');
    return isOften ? now + POLL_MS : this.missingDueAt;
  }

  /** Checks the folders that are not watched, at most `MOST_POLLED` per round. */
  async poll(): Promise<void> {
    const now = this.clock.now();
    const checksMissing = now < this.eagerUntil || isDue(this.missingDueAt, CHECK_MISSING_MS, now);
    if (checksMissing) this.missingDueAt = now + CHECK_MISSING_MS;
    const unwatched = [...this.folders.values()].filter(
      ({ state, path }) =>
        state === 'polled' || (checksMissing && state === 'missing' && !this.isMissing(dirname(path))),
    );
    const start = this.cursor < unwatched.length ? this.cursor : 0;
    this.cursor = start + MOST_POLLED;
    for (const folder of unwatched.slice(start, this.cursor)) {
      if (folder.state === 'missing') this.retry(folder);
      else await this.look(folder);
    }
  }

  /** Checks all folders: watches a folder again if it was replaced, and retries one that was refused. */
  async verify(): Promise<void> {
    let refused = false;
    let looks = 0;
    for (const folder of this.folders.values()) {
      if (folder.state === 'missing') continue;
      // Synchronous checks never yield on their own, so yield here.
      if (++looks % LOOKS_A_TURN === 0) await new Promise<void>((resume) => this.clock.soon(resume));
      await this.look(folder);
      if (folder.state !== 'polled' || refused) continue;
      this.rearm(folder);
      refused = this.folders.get(folder.path)?.state === 'polled';
    }
  }

  dispose(): void {
    this.stopped = true;
    for (const folder of this.folders.values()) {
      this.disarm(folder);
      folder.listeners.clear();
      folder.byName.clear();
    }
    this.folders.clear();
    this.refusing.clear();
  }

  private acquire(path: string): Folder {
    const known = this.folders.get(path);
    if (known) return known;
    const folder: Folder = {
      path,
      listeners: new Set(),
      byName: new Map(),
      watch: null,
      state: 'missing',
      above: null,
      refusal: '',
      rearming: false,
      inode: -1,
      device: -1,
      modifiedAt: -1,
      unsettled: false,
    };
    this.folders.set(path, folder);
    this.arm(folder);
    return folder;
  }

  private release(folder: Folder): void {
    if (folder.listeners.size > 0 || folder.byName.size > 0 || this.folders.get(folder.path) !== folder) return;
    this.folders.delete(folder.path);
    this.disarm(folder);
    this.setRefusal(folder, '');
  }

  /**
   * Starts to watch, or records why it cannot. After the end, a caller such as a walk that is still running receives a folder that reports nothing.
   */
  private arm(folder: Folder): void {
    if (this.stopped) return;
    const refusal = this.tryToWatch(folder);
    if (refusal === null) this.watching(folder);
    else this.refused(folder, refusal);
  }

  private rearm(folder: Folder): void {
    if (!this.isCurrent(folder)) return;
    this.disarm(folder);
    this.arm(folder);
    this.reportUnknownChange(folder);
  }

  /** Starts to watch; returns the system's error code if that is refused. */
  private tryToWatch(folder: Folder): string | null {
    if (this.watched >= this.limit) return 'LIMIT';
    try {
      folder.watch = this.fs.watch(
        folder.path,
        (kind, name) => this.event(folder, kind, name),
        (error) => {
          if (!this.isCurrent(folder)) return;
          this.disarm(folder);
          this.refused(folder, codeOf(error));
          this.reportUnknownChange(folder);
        },
      );
      return null;
    } catch (error) {
      return codeOf(error);
    }
  }

  private watching(folder: Folder): void {
    this.watched++;
    folder.state = 'watched';
    folder.above?.dispose();
    folder.above = null;
    this.setRefusal(folder, '');
  }

  private refused(folder: Folder, code: string): void {
    if (code === 'ENOENT' || code === 'ENOTDIR') {
      this.wait(folder);
      return;
    }
    folder.above?.dispose();
    folder.above = null;
    folder.state = 'polled';
    this.setRefusal(folder, code);
    this.onPolled();
  }

  /** Watches the parent until the folder appears; the parent may be missing too. */
  private wait(folder: Folder): void {
    folder.state = 'missing';
    this.setRefusal(folder, '');
    const parent = dirname(folder.path);
    if (parent === folder.path || folder.above) return;
    const name = basename(folder.path);
    folder.above = this.watch(parent, {
      changed: (changed) => {
        if (changed === name) this.retry(folder);
      },
      again: () => this.retry(folder),
    });
    // It may have appeared before its parent was watched.
    this.retry(folder);
  }

  private retry(folder: Folder): void {
    if (folder.state !== 'missing' || !this.isCurrent(folder) || !this.fs.exists(folder.path)) return;
    const refusal = this.tryToWatch(folder);
    if (refusal === 'ENOENT' || refusal === 'ENOTDIR') return;
    if (refusal === null) this.watching(folder);
    else this.refused(folder, refusal);
    this.reportUnknownChange(folder);
  }

  private disarm(folder: Folder): void {
    if (folder.watch) this.watched--;
    folder.watch?.close();
    folder.watch = null;
    folder.above?.dispose();
    folder.above = null;
  }

  private event(folder: Folder, kind: 'rename' | 'change', name: string | null): void {
    if (!this.isCurrent(folder)) return;
    if (name === null) {
      this.reportUnknownChange(folder);
      return;
    }
    if (kind === 'rename' && name === basename(folder.path) && !folder.rearming) {
      // Most likely the folder itself was removed or moved, and its watch no longer reports anything.
      folder.rearming = true;
      this.clock.soon(() => {
        folder.rearming = false;
        this.rearm(folder);
      });
    }
    for (const changed of folder.byName.get(name) ?? []) changed(kind);
    for (const listener of folder.listeners) listener.changed?.(name, kind);
  }

  private reportUnknownChange(folder: Folder): void {
    for (const watchers of folder.byName.values()) for (const changed of watchers) changed('unknown');
    for (const listener of folder.listeners) listener.again();
  }

  /** Checks that the watched folder is still the same one. */
  private async look(folder: Folder): Promise<void> {
    const status = await statusAgain(this.fs, folder.path, folder.device);
    if (!this.isCurrent(folder) || folder.state === 'missing') return;
    if (status?.kind !== 'folder') {
      this.rearm(folder);
      return;
    }
    const replaced = folder.inode !== -1 && folder.inode !== status.inode;
    const isKnown = folder.modifiedAt !== -1 || folder.state === 'polled';
    const changed = isKnown && folder.modifiedAt !== status.modifiedAt;
    // An entry that was created within the same tick of the file system's clock leaves the folder's time unchanged: check once more.
    const unsettled = folder.unsettled;
    folder.inode = status.inode;
    folder.device = status.device;
    folder.modifiedAt = status.modifiedAt;
    folder.unsettled = changed;
    if (replaced) this.rearm(folder);
    else if (changed || unsettled) this.reportUnknownChange(folder);
  }

  private isMissing(path: string): boolean {
    return this.folders.get(path)?.state === 'missing';
  }

  private isCurrent(folder: Folder): boolean {
    return this.folders.get(folder.path) === folder;
  }

  private setRefusal(folder: Folder, code: string): void {
    folder.refusal = code;
    if (code === '' || UNREPORTED.has(code)) this.refusing.delete(folder);
    else this.refusing.add(folder);
    this.reportFailure();
  }

  /** Reports the first refusal, and the moment when none is left. */
  private reportFailure(): void {
    const [first] = this.refusing;
    if (first && !this.failure) {
      this.failure = { code: first.refusal, polled: this.refusing.size };
      this.onFailure(this.failure);
    } else if (!first && this.failure) {
      this.failure = null;
      this.onFailure(null);
    }
  }
}
