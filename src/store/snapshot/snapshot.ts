import { link, open, readFile, rename, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Database, SqlValue, Statement } from 'sql.js';
import { type Breather, nextTurn } from '../breathe';
import type { Contents } from '../contents/contents';
import { errorCode } from '../../util/error-code';
import { parseJson } from '../../util/json';
import { isAbsent } from '../errors';
import { syncFolder } from '../journal/journal-writer';
import { viewOf } from '../contents/merge';
import { type StoreRecord, asStoredIncident, asRecord } from '../journal/records';
import type { Rows } from './retention';
import { SNAPSHOT_VERSION, upgrade } from './schema';
import type { SqlEngine } from './sql-engine';

/** A row has about 2 KB. SQLite's usual pages of 4 KB would stay half empty. */
const PAGE_SIZE = 16_384;

/** What the first bytes of the snapshot say; read without a database engine. */
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

export interface SnapshotReading {
  /** Rows that could not be understood, or tables that could not be read to their end. */
  readonly damaged: number;
}

/** Calls `onRecord` for each row of a snapshot. Never throws for what is in the file; an absent file has no rows. */
export async function readSnapshot(
  path: string,
  engine: SqlEngine,
  onRecord: (record: StoreRecord) => void,
  breather: Breather,
): Promise<SnapshotReading> {
  let bytes: Buffer;
  try {
    bytes = await readFile(path);
  } catch (error) {
    if (isAbsent(error)) return { damaged: 0 };
    throw error;
  }
  const { Database } = await engine();
  await nextTurn();
  breather.restart();
  let database: Database | null = null;
  let damaged = 0;
  try {
    database = new Database(bytes);
    upgrade(database);
    for (const table of TABLES) damaged += await readTable(database, table, onRecord, breather);
  } catch {
    damaged++;
  } finally {
    breather.note();
    database?.close();
  }
  return { damaged };
}

type Table = 'removed' | 'incidents' | 'events' | 'learnings' | 'sessions';
/** Tombstones first, so that deleted incidents are skipped. */
const TABLES: readonly Table[] = ['removed', 'incidents', 'events', 'learnings', 'sessions'];

async function readTable(
  database: Database,
  table: Table,
  onRecord: (record: StoreRecord) => void,
  breather: Breather,
): Promise<number> {
  let damaged = 0;
  let statement: Statement | null = null;
  try {
    statement = database.prepare(
      table === 'removed' ? 'SELECT id, at, reopened FROM removed' : `SELECT data FROM ${table}`,
    );
    while (statement.step()) {
      const record = recordOf(table, statement.get());
      if (record) onRecord(record);
      else damaged++;
      const pause = breather.breathe();
      if (pause) await pause;
    }
  } catch {
    damaged++;
  } finally {
    statement?.free();
  }
  return damaged;
}

function recordOf(table: Table, row: readonly SqlValue[]): StoreRecord | undefined {
  if (table === 'removed') {
    const [id, at, reopened] = row;
    return asRecord({ k: 'remove', id, at, reopened });
  }
  const value = parseJson(String(row[0]));
  switch (table) {
    case 'incidents': {
      const kept = asStoredIncident(value);
      return kept && { k: 'incident', ...kept };
    }
    case 'events':
      return asRecord({ k: 'event', event: value });
    case 'learnings':
      return asRecord({ k: 'learning', learning: value });
    case 'sessions':
      return asRecord({ k: 'session', session: value });
  }
}

/** The database file of the contents, built anew: no free pages, no old layout. */
export async function buildSnapshot(
  contents: Contents,
  rows: Rows,
  engine: SqlEngine,
  breather: Breather,
): Promise<Uint8Array> {
  const { Database } = await engine();
  breather.restart();
  const database = new Database();
  try {
    database.run(`PRAGMA page_size = ${PAGE_SIZE}`);
    upgrade(database);
    const pause = breather.breathe();
    if (pause) await pause;
    const fill = async <T>(sql: string, items: Iterable<T>, row: (item: T) => SqlValue[]) => {
      const statement = database.prepare(sql);
      database.run('BEGIN');
      // In order of the key, so that the pages of the table are filled to the end.
      for (const item of items) {
        statement.run(row(item));
        const pause = breather.breathe();
        if (pause) await pause;
      }
      database.run('COMMIT');
      statement.free();
    };
    await fill('INSERT INTO incidents VALUES (?,?,?,?,?,?,?,?,?,?,?)', byKey(rows.incidents), ([id, json]) => {
      const kept = contents.incidents.get(id);
      if (!kept) throw new Error('A row without its incident');
      const { agent, session, detector, level, state, openedAt, resolvedAt, title, subject } = viewOf(kept);
      return [id, agent, session, detector, level, state, openedAt, resolvedAt, title, subject, json];
    });
    await fill('INSERT INTO events VALUES (?,?,?,?)', byKey(rows.events), ([id, json]) => {
      const event = contents.events.get(id);
      return [id, event?.t ?? 0, event?.type ?? '', json];
    });
    await fill('INSERT INTO learnings VALUES (?,?,?,?)', byKey(rows.learnings), ([id, json]) => {
      const learning = contents.learnings.get(id);
      return [id, learning?.at ?? 0, learning?.title ?? '', json];
    });
    await fill('INSERT INTO sessions VALUES (?,?)', byKey(rows.sessions), ([id, json]) => [id, json]);
    await fill('INSERT INTO removed VALUES (?,?,?)', contents.removed, ([id, removal]) => [
      id,
      removal.at,
      removal.reopened,
    ]);
    await nextTurn();
    breather.restart();
    return database.export();
  } finally {
    breather.note();
    database.close();
  }
}

function byKey(rows: ReadonlyMap<string, string>): [string, string][] {
  return [...rows].sort((a, b) => (a[0] < b[0] ? -1 : 1));
}

/** Replaces a file so that a crash at any moment leaves the old or the new one. */
export async function replaceFile(
  path: string,
  temporary: string,
  data: Uint8Array,
  isStillAllowed: () => Promise<boolean>,
): Promise<boolean> {
  const handle = await open(temporary, 'wx', 0o600);
  try {
    await handle.writeFile(data);
    await handle.sync();
  } finally {
    await handle.close();
  }
  if (!(await isStillAllowed())) {
    await unlink(temporary);
    return false;
  }
  await renameOver(temporary, path);
  await syncFolder(dirname(path));
  return true;
}

/** Windows refuses to replace a file while another process reads it, so try again for a moment. */
async function renameOver(from: string, to: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await rename(from, to);
      return;
    } catch (error) {
      const code = errorCode(error);
      if (attempt >= 10 || (code !== 'EPERM' && code !== 'EACCES' && code !== 'EBUSY')) throw error;
      await new Promise((resolve) => setTimeout(resolve, 20 * attempt));
    }
  }
}

/** Links a file under a second name, so that replacing it does not delete its content. */
export async function setAside(path: string, aside: string): Promise<void> {
  try {
    await link(path, aside);
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ENOENT' || code === 'EEXIST') return;
    // A file system without second names.
    await rename(path, aside);
  }
}
