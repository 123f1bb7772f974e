import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Database } from 'sql.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SNAPSHOT_VERSION, createTables, versionOf } from '../../../../src/history/snapshot/schema';
import { createSqlEngine } from '../../../../src/history/snapshot/sql-engine';
import { MINUTE, T0, WASM, attempt, folder, incident, open, recovered } from '../support/make';

/** The last columns of each record's row. */
const END = ['facts TEXT', 'data TEXT', 'sum TEXT'];

/** People open the history with their own SQLite tools, so its layout is a promise (docs/storage.md, "For your own tools"). */
const LAYOUT: Readonly<Record<string, readonly string[]>> = {
  incidents: [
    'id TEXT key',
    'streak TEXT',
    'head TEXT',
    'agent TEXT',
    'session TEXT',
    'folder TEXT or null',
    'model TEXT or null',
    'role TEXT or null',
    'file TEXT',
    'detector TEXT',
    'rule TEXT or null',
    'level TEXT',
    'state TEXT',
    'ending TEXT or null',
    'active INTEGER',
    'opened_at INTEGER',
    'first_at INTEGER',
    'stuck_at INTEGER or null',
    'resolved_at INTEGER or null',
    'updated_at INTEGER',
    'tokens INTEGER',
    'title TEXT',
    'subject TEXT',
    'pattern TEXT',
    ...END,
  ],
  events: ['id TEXT key', 't INTEGER', 'type TEXT', 'session TEXT', 'agent TEXT', 'incident TEXT or null', ...END],
  learnings: ['id TEXT key', 'at INTEGER', 'session TEXT', 'agent TEXT', 'pinned INTEGER', 'title TEXT', ...END],
  sessions: [
    'id TEXT key',
    'agent TEXT',
    'session TEXT',
    'model TEXT or null',
    'folder TEXT or null',
    'first_at INTEGER',
    'last_at INTEGER',
    'steps INTEGER or null',
    ...END,
  ],
  removed: ['id TEXT key', 'at INTEGER', 'reopened INTEGER', 'sum TEXT'],
  counts: ['id TEXT key', 'row_count INTEGER', 'sum TEXT'],
};

const engine = createSqlEngine(WASM);
const databases: Database[] = [];
let path: string;
beforeEach(() => {
  path = folder();
});
afterEach(() => {
  for (const database of databases.splice(0)) database.close();
});

async function databaseOf(bytes?: Uint8Array): Promise<Database> {
  const { Database } = await engine();
  const database = new Database(bytes);
  databases.push(database);
  return database;
}

/** docs/storage.md, "For your own tools". */
const sumOf = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 16);

/** A row with its checksums, as docs/storage.md describes them. */
const rowOf = (columns: Readonly<Record<string, unknown>>, data: string) => ({
  ...columns,
  facts: sumOf(JSON.stringify(Object.values(columns))),
  data,
  sum: sumOf(data),
});

const written = () => databaseOf(readFileSync(join(path, 'incidents.sqlite')));

/** All rows of a table, by the names of its columns. */
function rows(database: Database, table: string): Record<string, unknown>[] {
  const { columns, values } = database.exec(`SELECT * FROM ${table} ORDER BY 1`)[0] ?? { columns: [], values: [] };
  return values.map((row) => Object.fromEntries(columns.map((column, i) => [column, row[i]])));
}

function layoutOf(database: Database, table: string): string[] {
  const [info] = database.exec(`PRAGMA table_info(${table})`);
  return (info?.values ?? []).map(([, name, type, notNull, , key]) =>
    [name, type, key === 1 ? 'key' : notNull === 1 ? '' : 'or null'].filter(Boolean).join(' '),
  );
}

describe('the tables of the history', () => {
  it('are these, with these columns, in this order', async () => {
    const database = await databaseOf();
    createTables(database);
    const tables = database.exec("SELECT name FROM sqlite_master WHERE type = 'table'")[0]?.values.flat();
    expect(tables).toEqual(Object.keys(LAYOUT));
    for (const [table, columns] of Object.entries(LAYOUT)) expect(layoutOf(database, table)).toEqual(columns);
  });

  it('contain their version, which docs/storage.md names', async () => {
    const database = await databaseOf();
    expect(versionOf(database)).toBe(0);
    createTables(database);
    expect(versionOf(database)).toBe(SNAPSHOT_VERSION);
    const documented = /version of the layout, now (\d+)\./.exec(readFileSync('docs/storage.md', 'utf8'))?.[1];
    expect(Number(documented)).toBe(SNAPSHOT_VERSION);
  });

  it('contain an incident in the columns of its names', async () => {
    const { store } = await open(path);
    const one = recovered({ id: 'A', title: 'the title', subject: 'the subject', agent: 'codex' });
    await store.save(one);
    await store.compact();
    const [row, ...more] = rows(await written(), 'incidents');
    expect(more).toEqual([]);
    const { facts, data, sum, ...columns } = row ?? {};
    expect(sum).toBe(sumOf(String(data)));
    expect(facts).toBe(sumOf(JSON.stringify(Object.values(columns))));
    expect(columns).toMatchObject({
      id: 'A',
      streak: `codex\n${one.session}\n${one.key}`,
      head: 'A',
      agent: 'codex',
      session: one.session,
      folder: one.folder,
      model: one.model,
      role: null,
      file: one.file,
      detector: one.detector,
      rule: null,
      level: 'stuck',
      state: 'recovered',
      ending: 'nudge',
      active: 0,
      opened_at: one.openedAt,
      first_at: one.firstAt,
      stuck_at: one.stuckAt,
      resolved_at: one.resolvedAt,
      updated_at: one.updatedAt,
      tokens: 0,
      title: 'the title',
      subject: 'the subject',
    });
    expect(columns['pattern']).toMatch(/^[0-9a-f]{16}$/);
    expect(JSON.parse(String(data))).toMatchObject({ incident: one, mute: null });
  });

  it('contain the state that is shown: a muted incident is muted there too', async () => {
    const { store } = await open(path);
    const one = incident({ id: 'A' });
    await store.save(one);
    await store.save({ ...one, state: 'muted', updatedAt: one.updatedAt + MINUTE });
    await store.compact();
    const [row] = rows(await written(), 'incidents');
    expect(row).toMatchObject({ state: 'muted', resolved_at: null });
  });

  it('contain events, learnings, sessions and what was deleted', async () => {
    const { store, clock } = await open(path);
    const one = recovered({ id: 'A', attempts: [attempt({ state: 'acted', takenAt: T0 + 12 * MINUTE })] });
    await store.save(one);
    const event = await store.appendEvent({
      t: T0 + 3,
      type: 'Observation',
      session: 's1',
      agent: 'codex',
      data: { n: 1 },
    });
    const seen = { agent: 'codex', session: 's1', firstAt: T0, lastAt: T0 + MINUTE, steps: 7 } as const;
    store.sawSession(seen);
    await store.save(incident({ id: 'B', key: 'other', reopened: 2 }));
    await store.remove('B');
    clock.pass(MINUTE);
    await store.compact();
    const database = await written();
    const json = JSON.stringify(event);
    const eventColumns = {
      id: event.id,
      t: T0 + 3,
      type: 'Observation',
      session: 's1',
      agent: 'codex',
      incident: null,
    };
    expect(rows(database, 'events')).toContainEqual(rowOf(eventColumns, json));
    const [learning] = await store.learnings();
    const { id: learned, at: learnedAt, session: of, agent, title } = learning ?? {};
    expect(rows(database, 'learnings')).toEqual([
      rowOf({ id: learned, at: learnedAt, session: of, agent, pinned: 0, title }, JSON.stringify(learning)),
    ]);
    const watched = { id: 'codex\ns1', agent: 'codex', session: 's1', model: null, folder: null };
    expect(rows(database, 'sessions')).toEqual([
      rowOf({ ...watched, first_at: T0, last_at: T0 + MINUTE, steps: 7 }, JSON.stringify(seen)),
    ]);
    const removed = ['B', T0 + 20 * MINUTE, 2] as const;
    const [id, at, reopened] = removed;
    expect(rows(database, 'removed')).toEqual([{ id, at, reopened, sum: sumOf(JSON.stringify(removed)) }]);
    const counts = { events: 2, incidents: 1, learnings: 1, removed: 1, sessions: 1 };
    expect(rows(database, 'counts')).toEqual(
      Object.entries(counts).map((count) => ({ id: count[0], row_count: count[1], sum: sumOf(JSON.stringify(count)) })),
    );
  });
});
