import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import initialise, { type Database } from 'sql.js';

const wasm = readFileSync(join(__dirname, '../../../../node_modules/sql.js/dist/sql-wasm.wasm'));

/** The columns that are read, as its documentation names them (schema 23), and those that were added later. */
const SESSIONS = `id TEXT PRIMARY KEY, source TEXT NOT NULL, model TEXT, parent_session_id TEXT, started_at REAL NOT NULL, ended_at REAL,
  end_reason TEXT, title TEXT`;
const MESSAGES = `id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT NOT NULL, role TEXT NOT NULL, content TEXT, tool_call_id TEXT,
  tool_calls TEXT, tool_name TEXT, timestamp REAL NOT NULL, finish_reason TEXT`;

export interface HermesSession {
  readonly id: string;
  readonly cwd?: string;
  readonly parent?: string;
  readonly source?: string;
  readonly title?: string;
  readonly endReason?: string;
}

export interface HermesMessage {
  readonly role: string;
  readonly content?: string;
  readonly calls?: readonly object[] | string;
  readonly answers?: string;
  readonly finish?: string;
  /** Seconds. */
  readonly at: number;
  readonly display?: string;
  readonly isSummary?: boolean;
}

/** A database like Hermes's that a test fills. */
export interface HermesDatabase {
  session(fields: HermesSession): void;
  put(session: string, ...messages: readonly HermesMessage[]): void;
  bytes(): Uint8Array;
  close(): void;
}

export const START = 1_785_751_000;

/** `isOld`: without the columns that were added later. */
export async function makeHermes(isOld = false): Promise<HermesDatabase> {
  const { Database: Make } = await initialise({
    wasmBinary: wasm.buffer.slice(wasm.byteOffset, wasm.byteOffset + wasm.byteLength),
  });
  const database: Database = new Make();
  database.run(`CREATE TABLE sessions (${SESSIONS}${isOld ? '' : ', cwd TEXT'})`);
  database.run(
    `CREATE TABLE messages (${MESSAGES}${isOld ? '' : ', display_kind TEXT, _compressed_summary INTEGER NOT NULL DEFAULT 0'})`,
  );
  const insert = (table: string, row: Readonly<Record<string, string | number | null>>): void => {
    const names = Object.keys(row);
    const marks = names.map(() => '?').join(',');
    database.run(`INSERT OR REPLACE INTO ${table} (${names.join(',')}) VALUES (${marks})`, Object.values(row));
  };
  return {
    session: ({ id, cwd, parent, source = 'cli', title, endReason }) =>
      insert('sessions', {
        id,
        source,
        model: 'gpt-5.6-luna',
        parent_session_id: parent ?? null,
        started_at: START,
        ended_at: endReason === undefined ? null : START + 100,
        end_reason: endReason ?? null,
        title: title ?? null,
        ...(!isOld && { cwd: cwd ?? null }),
      }),
    put(session, ...messages) {
      for (const { role, content = '', calls = '', answers, finish, at, display, isSummary } of messages)
        insert('messages', {
          session_id: session,
          role,
          content,
          tool_calls: typeof calls === 'string' ? calls : JSON.stringify(calls),
          tool_call_id: answers ?? null,
          finish_reason: finish ?? null,
          timestamp: at,
          ...(!isOld && { display_kind: display ?? null, _compressed_summary: isSummary ? 1 : 0 }),
        });
    },
    bytes: () => database.export(),
    close: () => database.close(),
  };
}

interface DumpedRow {
  readonly role: string;
  readonly content: string;
  readonly tool_calls: string;
  readonly tool_call_id: string;
  readonly finish_reason: string;
  readonly display_kind: string;
  readonly _ts: number;
}

/** The database of one session, filled from a dump. */
export async function databaseOfHermes(file: string): Promise<HermesDatabase> {
  const made = await makeHermes();
  made.session({ id: '20260803_121252_a1b2c3', cwd: '/home/dev2/project' });
  for (const line of readFileSync(file, 'utf8').trim().split('\n')) {
    const row = JSON.parse(line) as DumpedRow;
    made.put('20260803_121252_a1b2c3', {
      role: row.role,
      content: row.content,
      calls: row.tool_calls,
      answers: row.tool_call_id,
      finish: row.finish_reason,
      display: row.display_kind,
      at: row._ts,
    });
  }
  return made;
}
