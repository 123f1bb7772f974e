import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import initialise, { type Database } from 'sql.js';

const wasm = readFileSync(join(__dirname, '../../../../node_modules/sql.js/dist/sql-wasm.wasm'));

/** The tables that are read, as OpenCode 1.18 creates them. */
const SCHEMA = [
  'CREATE TABLE `session` (`id` text PRIMARY KEY, `project_id` text NOT NULL, `parent_id` text, `directory` text NOT NULL, `title` text NOT NULL, `version` text NOT NULL, `permission` text, `agent` text, `time_created` integer NOT NULL, `time_updated` integer NOT NULL)',
  'CREATE TABLE `message` (`id` text PRIMARY KEY, `session_id` text NOT NULL, `time_created` integer NOT NULL, `time_updated` integer NOT NULL, `data` text NOT NULL)',
  'CREATE TABLE `part` (`id` text PRIMARY KEY, `message_id` text NOT NULL, `session_id` text NOT NULL, `time_created` integer NOT NULL, `time_updated` integer NOT NULL, `data` text NOT NULL)',
  'CREATE INDEX `message_session_time_created_id_idx` ON `message` (`session_id`,`time_created`,`id`)',
  'CREATE INDEX `part_session_idx` ON `part` (`session_id`)',
];

/** A row of a dump: those of `message` and `part`, with the column `data` parsed. */
export interface DumpedRow {
  readonly _table: 'message' | 'part';
  readonly id: string;
  readonly session_id: string;
  readonly message_id?: string;
  readonly time_created: number;
  readonly time_updated: number;
  readonly data: Readonly<Record<string, unknown>>;
}

export interface SessionFields {
  readonly id: string;
  readonly directory?: string;
  readonly parent?: string;
  readonly title?: string;
  readonly agent?: string;
  readonly permission?: string;
  readonly created?: number;
  readonly updated?: number;
}

/** A database like OpenCode's that a test fills; it has no log. */
export interface MadeDatabase {
  session(fields: SessionFields): void;
  /** Inserts a row, or replaces it in place. */
  put(row: DumpedRow): void;
  run(sql: string): void;
  /** The current bytes. */
  bytes(): Uint8Array;
  close(): void;
}

export async function makeDatabase(): Promise<MadeDatabase> {
  const { Database: Make } = await initialise({
    wasmBinary: wasm.buffer.slice(wasm.byteOffset, wasm.byteOffset + wasm.byteLength),
  });
  const database: Database = new Make();
  for (const sql of SCHEMA) database.run(sql);
  return {
    session({
      id,
      directory = '/home/dev2/project',
      parent,
      title = 'Short title',
      agent = 'build',
      permission,
      ...times
    }) {
      const created = times.created ?? 1_795_201_000_000;
      database.run('INSERT OR REPLACE INTO session VALUES (?,?,?,?,?,?,?,?,?,?)', [
        id,
        'project',
        parent ?? null,
        directory,
        title,
        '1.18.33',
        permission ?? null,
        agent,
        created,
        times.updated ?? created,
      ]);
    },
    put(row) {
      const data = JSON.stringify(row.data);
      if (row._table === 'message') {
        database.run(
          'INSERT INTO message VALUES (?,?,?,?,?) ON CONFLICT(id) DO UPDATE SET time_updated=excluded.time_updated, data=excluded.data',
          [row.id, row.session_id, row.time_created, row.time_updated, data],
        );
        return;
      }
      database.run(
        'INSERT INTO part VALUES (?,?,?,?,?,?) ON CONFLICT(id) DO UPDATE SET time_updated=excluded.time_updated, data=excluded.data',
        [row.id, row.message_id ?? '', row.session_id, row.time_created, row.time_updated, data],
      );
    },
    run: (sql) => void database.run(sql),
    bytes: () => database.export(),
    close: () => database.close(),
  };
}

export function readRows(file: string): readonly DumpedRow[] {
  return readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as DumpedRow);
}

/** The database from which a dump was taken. */
export async function databaseOf(rows: readonly DumpedRow[]): Promise<MadeDatabase> {
  const database = await makeDatabase();
  for (const id of new Set(rows.map((row) => row.session_id))) {
    const times = rows.filter((row) => row.session_id === id).map((row) => row.time_updated);
    database.session({ id, updated: Math.max(...times), created: Math.min(...times) - 60_000 });
  }
  for (const row of rows) database.put(row);
  return database;
}
