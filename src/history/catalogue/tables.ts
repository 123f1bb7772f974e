import type { Database, SqlValue } from 'sql.js';
import {
  type Contents,
  applyRecord,
  createContents,
  agentSessionKey,
  shownIncidents,
  streakKey,
} from '../contents/contents';
import type { StoreRecord } from '../journal/records';
import { eventRow, incidentRow, insertion, learningRow, sessionRow } from '../snapshot/columns';
import { type Table, rowRecord, withSum } from '../snapshot/rows';
import type { Sql } from './sql';

/** Reports a change of a row, for anything derived from it. */
export type RowChanged = (kind: 'incident' | 'learning', id: string) => void;

/** Applies a record to the tables: reads what is known of its subject, joins the two as everywhere (contents.ts), and writes the result. */
export function applyToTables(sql: Sql, record: StoreRecord, touched: RowChanged): void {
  const contents = createContents();
  bringIn(sql, record, contents);
  const before = new Set(contents.incidents.keys());
  const learned = contents.learnings.size;
  if (!applyRecord(contents, record)) return;
  switch (record.k) {
    case 'journal':
      return;
    case 'incident':
      return writeStreak(sql, contents, before, touched);
    case 'event': {
      const event = contents.events.get(record.event.id);
      if (event) write(sql, 'events', eventRow(event, JSON.stringify(event)));
      return;
    }
    case 'learning': {
      const learning = contents.learnings.get(record.learning.id);
      if (!learning) return;
      write(sql, 'learnings', learningRow(learning, JSON.stringify(learning)));
      return touched('learning', learning.id);
    }
    case 'session': {
      const key = agentSessionKey(record.session);
      const session = contents.sessions.get(key);
      if (session) write(sql, 'sessions', sessionRow(key, session, JSON.stringify(session)));
      return;
    }
    case 'remove': {
      const removal = contents.removed.get(record.id);
      if (removal) write(sql, 'removed', withSum([record.id, removal.at, removal.reopened]));
      writeStreak(sql, contents, before, touched);
      sql.run('DELETE FROM events WHERE incident = ? AND t <= ?', [record.id, record.at]);
      if (learned === contents.learnings.size) return;
      sql.run('DELETE FROM learnings WHERE id = ?', [record.id]);
      return touched('learning', record.id);
    }
  }
}

/** Reads what the tables know of a record's subject. */
function bringIn(sql: Sql, record: StoreRecord, contents: Contents): void {
  const take = (table: Table, where: string, values: readonly SqlValue[]) => {
    const columns = table === 'removed' ? 'id, at, reopened' : 'data';
    for (const row of sql.rows(`SELECT ${columns} FROM ${table} WHERE ${where}`, values)) {
      const known = rowRecord(table, row);
      if (known) applyRecord(contents, known);
    }
  };
  switch (record.k) {
    case 'journal':
      return;
    case 'incident':
      take('removed', 'id = ?', [record.incident.id]);
      return take('incidents', 'streak = ?', [streakKey(record.incident)]);
    case 'event':
      if (record.event.incident !== undefined) take('removed', 'id = ?', [record.event.incident]);
      return take('events', 'id = ?', [record.event.id]);
    case 'learning':
      take('removed', 'id = ?', [record.learning.id]);
      return take('learnings', 'id = ?', [record.learning.id]);
    case 'session':
      return take('sessions', 'id = ?', [agentSessionKey(record.session)]);
    case 'remove':
      take('removed', 'id = ?', [record.id]);
      take('incidents', 'streak = (SELECT streak FROM incidents WHERE id = ?)', [record.id]);
      return take('learnings', 'id = ?', [record.id]);
  }
}

/** Writes a whole streak: the choice of which of its incidents are one, and so are shown, may have changed for all of them. */
function writeStreak(sql: Sql, contents: Contents, before: ReadonlySet<string>, touched: RowChanged): void {
  const shown = shownIncidents(contents);
  for (const id of before) {
    if (shown.has(id)) continue;
    sql.run('DELETE FROM incidents WHERE id = ?', [id]);
    sql.run('DELETE FROM attempts WHERE incident = ?', [id]);
    touched('incident', id);
  }
  for (const [id, one] of shown) {
    write(sql, 'incidents', incidentRow(id, one, JSON.stringify(contents.incidents.get(id))));
    takeAttempts(sql, id);
    touched('incident', id);
  }
}

function write(sql: Sql, table: string, row: readonly SqlValue[]): void {
  sql.run(insertion(table, row.length), row);
}

/** Attempts that reached an agent, or may have. Withdrawn, expired or failed ones did not. */
const ATTEMPTS = `INSERT INTO attempts
  SELECT incidents.id, each.key, value ->> '$.kind', value ->> '$.rung'
  FROM incidents, json_each(data, '$.incident.attempts') AS each
  WHERE value ->> '$.state' NOT IN ('withdrawn', 'expired', 'failed')`;

function takeAttempts(sql: Sql, id: string): void {
  sql.run('DELETE FROM attempts WHERE incident = ?', [id]);
  sql.run(`${ATTEMPTS} AND incidents.id = ?`, [id]);
}

/** Everything is in memory anyway: without these settings SQLite keeps its own memory small, and writes temporary data as if to a disk. */
const IN_MEMORY = `
  PRAGMA temp_store = MEMORY;
  PRAGMA cache_size = -32768;
  PRAGMA journal_mode = MEMORY;
  PRAGMA synchronous = OFF;
`;

/**
 * Creates the indexes when a file is opened. They are not kept in it, because a damaged index would return wrong answers; the same applies to the
 * table of attempts. The index of shown incidents has all columns for filters and counts: the rows themselves, with their texts, are not read for
 * that.
 */
export function createIndexes(database: Database): void {
  database.run(IN_MEMORY);
  database.run(`
    CREATE INDEX incidents_shown ON incidents (opened_at, id, level, ending, detector, agent, folder, state, active, session)
      WHERE head = id;
    CREATE INDEX incidents_stuck ON incidents (stuck_at, id, agent, session, detector, state, active, ending, tokens, first_at, resolved_at, updated_at, model)
      WHERE head = id AND level = 'stuck';
    CREATE INDEX incidents_streak ON incidents (streak);
    CREATE INDEX incidents_pattern ON incidents (pattern);
    CREATE INDEX sessions_last ON sessions (last_at, first_at, id, agent, model, steps);
    CREATE INDEX events_t ON events (t);
    CREATE INDEX events_type ON events (type, t);
    CREATE INDEX events_incident ON events (incident);
    CREATE TEMP TABLE attempts (incident TEXT NOT NULL, place INTEGER NOT NULL, kind TEXT, rung TEXT, PRIMARY KEY (incident, place)) WITHOUT ROWID;
    ${ATTEMPTS} AND instr(data, '"attempts":[]') = 0;
  `);
}
