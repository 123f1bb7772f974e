import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Database } from 'sql.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SNAPSHOT_VERSION, upgrade, versionOf } from '../../../../src/store/snapshot/schema';
import { createSqlEngine } from '../../../../src/store/snapshot/sql-engine';
import { MINUTE, T0, WASM, attempt, folder, incident, open, recovered } from '../support/make';

/** People open the history with SQLite tools of their own, so its layout is a promise (docs/storage.md, "For your own tools"). */
const LAYOUT: Readonly<Record<string, readonly string[]>> = {
  incidents: [
    'id TEXT key',
    'agent TEXT',
    'session TEXT',
    'detector TEXT',
    'level TEXT',
    'state TEXT',
    'opened_at INTEGER',
    'resolved_at INTEGER or null',
    'title TEXT',
    'subject TEXT',
    'data TEXT',
    'sum TEXT',
  ],
  events: ['id TEXT key', 't INTEGER', 'type TEXT', 'data TEXT', 'sum TEXT'],
  learnings: ['id TEXT key', 'at INTEGER', 'title TEXT', 'data TEXT', 'sum TEXT'],
  sessions: ['id TEXT key', 'data TEXT', 'sum TEXT'],
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
    upgrade(database);
    const tables = database.exec("SELECT name FROM sqlite_master WHERE type = 'table'")[0]?.values.flat();
    expect(tables).toEqual(Object.keys(LAYOUT));
    for (const [table, columns] of Object.entries(LAYOUT)) expect(layoutOf(database, table)).toEqual(columns);
  });

  it('say their version, which docs/storage.md names', async () => {
    const database = await databaseOf();
    expect(versionOf(database)).toBe(0);
    upgrade(database);
    expect(versionOf(database)).toBe(SNAPSHOT_VERSION);
    const documented = /version of the layout, now (\d+)\./.exec(readFileSync('docs/storage.md', 'utf8'))?.[1];
    expect(Number(documented)).toBe(SNAPSHOT_VERSION);
  });

  it('hold an incident in the columns of its names', async () => {
    const { store } = await open(path);
    const one = recovered({ id: 'A', title: 'the title', subject: 'the subject', agent: 'codex' });
    await store.save(one);
    await store.compact();
    const [row, ...more] = rows(await written(), 'incidents');
    expect(more).toEqual([]);
    const { data, sum, ...columns } = row ?? {};
    expect(sum).toBe(sumOf(String(data)));
    expect(columns).toEqual({
      id: 'A',
      agent: 'codex',
      session: one.session,
      detector: one.detector,
      level: 'stuck',
      state: 'recovered',
      opened_at: one.openedAt,
      resolved_at: one.resolvedAt,
      title: 'the title',
      subject: 'the subject',
    });
    expect(JSON.parse(String(data))).toMatchObject({ incident: one, mute: null });
  });

  it('hold the state that is shown: a muted incident is muted there too', async () => {
    const { store } = await open(path);
    const one = incident({ id: 'A' });
    await store.save(one);
    await store.save({ ...one, state: 'muted', updatedAt: one.updatedAt + MINUTE });
    await store.compact();
    const [row] = rows(await written(), 'incidents');
    expect(row).toMatchObject({ state: 'muted', resolved_at: null });
  });

  it('hold events, learnings, sessions and what was deleted', async () => {
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
    const seen = { agent: 'codex', session: 's1', firstAt: T0, lastAt: T0 + MINUTE } as const;
    store.sawSession(seen);
    await store.save(incident({ id: 'B', key: 'other', reopened: 2 }));
    await store.remove('B');
    clock.pass(MINUTE);
    await store.compact();
    const database = await written();
    expect(rows(database, 'events')).toContainEqual({
      id: event.id,
      t: T0 + 3,
      type: 'Observation',
      data: JSON.stringify(event),
      sum: sumOf(JSON.stringify(event)),
    });
    const [learning] = await store.learnings();
    expect(rows(database, 'learnings')).toEqual([
      {
        id: 'A',
        at: one.resolvedAt,
        title: learning?.title,
        data: JSON.stringify(learning),
        sum: sumOf(JSON.stringify(learning)),
      },
    ]);
    const session = JSON.stringify(seen);
    expect(rows(database, 'sessions')).toEqual([{ id: 'codex\ns1', data: session, sum: sumOf(session) }]);
    const removed = ['B', T0 + 20 * MINUTE, 2] as const;
    const [id, at, reopened] = removed;
    expect(rows(database, 'removed')).toEqual([{ id, at, reopened, sum: sumOf(JSON.stringify(removed)) }]);
    const counts = { events: 2, incidents: 1, learnings: 1, removed: 1, sessions: 1 };
    expect(rows(database, 'counts')).toEqual(
      Object.entries(counts).map((count) => ({ id: count[0], row_count: count[1], sum: sumOf(JSON.stringify(count)) })),
    );
  });
});

describe('an older layout', () => {
  const add = (column: string) => (database: Database) =>
    void database.run(`ALTER TABLE incidents ADD COLUMN ${column} TEXT`);

  it('gets the steps that it lacks, and only those', async () => {
    const database = await databaseOf();
    upgrade(database);
    const there = () => expect.unreachable('is there already');
    upgrade(database, [there, there, add('model'), add('role')]);
    expect(versionOf(database)).toBe(4);
    expect(layoutOf(database, 'incidents').slice(-2)).toEqual(['model TEXT or null', 'role TEXT or null']);
  });

  it('stays as it was where a step fails', async () => {
    const database = await databaseOf();
    upgrade(database);
    const broken = () => {
      throw new Error('no');
    };
    expect(() => upgrade(database, [() => {}, () => {}, add('model'), broken])).toThrow('no');
    expect(versionOf(database)).toBe(2);
    expect(layoutOf(database, 'incidents')).toEqual(LAYOUT['incidents']);
  });

  it('of a later version is not touched', async () => {
    const database = await databaseOf();
    upgrade(database);
    database.run('PRAGMA user_version = 9');
    upgrade(database, [() => expect.unreachable('nothing to do')]);
    expect(versionOf(database)).toBe(9);
  });
});
