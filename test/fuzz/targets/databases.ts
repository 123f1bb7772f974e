import { createDecoder } from '../../../src/agents/decoders';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import initialise from 'sql.js';
import { crush } from '../../../src/agents/crush/adapter';
import { opencode } from '../../../src/agents/opencode/adapter';
import { createLocalReader } from '../../../src/agents/sqlite/local';
import { createEventCheck } from '../../unit/agents/fuzz';
import { mutateLines } from '../mutate';
import { projectRoot } from '../project-root';
import type { FuzzTarget } from '../target';
import { passagesOf, textsBelow } from '../seeds';

/** The columns of OpenCode that are read. */
const SCHEMA = `
  CREATE TABLE session (id text PRIMARY KEY, project_id text, parent_id text, directory text, title text, version text, permission text,
    agent text, time_created, time_updated);
  CREATE TABLE message (id text PRIMARY KEY, session_id text, time_created, time_updated, data text);
  CREATE TABLE part (id text PRIMARY KEY, message_id text, session_id text, time_created, time_updated, data text);
`;

/** OpenCode's database: rows with mutated values, and now and then mutated bytes. */
export async function databaseTarget(): Promise<FuzzTarget> {
  const { Database } = await initialise();
  const sqlite = createLocalReader(
    createRequire(join(projectRoot, 'package.json')).resolve('sql.js/dist/sql-wasm.wasm'),
  );
  const rows = textsBelow('test/golden/fixtures/opencode').filter(({ name }) => name.endsWith('.rows.jsonl'));
  let turn = 0;

  function bytesOf(lines: readonly string[]): Uint8Array {
    const database = new Database();
    try {
      database.run(SCHEMA);
      for (const line of lines) insert(line, (sql, values) => database.run(sql, values));
      return database.export();
    } finally {
      database.close();
    }
  }

  return {
    name: 'decoders/opencode-database',
    counts: 'lines',
    seeds: rows.flatMap(({ text }) => passagesOf(text)),
    mutate: mutateLines,
    async run(input) {
      const lines = input.split('\n');
      let bytes = bytesOf(lines);
      if (++turn % 8 === 0) {
        // In a fresh database of a few pages: one byte in ten thousand, by a rule that needs no further random numbers.
        bytes = Uint8Array.from(bytes, (byte, index) => ((index * 31 + turn) % 9_973 === 0 ? byte ^ 0x55 : byte));
      }
      const decoder = createDecoder(opencode, { file: '/work/opencode.db', readSmall: () => undefined, sqlite });
      if (decoder.unit !== 'database') throw new Error('no database');
      const check = createEventCheck();
      await decoder.decode(bytes, null, { event: check, problem: () => {}, wants: () => true, read: () => {} });
      return lines.length;
    },
  };
}

/** Crush's database: messages whose parts are mutated, each reading resuming after fewer of them. */
export async function crushTarget(): Promise<FuzzTarget> {
  const { Database } = await initialise();
  const sqlite = createLocalReader(
    createRequire(join(projectRoot, 'package.json')).resolve('sql.js/dist/sql-wasm.wasm'),
  );
  return {
    name: 'decoders/crush-database',
    counts: 'lines',
    seeds: textsBelow('test/fuzz/seeds')
      .filter(({ name }) => name.endsWith('crush.parts.txt'))
      .map(({ text }) => text),
    mutate: mutateLines,
    async run(input) {
      const lines = input.split('\n');
      const decoder = createDecoder(crush, { file: '/work/.crush/crush.db', readSmall: () => undefined, sqlite });
      if (decoder.unit !== 'database') throw new Error('no database');
      const check = createEventCheck();
      const database = new Database();
      try {
        database.run(CRUSH_SCHEMA);
        for (const [index, line] of lines.entries()) {
          const [role = '', parts = ''] = line.split(/ (.*)/s);
          const values = [`m${index % 40}`, role, parts, index, index];
          database.run("INSERT OR REPLACE INTO messages VALUES (?,'s',?,?,'x',?,?)", values);
          if (index !== lines.length >> 1 && index !== lines.length - 1) continue;
          const sink = { event: check, problem: () => {}, wants: () => true, read: () => {} };
          await decoder.decode(database.export(), null, sink);
        }
      } finally {
        database.close();
      }
      return lines.length;
    },
  };
}

const CRUSH_SCHEMA = `
  CREATE TABLE sessions (id text, parent_session_id text, title text, prompt_tokens, completion_tokens, cost, created_at, updated_at);
  CREATE TABLE messages (id text PRIMARY KEY, session_id text, role text, parts text, model text, created_at, updated_at);
  INSERT INTO sessions VALUES ('s', NULL, 'Title', 10, 2, 0.1, 1, 9);
`;

/** A row of a dump, with its values as mutated. */
function insert(line: string, run: (sql: string, values: (string | number | null)[]) => void): void {
  let row: Record<string, unknown>;
  try {
    row = JSON.parse(line) as Record<string, unknown>;
  } catch {
    return;
  }
  const text = (value: unknown) =>
    typeof value === 'number' || typeof value === 'string' ? value : value === undefined ? null : JSON.stringify(value);
  if (typeof row !== 'object' || row === null) return;
  const [id, session, data] = [text(row['id']), text(row['session_id']), text(row['data'])];
  const times = [text(row['time_created']), text(row['time_updated'])];
  run('INSERT OR REPLACE INTO session VALUES (?,?,?,?,?,?,?,?,?,?)', [
    session,
    'p',
    null,
    '/work',
    'Title',
    '1.18',
    text(row['permission']),
    text(row['agent']),
    ...times,
  ]);
  if (row['_table'] === 'part')
    run('INSERT OR REPLACE INTO part VALUES (?,?,?,?,?,?)', [id, text(row['message_id']), session, ...times, data]);
  else run('INSERT OR REPLACE INTO message VALUES (?,?,?,?,?)', [id, session, ...times, data]);
}
