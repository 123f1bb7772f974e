import { fail, ok, type Result } from '../../base/util/result';
import type { SqlImage } from '../sqlite/reader';
import { OWN_COMMAND } from './fold';
import { mapped, numberOf, textColumn } from '../sqlite/rows';
import type { AnyRows, AnySessionRow } from '../sqlite/sessions-decoder';

/** A session as in its row. Times are milliseconds since the epoch. */
export interface SessionRow extends AnySessionRow {
  readonly directory: string;
  readonly version: string;
  readonly created: number;
  /** JSON with its permissions. */
  readonly permission: string;
  readonly agent: string;
}

export interface MessageRow {
  readonly row: number;
  readonly id: string;
  readonly updated: number;
  readonly data: string;
}

export interface PartRow {
  readonly row: number;
  readonly id: string;
  readonly message: string;
  readonly created: number;
  readonly updated: number;
  readonly data: string;
}

export interface Counted {
  readonly parts: number;
  /** Number of parts with the vendor's call marker in their raw text, without those that are a person's own. */
  readonly calls: number;
  /** Highest row counted. */
  readonly last: number;
}

/** Rows fetched at once: parsing that many takes a few milliseconds. */
export const PARTS_AT_ONCE = 100;

/** The vendor's call marker, in the JSON text of a part: inside a text its quotes would be escaped. */
const CALL_MARKER = '"callID":"';
/** Appears once before each call that is a person's own. */
const OWN_MARKER = `"text":"${OWN_COMMAND}","synthetic":true`;

const COLUMNS = ['parent_id', 'title', 'version', 'permission', 'agent'] as const;

/** The rows of one image of OpenCode's database (schema of 1.18). Columns that other versions lack read as empty. */
export interface OpencodeRows extends AnyRows<SessionRow> {
  /** Returns the messages that were changed at this time or later, and those from the row `last` on in any case. */
  messages(session: string, since: number, last: number): Promise<Result<readonly MessageRow[], string>>;
  /**
   * Returns the next parts after a row that were changed at this time or later, in the order in which they were created; those from the row `last` on
   * in any case.
   */
  parts(session: string, since: number, behind: number, last?: number): Promise<Result<readonly PartRow[], string>>;
  /** Counts the parts after this row separately, without decoding them. */
  count(session: string, behind: number): Promise<Result<Counted, string>>;
}

export function rowsOf(image: SqlImage): OpencodeRows {
  let columns: string | null = null;
  const sessionColumns = async (): Promise<Result<string, string>> => {
    if (columns !== null) return ok(columns);
    const found = await image.rows("SELECT name FROM pragma_table_info('session')");
    if (!found.ok) return found;
    const names = new Set(found.value.map(([name]) => name));
    if (!names.has('id') || !names.has('directory')) return fail('no table of sessions as OpenCode writes it');
    columns = COLUMNS.map((name) => (names.has(name) ? name : `'' AS ${name}`)).join(', ');
    return ok(columns);
  };
  return {
    async sessions(since, last) {
      const named = await sessionColumns();
      if (!named.ok) return named;
      const sql = `SELECT id, directory, time_created, time_updated, ${named.value}, rowid FROM session WHERE time_updated >= ? OR rowid >= ? ORDER BY time_created, id`;
      return mapped(await image.rows(sql, [since, last]), (row) => ({
        id: textColumn(row[0]),
        directory: textColumn(row[1]),
        created: numberOf(row[2]),
        updated: numberOf(row[3]),
        parent: textColumn(row[4]) || undefined,
        title: textColumn(row[5]),
        version: textColumn(row[6]),
        permission: textColumn(row[7]),
        agent: textColumn(row[8]),
        row: numberOf(row[9]),
      }));
    },
    async messages(session, since, last) {
      const sql =
        'SELECT rowid, id, time_updated, data FROM message WHERE session_id = ? AND (time_updated >= ? OR rowid >= ?) ORDER BY time_created, id';
      return mapped(await image.rows(sql, [session, since, last]), (row) => ({
        row: numberOf(row[0]),
        id: textColumn(row[1]),
        updated: numberOf(row[2]),
        data: textColumn(row[3]),
      }));
    },
    async parts(session, since, behind, last = 0) {
      const sql = `SELECT rowid, id, message_id, time_created, time_updated, data FROM part WHERE session_id = ? AND rowid > ? AND (time_updated >= ? OR rowid >= ?) ORDER BY rowid LIMIT ${PARTS_AT_ONCE}`;
      return mapped(await image.rows(sql, [session, behind, since, last]), (row) => ({
        row: numberOf(row[0]),
        id: textColumn(row[1]),
        message: textColumn(row[2]),
        created: numberOf(row[3]),
        updated: numberOf(row[4]),
        data: textColumn(row[5]),
      }));
    },
    async count(session, behind) {
      const sql = `SELECT count(*), coalesce(sum(instr(data, '${CALL_MARKER}') > 0) - sum(instr(data, '${OWN_MARKER}') > 0), 0), coalesce(max(rowid), 0) FROM part WHERE session_id = ? AND rowid > ?`;
      const counted = mapped(await image.rows(sql, [session, behind]), (row) => ({
        parts: numberOf(row[0]),
        calls: numberOf(row[1]),
        last: Math.max(behind, numberOf(row[2])),
      }));
      if (!counted.ok) return counted;
      return ok(counted.value[0] ?? { parts: 0, calls: 0, last: behind });
    },
  };
}
