import { createHash } from 'node:crypto';
import { mkdir, readdir, rm, stat, unlink, writeFile } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { readBytes, readBytesNow } from './read';

export interface FileCacheOptions {
  /** Folder of all versions, created when the first entry is written. */
  readonly folder: string;
  /** Name of a folder that stands for everything on which the entries depend. Entries of another version are never read. */
  readonly version: string;
  /** Limit for all entries together, in bytes; the oldest are removed first. */
  readonly limit: number;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** True if reading may block the event loop. A command has nothing else to do, and blocking reads save it a quarter of the processor time. */
  readonly blocks?: boolean;
}

/** Limit for one entry, in bytes. A larger one is not kept. */
const LARGEST = 8 * 1024 * 1024;
/** Another build may run alongside this one, so its entries are kept for a day after its last new one. */
const OTHERS_STAY_MS = 86_400_000;
const SUM_LENGTH = 32;

/**
 * Keeps texts that can be computed again, one file for each. Several processes may use it at once, without a lock: a sum at the beginning of each
 * file reveals damage by a crash, a full disk or two writers, and such an entry counts as absent. Nothing here throws.
 */
export class FileCache {
  private readonly folder: string;
  /** Set by the first write, which creates the folder and counts what is in it. */
  private prepared: Promise<void> | null = null;
  /** Bytes of the entries. */
  private size = 0;
  private isWritable = true;

  constructor(private readonly options: FileCacheOptions) {
    this.folder = join(options.folder, options.version);
  }

  async read(key: string): Promise<string | undefined> {
    const path = this.pathOf(key);
    const read = this.options.blocks
      ? readBytesNow(path, { limit: LARGEST })
      : await readBytes(path, { limit: LARGEST });
    if (!read.ok) return undefined;
    const { bytes } = read.value;
    const text = bytes.subarray(SUM_LENGTH + 1);
    return bytes.toString('latin1', 0, SUM_LENGTH + 1) === `${sumOf(text)}\n` ? text.toString('utf8') : undefined;
  }

  /** After a failed write nothing is written any more: a disk that is full or read-only stays so for a while. */
  async write(key: string, text: string): Promise<void> {
    const bytes = Buffer.byteLength(text);
    if (!this.isWritable || bytes > LARGEST) return;
    try {
      await (this.prepared ??= this.prepare());
      this.size += bytes;
      if (this.size > this.options.limit) await this.shrink();
      await writeFile(this.pathOf(key), `${sumOf(text)}\n${text}`, { mode: 0o600 });
    } catch {
      this.isWritable = false;
    }
  }

  private pathOf(key: string): string {
    return join(this.folder, createHash('sha256').update(key).digest('hex').slice(0, 32));
  }

  /** Creates the folder, removes those of versions that are no longer used, and counts the bytes that are there. */
  private async prepare(): Promise<void> {
    const { folder, version, now } = this.options;
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    for (const other of await readdir(folder)) {
      const path = join(folder, other);
      if (other === version) continue;
      // Another process may remove it at the same moment.
      const found = await stat(path).catch(() => null);
      if (found && now() - found.mtimeMs > OTHERS_STAY_MS) await rm(path, { recursive: true, force: true });
    }
    this.size = sizeOf(await this.entries());
  }

  /** Removes the oldest entries, down to three quarters of the limit. */
  private async shrink(): Promise<void> {
    const entries = (await this.entries()).sort((one, other) => one.mtimeMs - other.mtimeMs);
    this.size = sizeOf(entries);
    for (const entry of entries) {
      if (this.size <= this.options.limit * 0.75) break;
      await unlink(entry.path).catch(() => undefined);
      this.size -= entry.size;
    }
  }

  private async entries() {
    const found: { readonly path: string; readonly size: number; readonly mtimeMs: number }[] = [];
    for (const name of await readdir(this.folder)) {
      const path = join(this.folder, name);
      const entry = await stat(path).catch(() => null);
      if (entry) found.push({ path, size: entry.size, mtimeMs: entry.mtimeMs });
    }
    return found;
  }
}

function sizeOf(entries: readonly { readonly size: number }[]): number {
  return entries.reduce((sum, { size }) => sum + size, 0);
}

function sumOf(text: string | Uint8Array): string {
  return createHash('sha256').update(text).digest('hex').slice(0, SUM_LENGTH);
}

/** Returns the folder in which programs keep what they can compute again for a user, by the rules of the platform. */
export function cacheFolder(
  env: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform,
  home: string,
): string {
  const set = env['XDG_CACHE_HOME'] ?? '';
  switch (platform) {
    case 'win32':
      return join(env['LOCALAPPDATA'] || join(home, 'AppData', 'Local'), 'unstuck', 'cache');
    case 'darwin':
      return join(home, 'Library', 'Caches', 'unstuck');
    default:
      // The rules of XDG leave out a relative path, which would be one in the folder of the process.
      return join(isAbsolute(set) ? set : join(home, '.cache'), 'unstuck');
  }
}
