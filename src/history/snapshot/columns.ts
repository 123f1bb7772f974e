import type { SqlValue } from 'sql.js';
import { endingOf, isActive } from '../../core/model';
import { checksumOf } from '../checksum';
import { streakKey, type ShownIncident } from '../contents/contents';
import { patternOf } from '../queries/pattern';
import type { Learning, SessionSeen, StoreEvent } from '../types';

/** Builds the rows of the tables in schema.ts, column by column. `json` is the record as `data` holds it. */

export function incidentRow(id: string, { head, view }: ShownIncident, json: string): SqlValue[] {
  const { agent, session, folder, model, role, file, detector, rule, level, state } = view;
  const { openedAt, firstAt, stuckAt, resolvedAt, updatedAt, title, subject } = view;
  return checked(
    ([id, streakKey(view), head] as SqlValue[]).concat(
      [agent, session, folder ?? null, model ?? null, role ?? null, file],
      [detector, rule, level, state, endingOf(view), isActive(state) ? 1 : 0],
      [openedAt, firstAt, stuckAt, resolvedAt, updatedAt],
      [view.tokensSinceFirst ?? 0, title, subject, patternOf(view)],
    ),
    json,
  );
}

export function eventRow({ id, t, type, session, agent, incident }: StoreEvent, json: string): SqlValue[] {
  return checked([id, t, type, session, agent, incident ?? null], json);
}

export function learningRow({ id, at, session, agent, pinned, title }: Learning, json: string): SqlValue[] {
  return checked([id, at, session, agent, pinned === true ? 1 : 0, title], json);
}

export function sessionRow(id: string, seen: SessionSeen, json: string): SqlValue[] {
  const { agent, session, model, folder, firstAt, lastAt, steps } = seen;
  return checked([id, agent, session, model ?? null, folder ?? null, firstAt, lastAt, steps ?? null], json);
}

/** Returns the statement that inserts a row with this many columns into a table, or replaces the row with its key. */
export function insertion(table: string, columns: number): string {
  return `INSERT OR REPLACE INTO ${table} VALUES (${Array.from({ length: columns }, () => '?').join(',')})`;
}

function checked(columns: readonly SqlValue[], json: string): SqlValue[] {
  return [...columns, columnSum(columns), json, checksumOf(json)];
}

/** Returns the checksum of the columns of a row before `facts`. */
export function columnSum(columns: readonly SqlValue[]): string {
  return checksumOf(JSON.stringify(columns));
}
