import { fail, ok, type Result } from '../../base/util/result';
import type { SqlImage } from '../sqlite/reader';
import type { AnyRows, AnySessionRow } from '../sqlite/sessions-decoder';
import { mapped, numberOf, textColumn } from '../sqlite/rows';

/** A session as in its row. Times as they are written: seconds, although the schema calls them milliseconds. */
export interface SessionRow extends AnySessionRow {
  readonly title: string;
  /** Tokens of the newest request. */
  readonly promptTokens: number;
  readonly completionTokens: number;
  /** US dollars of all requests so far. */
  readonly cost: number;
  readonly created: number;
  /** The message that replaces all before it. */
  readonly summary: string;
}

export interface MessageRow {
  readonly row: number;
  readonly id: string;
  readonly role: string;
  /** JSON. */
  readonly parts: string;
  readonly model: string;
  readonly created: number;
  readonly updated: number;
}

/** Rows fetched at once. */
export const MESSAGES_AT_ONCE = 50;

/** The rows of one image of Crush's database (schema of 2025). */
export interface CrushRows extends AnyRows<SessionRow> {
  /**
   * Returns the next messages after a row that were changed at this time or later, in the order in which they were created; those from the row `last`
   * on in any case.
   */
  messages(
    session: string,
    since: number,
    behind: number,
    last?: number,
  ): Promise<Result<readonly MessageRow[], string>>;
}

export function rowsOf(image: SqlImage): CrushRows {
  let summary: string | null = null;
  const summaryColumn = async (): Promise<Result<string, string>> => {
    if (summary !== null) return ok(summary);
    const found = await image.rows("SELECT name FROM pragma_table_info('sessions')");
    if (!found.ok) return found;
    const names = new Set(found.value.map(([name]) => name));
    if (!names.has('id') || !names.has('parent_session_id')) return fail('no table of sessions as Crush writes it');
    summary = names.has('summary_message_id') ? 'summary_message_id' : "''";
    return ok(summary);
  };
  return {
    async sessions(since, last) {
      const named = await summaryColumn();
      if (!named.ok) return named;
      const sql = `SELECT id, parent_session_id, title, prompt_tokens, completion_tokens, cost, created_at, updated_at, ${named.value}, rowid FROM sessions WHERE updated_at >= ? OR rowid >= ? ORDER BY created_at, id`;
      return mapped(await image.rows(sql, [since, last]), (row) => ({
        id: textColumn(row[0]),
        parent: textColumn(row[1]) || undefined,
        title: textColumn(row[2]),
        promptTokens: numberOf(row[3]),
        completionTokens: numberOf(row[4]),
        cost: numberOf(row[5]),
        created: numberOf(row[6]),
        updated: numberOf(row[7]),
        summary: textColumn(row[8]),
        row: numberOf(row[9]),
      }));
    },
    async messages(session, since, behind, last = 0) {
      const sql = `SELECT rowid, id, role, parts, model, created_at, updated_at FROM messages WHERE session_id = ? AND rowid > ? AND (updated_at >= ? OR rowid >= ?) ORDER BY rowid LIMIT ${MESSAGES_AT_ONCE}`;
      return mapped(await image.rows(sql, [session, behind, since, last]), (row) => ({
        row: numberOf(row[0]),
        id: textColumn(row[1]),
        role: textColumn(row[2]),
        parts: textColumn(row[3]),
        model: textColumn(row[4]),
        created: numberOf(row[5]),
        updated: numberOf(row[6]),
      }));
    },
  };
}
