import { open, stat } from 'node:fs/promises';
import { isAbsent } from '../errors';
import { SNAPSHOT_VERSION } from './schema';

/** Content of the snapshot's first bytes; read without a database engine. */
export type SnapshotHeader =
  | { readonly kind: 'absent' }
  | { readonly kind: 'corrupt' }
  | {
      readonly kind: 'present' | 'newer';
      readonly version: number;
      /** Differs between any two snapshots that were written. */
      readonly stamp: string;
    };

/** See "The Database Header" in the SQLite file format: magic at 0, page size at 16, pages at 28, user_version at 60. */
export async function readHeader(path: string): Promise<SnapshotHeader> {
  let handle;
  try {
    // A folder in its place cannot be read, and a pipe cannot even be opened without waiting.
    if (!(await stat(path)).isFile()) return { kind: 'corrupt' };
    handle = await open(path, 'r');
  } catch (error) {
    if (isAbsent(error)) return { kind: 'absent' };
    throw error;
  }
  try {
    const head = Buffer.alloc(100);
    const { bytesRead } = await handle.read(head, 0, 100, 0);
    const { size, mtimeMs, ino } = await handle.stat();
    if (bytesRead < 100 || head.toString('latin1', 0, 16) !== 'SQLite format 3\u0000') return { kind: 'corrupt' };
    const version = head.readUInt32BE(60);
    const stamp = `${ino}:${size}:${mtimeMs}`;
    if (version > SNAPSHOT_VERSION) return { kind: 'newer', version, stamp };
    // 1 stands for 65536.
    const pageSize = head.readUInt16BE(16) === 1 ? 65_536 : head.readUInt16BE(16);
    if (pageSize * head.readUInt32BE(28) !== size) return { kind: 'corrupt' };
    return { kind: 'present', version, stamp };
  } finally {
    await handle.close();
  }
}
