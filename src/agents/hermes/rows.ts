import { fail, ok, type Result } from '../../base/util/result';
import type { SqlImage } from '../sqlite/reader';
import { mapped, numberOf, textColumn } from '../sqlite/rows';
import type { AnyRows, AnySessionRow } from '../sqlite/sessions-decoder';

/** A session as in its row. Times are in seconds. */
export interface SessionRow extends AnySessionRow {
  readonly title: string;
  /** '' if the session was not started in a folder, or was started by a version that did not store it. */
  readonly cwd: string;
  readonly model: string;
  /** `cli`, `telegram`, `subagent`, … */
  readonly source: string;
  /** Reason for its end; '' while it has not ended. */
  readonly endReason: string;
}

export interface MessageRow {
  readonly row: number;
  readonly role: string;
  readonly content: string;
  /** JSON. */
  readonly calls: string;
  /** The id of the call that it answers. */
  readonly answers: string;
  readonly finish: string;
  /** Seconds. */
  readonly at: number;
  /** Kind of display, for a message that is not from a person or a model. */
  readonly display: string;
  /** It replaces all messages before it. */
  readonly isSummary: boolean;
}

/** Rows fetched at once. */
export const MESSAGES_AT_ONCE = 50;

/** The rows of one image of Hermes's database (schema of 2026). */
export interface HermesRows extends AnyRows<SessionRow> {
  /** Returns the next messages after a row, in the order in which they were written. */
  messages(session: string, behind: number): Promise<Result<readonly MessageRow[], string>>;
}

/** Columns that later versions added, and their values in databases without them. */
const LATER = { cwd: "''", display_kind: "''", _compressed_summary: '0' } as const;

export function rowsOf(image: SqlImage): HermesRows {
  let columns: Promise<Result<(name: keyof typeof LATER) => string, string>> | null = null;
  const learn = async (): Promise<Result<(name: keyof typeof LATER) => string, string>> => {
    const found = await image.rows(
      "SELECT name FROM pragma_table_info('sessions') UNION SELECT name FROM pragma_table_info('messages')",
    );
    if (!found.ok) return found;
    const names = new Set(found.value.map(([name]) => name));
    if (!names.has('parent_session_id') || !names.has('tool_call_id')) return fail('no tables as Hermes writes them');
    return ok((name) => (names.has(name) ? name : LATER[name]));
  };
  return {
    async sessions(since, last) {
      const column = await (columns ??= learn());
      if (!column.ok) return column;
      const sql = `SELECT s.id, parent_session_id, title, ${column.value('cwd')}, model, source, COALESCE(end_reason, ''), MAX(started_at, COALESCE(ended_at, 0), COALESCE((SELECT MAX(timestamp) FROM messages WHERE session_id = s.id), 0)) AS changed, s.rowid FROM sessions s WHERE changed >= ? OR s.rowid >= ? ORDER BY started_at, s.id`;
      return mapped(await image.rows(sql, [since, last]), (row) => ({
        id: textColumn(row[0]),
        parent: textColumn(row[1]) || undefined,
        title: textColumn(row[2]),
        cwd: textColumn(row[3]),
        model: textColumn(row[4]),
        source: textColumn(row[5]),
        endReason: textColumn(row[6]),
        updated: numberOf(row[7]),
        row: numberOf(row[8]),
      }));
    },
    async messages(session, behind) {
      const column = await (columns ??= learn());
      if (!column.ok) return column;
      const sql = `SELECT id, role, content, tool_calls, tool_call_id, finish_reason, timestamp, ${column.value('display_kind')}, ${column.value('_compressed_summary')} FROM messages WHERE session_id = ? AND id > ? ORDER BY id LIMIT ${MESSAGES_AT_ONCE}`;
      return mapped(await image.rows(sql, [session, behind]), (row) => ({
        row: numberOf(row[0]),
        role: textColumn(row[1]),
        content: textColumn(row[2]),
        calls: textColumn(row[3]),
        answers: textColumn(row[4]),
        finish: textColumn(row[5]),
        at: numberOf(row[6]),
        display: textColumn(row[7]),
        isSummary: numberOf(row[8]) !== 0,
      }));
    },
  };
}
