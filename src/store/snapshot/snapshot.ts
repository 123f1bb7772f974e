import { readFile, stat } from 'node:fs/promises';
import type { Database, SqlValue, Statement } from 'sql.js';
import { type Breather, nextTurn } from '../breathe';
import type { Contents } from '../contents/contents';
import { viewOf } from '../contents/merge';
import { isAbsent } from '../errors';
import type { StoreRecord } from '../journal/records';
import { rowsOfPages } from './pages';
import type { Rows } from './retention';
import { TABLES, type Table, isWhole, looseRow, recordOf, withSum } from './rows';
import { CHECKED_VERSION, upgrade, versionOf } from './schema';
import type { SqlEngine } from './sql-engine';

/** A row has about 2 KB. SQLite's usual pages of 4 KB would stay half empty. */
const PAGE_SIZE = 16_384;

export interface SnapshotReading {
  /** Rows that are not what was written or cannot be read, and rows that are missing. 0: the file is whole. */
  readonly damaged: number;
  /** Incidents that were written into it; null where it does not say. */
  readonly incidents: number | null;
}

/**
 * Calls `onRecord` for each row of a snapshot, for some of a damaged one twice. Never throws for what is in the file; an absent file has no
 * rows. Of a damaged file all rows that are still whole are found, wherever they lie in it.
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
    upgrade(database);
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

/** How many rows were written into each table. */
function countsOf(database: Database): ReadonlyMap<string, number> {
  const rows = database.exec('SELECT id, row_count, sum FROM counts')[0]?.values ?? [];
  return new Map(rows.flatMap(([id, n, sum]) => (isWhole([id, n], sum) ? [[String(id), Number(n)] as const] : [])));
}

async function readTable(
  database: Database,
  table: Table,
  { isChecked, counts }: { readonly isChecked: boolean; readonly counts: ReadonlyMap<string, number> | null },
  onRecord: (record: StoreRecord) => void,
  breather: Breather,
): Promise<number> {
  let damaged = 0;
  // By their checksums: a damaged page may lead to the same rows twice.
  const whole = new Set<SqlValue>();
  let statement: Statement | null = null;
  try {
    statement = database.prepare(`SELECT ${table === 'removed' ? 'id, at, reopened' : 'data'}, sum FROM ${table}`);
    while (statement.step()) {
      const row = statement.get();
      const sum = row.pop();
      const record = isChecked && !isWhole(row, sum) ? undefined : recordOf(table, row);
      if (record) {
        onRecord(record);
        whole.add(sum ?? null);
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

/** Reads a damaged file page by page. Resolves to how many incidents were written into it, where that can still be read. */
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
    await fill('INSERT INTO incidents VALUES (?,?,?,?,?,?,?,?,?,?,?,?)', byKey(rows.incidents), ([id, json]) => {
      const kept = contents.incidents.get(id);
      if (!kept) throw new Error('A row without its incident');
      const { agent, session, detector, level, state, openedAt, resolvedAt, title, subject } = viewOf(kept);
      return [id, agent, session, detector, level, state, openedAt, resolvedAt, title, subject, ...withSum([json])];
    });
    await fill('INSERT INTO events VALUES (?,?,?,?,?)', byKey(rows.events), ([id, json]) => {
      const event = contents.events.get(id);
      return [id, event?.t ?? 0, event?.type ?? '', ...withSum([json])];
    });
    await fill('INSERT INTO learnings VALUES (?,?,?,?,?)', byKey(rows.learnings), ([id, json]) => {
      const learning = contents.learnings.get(id);
      return [id, learning?.at ?? 0, learning?.title ?? '', ...withSum([json])];
    });
    await fill('INSERT INTO sessions VALUES (?,?,?)', byKey(rows.sessions), ([id, json]) => [id, ...withSum([json])]);
    await fill('INSERT INTO removed VALUES (?,?,?,?)', contents.removed, ([id, { at, reopened }]) =>
      withSum([id, at, reopened]),
    );
    const counts = TABLES.map((table) => [table, (table === 'removed' ? contents.removed : rows[table]).size] as const);
    await fill('INSERT INTO counts VALUES (?,?,?)', counts, (count) => withSum(count));
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
