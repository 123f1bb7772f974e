import { codeOf } from '../errors';
import type { TailFs } from '../file-system';
import { isSameStatus } from '../same-status';

const READ_BYTES = 4 * 1024 * 1024;
/** Attempts on a database that keeps changing. After the last one it is returned as it is: its consumer checks it. */
const ATTEMPTS = 3;

/** Reads the bytes of a database and its write-ahead log, unchanged while they were read. Undefined where one is over the limit. */
export async function readDatabase(
  fs: TailFs,
  descriptor: number,
  path: string,
  limit: number,
): Promise<{ readonly database: Uint8Array; readonly log: Uint8Array | null } | undefined> {
  for (let attempt = 1; ; attempt++) {
    const before = await fs.statusOf(descriptor);
    if (before.size > limit) return undefined;
    // Read the log first: a checkpoint between the two reads then yields pages twice instead of never.
    const log = await readLog(fs, `${path}-wal`, limit);
    if (log === undefined) return undefined;
    const database = await readAll(fs, descriptor, before.size);
    const after = await fs.statusOf(descriptor);
    const same = isSameStatus(before, after) && (await logIsStill(fs, `${path}-wal`, log?.length ?? -1));
    if (same || attempt === ATTEMPTS) return { database, log };
  }
}

async function readLog(fs: TailFs, path: string, limit: number): Promise<Uint8Array | null | undefined> {
  let descriptor = -1;
  try {
    if ((await fs.status(path)).kind !== 'file') return null;
    descriptor = await fs.open(path);
    const { size } = await fs.statusOf(descriptor);
    return size > limit ? undefined : await readAll(fs, descriptor, size);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  } finally {
    if (descriptor !== -1) void fs.close(descriptor);
  }
}

async function logIsStill(fs: TailFs, path: string, size: number): Promise<boolean> {
  const status = await fs.status(path).catch(() => null);
  return (status?.size ?? -1) === size;
}

async function readAll(fs: TailFs, descriptor: number, size: number): Promise<Uint8Array> {
  const bytes = Buffer.allocUnsafeSlow(size);
  let at = 0;
  while (at < size) {
    const read = await fs.read(descriptor, bytes, at, Math.min(READ_BYTES, size - at), at);
    if (read === 0) break;
    at += read;
  }
  return bytes.subarray(0, at);
}
