import type { SqlValue } from 'sql.js';
import { parseJson } from '../../base/util/json';
import { checksumOf } from '../checksum';
import { type StoreRecord, asStoreRecord, asStoredIncident } from '../journal/records';

/** The tables of records. Tombstones first, so that deleted incidents are skipped. */
export const TABLES = ['removed', 'incidents', 'events', 'learnings', 'sessions'] as const;
export type Table = (typeof TABLES)[number];

/** Returns the text for the checksum of a row: its `data`, or all of its columns if it has none. */
function textOf(columns: readonly unknown[]): string {
  const [data] = columns;
  return columns.length === 1 && typeof data === 'string' ? data : JSON.stringify(columns);
}

/** Returns the columns of a row that count, followed by their checksum. */
export function withSum<T extends SqlValue>(columns: readonly T[]): (T | string)[] {
  return [...columns, checksumOf(textOf(columns))];
}

/** True if these columns were written with this checksum. */
export function isIntact(columns: readonly unknown[], sum: unknown): boolean {
  return sum === checksumOf(textOf(columns));
}

interface Kinds {
  removed: 'remove';
  incidents: 'incident';
  events: 'event';
  learnings: 'learning';
  sessions: 'session';
}

/** Record in a row of a table. */
export type RecordIn<T extends Table> = Extract<StoreRecord, { readonly k: Kinds[T] }>;

/** Returns the record of a row: of `id`, `at`, `reopened` for a tombstone, otherwise of `data`. Undefined if it is no known record. */
export function rowRecord<T extends Table>(table: T, columns: readonly unknown[]): RecordIn<T> | undefined;
export function rowRecord(table: Table, columns: readonly unknown[]): StoreRecord | undefined {
  if (table === 'removed') {
    const [id, at, reopened] = columns;
    return asStoreRecord({ k: 'remove', id, at, reopened });
  }
  const value = parseJson(String(columns[0]));
  switch (table) {
    case 'incidents': {
      const kept = asStoredIncident(value);
      return kept && { k: 'incident', ...kept };
    }
    case 'events':
      return asStoreRecord({ k: 'event', event: value });
    case 'learnings':
      return asStoreRecord({ k: 'learning', learning: value });
    case 'sessions':
      return asStoreRecord({ k: 'session', session: value });
  }
}

/** A row of an unknown table: a record, or the number of rows in a table. */
export type LooseRow =
  | { readonly record: StoreRecord }
  | { readonly table: string; readonly count: number }
  | undefined;

const SUM = /^[0-9a-f]{16}$/;

/**
 * Recognises a row that was found without its table by its columns, in any layout so far. A row with a checksum has to match it; one of the first
 * layout has none, and is recognised by its form alone.
 */
export function looseRow(cells: readonly unknown[]): LooseRow {
  const last = cells.at(-1);
  const isSummed = typeof last === 'string' && SUM.test(last);
  const columns = isSummed ? cells.slice(0, -1) : cells;
  const data = columns.at(-1);
  const counting = typeof data === 'string' ? [data] : columns;
  if (isSummed && !isIntact(counting, last)) return undefined;
  const [id, number] = columns;
  if (typeof data === 'string') {
    if (!data.startsWith('{')) return undefined;
    for (const table of TABLES) {
      const record = table === 'removed' ? undefined : rowRecord(table, [data]);
      if (record) return { record };
    }
  } else if (columns.length === 3) {
    const record = rowRecord('removed', columns);
    return record && { record };
  } else if (isSummed && columns.length === 2 && typeof id === 'string' && typeof number === 'number') {
    return { table: id, count: number };
  }
  return undefined;
}
