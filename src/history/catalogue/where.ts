import type { SqlValue } from 'sql.js';
import type { EventFilter, IncidentFilter } from '../types';

/** A condition in SQL with its values; the text never contains any of them. */
export interface Where {
  readonly sql: string;
  readonly values: readonly SqlValue[];
}

/** Compares paths of any system: Windows paths with `/`, too. */
const IN_FOLDER = "substr(replace(i.folder, '\\', '/') || '/', 1, length(?) + 1) = ? || '/'";

/** Builds the condition for a filter of incidents; `i` is the table. Only for shown incidents: one for each that two windows opened. */
export function incidentsWhere(filter: IncidentFilter): Where {
  return all([
    { sql: 'i.head = i.id', values: [] },
    filter.ids && {
      sql: `i.id IN (SELECT head FROM incidents WHERE id IN (${marks(filter.ids)}))`,
      values: filter.ids,
    },
    filter.active !== undefined && { sql: 'i.active = ?', values: [filter.active ? 1 : 0] },
    oneOf('i.level', filter.levels),
    oneOf("coalesce(i.ending, 'open')", filter.endings),
    oneOf('i.agent', filter.agents),
    oneOf('i.detector', filter.detectors),
    filter.session !== undefined && { sql: 'i.session = ?', values: [filter.session] },
    filter.folders && {
      sql: `(${filter.folders.map(() => IN_FOLDER).join(' OR ') || '0'})`,
      values: filter.folders.flatMap((folder) => Array<string>(2).fill(folder.replaceAll('\\', '/'))),
    },
    filter.since !== undefined && { sql: 'i.opened_at >= ?', values: [filter.since] },
    filter.until !== undefined && { sql: 'i.opened_at < ?', values: [filter.until] },
  ]);
}

export function eventsWhere(filter: EventFilter): Where {
  return all([
    equals('type', filter.type),
    equals('session', filter.session),
    equals('incident', filter.incident),
    filter.since !== undefined && { sql: 't >= ?', values: [filter.since] },
  ]);
}

/** Returns the value of `LIMIT ?`; in SQL a negative limit means none. */
export function limitOf({ limit }: { readonly limit?: number }): number {
  return limit === undefined ? -1 : Math.max(0, limit);
}

function all(conditions: readonly (Where | false | undefined)[]): Where {
  const given = conditions.filter((one): one is Where => one !== false && one !== undefined);
  return {
    sql: given.map(({ sql }) => sql).join(' AND ') || '1',
    values: given.flatMap(({ values }) => values),
  };
}

function equals(column: string, value: string | undefined): Where | false {
  return value !== undefined && { sql: `${column} = ?`, values: [value] };
}

function oneOf(column: string, values: readonly string[] | undefined): Where | undefined {
  return values && { sql: `${column} IN (${marks(values)})`, values };
}

function marks(values: readonly unknown[]): string {
  return values.map(() => '?').join(',');
}
