import { readFile, stat } from 'node:fs/promises';
import type { Database, SqlValue, Statement } from 'sql.js';
import { type Breather, nextTurn } from '../breathe';
import { type Contents, shownIncidents } from '../contents/contents';
import { isAbsent } from '../errors';
import type { StoreRecord } from '../journal/records';
import { rowsOfPages } from './pages';
import type { SnapshotRows } from './retention';
import { eventRow, incidentRow, insertion, learningRow, sessionRow } from './columns';
import { TABLES, type Table, isIntact, looseRow, rowRecord, withSum } from './rows';
import { CHECKED_VERSION, PAGE_SIZE, createTables, versionOf } from './schema';
import type { SqlEngine } from './sql-engine';

export interface SnapshotReading {
  /** Number of rows that are missing, unreadable or not as they were written. 0: the file is whole. */
  readonly damaged: number;
  /** Number of incidents that were written into it; null if that is not recorded. */
  readonly incidents: number | null;
}

/**
 * Calls `onRecord` for each row of a snapshot, twice for some rows of a damaged one. Never throws because of the contents of the file; an absent file
 * has no rows. In a damaged file all rows that are still whole are found, wherever they are in it.
 */
export async function readSnapshot(
  path: string,
  engine: SqlEngine,
  onRecord: (record: StoreRecord) => void,
  breather: Breather,
): Promise<SnapshotReading> {
  let bytes: Buffer;
  try {
    if (!(await stat(path)).isFile()) return { damaged: 1, incidents: null };
    bytes = await readFile(path);
  } catch (error) {
    if (isAbsent(error)) return { damaged: 0, incidents: null };
    throw error;
  }
  // For SQLite an empty file is an empty database.
  if (bytes.length === 0) return { damaged: 1, incidents: null };
  const { Database } = await engine();
  await nextTurn();
  breather.restart();
  let database: Database | null = null;
  let damaged = 0;
  let incidents: number | null = null;
  try {
    database = new Database(bytes);
    const isChecked = versionOf(database) >= CHECKED_VERSION;
    const counts = isChecked ? countsOf(database) : null;
    incidents = counts?.get('incidents') ?? null;
    for (const table of TABLES) damaged += await readTable(database, table, { isChecked, counts }, onRecord, breather);
  } catch {
    damaged++;
  } finally {
    breather.note();
    database?.close();
  }
  if (damaged > 0) incidents = (await salvage(bytes, onRecord, breather)) ?? incidents;
  return { damaged, incidents };
}

/** Returns the number of rows written into each table. */
export function countsOf(database: Database): ReadonlyMap<string, number> {
  const rows = database.exec('SELECT id, row_count, sum FROM counts')[0]?.values ?? [];
  return new Map(rows.flatMap(([id, n, sum]) => (isIntact([id, n], sum) ? [[String(id), Number(n)] as const] : [])));
}

async function readTable(
  database: Database,
  table: Table,
  { isChecked, counts }: { readonly isChecked: boolean; readonly counts: ReadonlyMap<string, number> | null },
  onRecord: (record: StoreRecord) => void,
  breather: Breather,
): Promise<number> {
  let damaged = 0;
  // Checksums of rows already read: a damaged page may lead to the same rows twice.
  const whole = new Set<SqlValue>();
  let statement: Statement | null = null;
  try {
    const columns = table === 'removed' ? 'id, at, reopened' : 'data';
    statement = database.prepare(`SELECT ${columns}, ${isChecked ? 'sum' : 'NULL'} FROM ${table}`);
    while (statement.step()) {
      const row = statement.get();
      const sum = row.pop();
      const record = isChecked && !isIntact(row, sum) ? undefined : rowRecord(table, row);
      if (record) {
        onRecord(record);
        whole.add(sum ?? row[0] ?? null);
      } else damaged++;
      const pause = breather.breathe();
      if (pause) await pause;
    }
  } catch {
    damaged++;
  } finally {
    statement?.free();
  }
  if (!counts) return damaged;
  const count = counts.get(table);
  return count === undefined ? Math.max(damaged, 1) : Math.max(damaged, count - whole.size);
}

/** Reads a damaged file page by page. Resolves to the number of incidents that were written into it, if that can still be read. */
async function salvage(
  bytes: Buffer,
  onRecord: (record: StoreRecord) => void,
  breather: Breather,
): Promise<number | null> {
  breather.restart();
  let incidents: number | null = null;
  for (const cells of rowsOfPages(bytes, PAGE_SIZE)) {
    const row = cells && looseRow(cells);
    if (row && 'record' in row) onRecord(row.record);
    else if (row?.table === 'incidents') incidents = row.count;
    const pause = breather.breathe();
    if (pause) await pause;
  }
  breather.note();
  return incidents;
}

/** Builds the database file from the contents: no free pages, no old layout. */
export async function buildSnapshot(
  contents: Contents,
  rows: SnapshotRows,
  engine: SqlEngine,
  breather: Breather,
): Promise<Uint8Array> {
  const { Database } = await engine();
  breather.restart();
  const database = new Database();
  try {
    createTables(database);
    const pause = breather.breathe();
    if (pause) await pause;
    const fill = async <T>(table: Table | 'counts', items: Iterable<T>, row: (item: T) => SqlValue[]) => {
      let statement: Statement | null = null;
      database.run('BEGIN');
      for (const item of items) {
        const values = row(item);
        statement ??= database.prepare(insertion(table, values.length));
        statement.run(values);
        const pause = breather.breathe();
        if (pause) await pause;
      }
      database.run('COMMIT');
      statement?.free();
    };
    // In order of the key, so that the pages of the table are completely filled.
    const shown = shownIncidents(contents);
    await fill('incidents', byKey(rows.incidents), ([id, json]) => {
      const one = shown.get(id);
      if (!one) throw new Error('A row without its incident');
      return incidentRow(id, one, json);
    });
    const known = <T>(map: ReadonlyMap<string, T>, id: string): T => {
      const value = map.get(id);
      if (!value) throw new Error('A row without its record');
      return value;
    };
    await fill('events', byKey(rows.events), ([id, json]) => eventRow(known(contents.events, id), json));
    await fill('learnings', byKey(rows.learnings), ([id, json]) => learningRow(known(contents.learnings, id), json));
    await fill('sessions', byKey(rows.sessions), ([id, json]) => sessionRow(id, known(contents.sessions, id), json));
    await fill('removed', contents.removed, ([id, { at, reopened }]) => withSum([id, at, reopened]));
    const counts = TABLES.map((table) => [table, (table === 'removed' ? contents.removed : rows[table]).size] as const);
    await fill('counts', counts, (count) => withSum(count));
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
