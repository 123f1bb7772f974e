import type { Database } from 'sql.js';

/**
 * The tables of the snapshot. The columns beside `data` are for people who open the file with a tool of their own; `data` is the whole
 * record as JSON.
 */
const VERSION_1 = `
  CREATE TABLE incidents (
    id TEXT PRIMARY KEY, agent TEXT NOT NULL, session TEXT NOT NULL, detector TEXT NOT NULL, level TEXT NOT NULL, state TEXT NOT NULL,
    opened_at INTEGER NOT NULL, resolved_at INTEGER, title TEXT NOT NULL, subject TEXT NOT NULL, data TEXT NOT NULL
  );
  CREATE TABLE events (id TEXT PRIMARY KEY, t INTEGER NOT NULL, type TEXT NOT NULL, data TEXT NOT NULL);
  CREATE TABLE learnings (id TEXT PRIMARY KEY, at INTEGER NOT NULL, title TEXT NOT NULL, data TEXT NOT NULL);
  CREATE TABLE sessions (id TEXT PRIMARY KEY, data TEXT NOT NULL);
  CREATE TABLE removed (id TEXT PRIMARY KEY, at INTEGER NOT NULL, reopened INTEGER NOT NULL);
`;

/**
 * Each row with its checksum: a bit that the disk changed is found instead of shown. And how many rows each table has: a damaged page that
 * SQLite passes over in silence is found, and what is lost can be counted. A later version may add columns, but `sum` keeps its meaning.
 */
const VERSION_2 = `
  ALTER TABLE incidents ADD COLUMN sum TEXT NOT NULL DEFAULT '';
  ALTER TABLE events ADD COLUMN sum TEXT NOT NULL DEFAULT '';
  ALTER TABLE learnings ADD COLUMN sum TEXT NOT NULL DEFAULT '';
  ALTER TABLE sessions ADD COLUMN sum TEXT NOT NULL DEFAULT '';
  ALTER TABLE removed ADD COLUMN sum TEXT NOT NULL DEFAULT '';
  CREATE TABLE counts (id TEXT PRIMARY KEY, row_count INTEGER NOT NULL, sum TEXT NOT NULL);
`;

/** The first version whose rows have a checksum. */
export const CHECKED_VERSION = 2;

/** Brings a database from the version of its place in the list to the next. Run inside a transaction. */
export type Upgrade = (database: Database) => void;

/** One for each version; the last one makes the present version. */
const UPGRADES: readonly Upgrade[] = [
  (database) => void database.run(VERSION_1),
  (database) => void database.run(VERSION_2),
];

/** `user_version` of the snapshots that this version writes. */
export const SNAPSHOT_VERSION = UPGRADES.length;

/** The version that a database says it is of; 0 for an empty one. */
export function versionOf(database: Database): number {
  const value = database.exec('PRAGMA user_version')[0]?.values[0]?.[0];
  return typeof value === 'number' ? value : 0;
}

/** Brings a database to the newest version, all steps or none. Throws where a step fails. */
export function upgrade(database: Database, upgrades: readonly Upgrade[] = UPGRADES): void {
  const from = versionOf(database);
  if (from >= upgrades.length) return;
  database.run('BEGIN');
  try {
    for (const step of upgrades.slice(from)) step(database);
    database.run(`PRAGMA user_version = ${upgrades.length}`);
    database.run('COMMIT');
  } catch (error) {
    database.run('ROLLBACK');
    throw error;
  }
}
