import type { Database } from 'sql.js';

/**
 * The tables of the history. The columns besides `data` are those used to filter, sort and count; `data` is the whole record as JSON. Each row ends
 * with `facts`, the checksum of the columns before it, `data`, and `sum`, the checksum of `data`: a bit that the disk changed is found instead of
 * shown. `counts` holds the number of rows of each table: this reveals a damaged page that SQLite silently skips, and lost rows can be counted. A
 * later layout may add columns, but `data` and `sum` stay the last two, and keep their meaning.
 */
const LAYOUT = `
  CREATE TABLE incidents (
    id TEXT PRIMARY KEY, streak TEXT NOT NULL, head TEXT NOT NULL,
    agent TEXT NOT NULL, session TEXT NOT NULL, folder TEXT, model TEXT, role TEXT, file TEXT NOT NULL,
    detector TEXT NOT NULL, rule TEXT, level TEXT NOT NULL, state TEXT NOT NULL, ending TEXT, active INTEGER NOT NULL,
    opened_at INTEGER NOT NULL, first_at INTEGER NOT NULL, stuck_at INTEGER, resolved_at INTEGER, updated_at INTEGER NOT NULL,
    tokens INTEGER NOT NULL, title TEXT NOT NULL, subject TEXT NOT NULL, pattern TEXT NOT NULL,
    facts TEXT NOT NULL, data TEXT NOT NULL, sum TEXT NOT NULL
  );
  CREATE TABLE events (
    id TEXT PRIMARY KEY, t INTEGER NOT NULL, type TEXT NOT NULL, session TEXT NOT NULL, agent TEXT NOT NULL, incident TEXT,
    facts TEXT NOT NULL, data TEXT NOT NULL, sum TEXT NOT NULL
  );
  CREATE TABLE learnings (
    id TEXT PRIMARY KEY, at INTEGER NOT NULL, session TEXT NOT NULL, agent TEXT NOT NULL, pinned INTEGER NOT NULL, title TEXT NOT NULL,
    facts TEXT NOT NULL, data TEXT NOT NULL, sum TEXT NOT NULL
  );
  CREATE TABLE sessions (
    id TEXT PRIMARY KEY, agent TEXT NOT NULL, session TEXT NOT NULL, model TEXT, folder TEXT,
    first_at INTEGER NOT NULL, last_at INTEGER NOT NULL, steps INTEGER,
    facts TEXT NOT NULL, data TEXT NOT NULL, sum TEXT NOT NULL
  );
  CREATE TABLE removed (id TEXT PRIMARY KEY, at INTEGER NOT NULL, reopened INTEGER NOT NULL, sum TEXT NOT NULL);
  CREATE TABLE counts (id TEXT PRIMARY KEY, row_count INTEGER NOT NULL, sum TEXT NOT NULL);
`;

/** A row has about 2 KB. SQLite's usual pages of 4 KB would stay half empty. */
export const PAGE_SIZE = 16_384;

/** The first version whose rows have a checksum. */
export const CHECKED_VERSION = 2;

/**
 * `user_version` of the snapshots that this version writes: 3. Version 1, of Unstuck 0.1.0, had no checksums; in version 2 the columns were not
 * enough for queries. The records of both are in `data`: they are read (snapshot.ts) and written in this layout.
 */
export const SNAPSHOT_VERSION = 3;

/** Returns the version stored in a database; 0 for an empty one. */
export function versionOf(database: Database): number {
  const value = database.exec('PRAGMA user_version')[0]?.values[0]?.[0];
  return typeof value === 'number' ? value : 0;
}

/** Creates the tables in an empty database. */
export function createTables(database: Database): void {
  database.run(`PRAGMA page_size = ${PAGE_SIZE}`);
  database.run(LAYOUT);
  database.run(`PRAGMA user_version = ${SNAPSHOT_VERSION}`);
}
