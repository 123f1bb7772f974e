import { ok, type Result } from '../../base/util/result';
import type { PrintSession, SqlImage, SqlRow } from './reader';

/** Rows as an adapter names them, or what SQLite says. */
export function mapped<T>(
  rows: Result<readonly SqlRow[], string>,
  map: (row: SqlRow) => T,
): Result<readonly T[], string> {
  return rows.ok ? ok(rows.value.map(map)) : rows;
}

/** A column as text: empty where it holds none. */
export function textColumn(value: SqlRow[number] | undefined): string {
  return typeof value === 'string' ? value : '';
}

/** A column as a number: 0 where it holds none that is finite. */
export function numberOf(value: SqlRow[number] | undefined): number {
  return typeof value === 'number' && Number.isFinite(value) ? value : 0;
}

/** Iteration over the rows of one session, in the order in which they were made. */
export interface Pages<T extends { readonly row: number }> {
  /** The next rows of a session behind a row. */
  readonly next: (image: SqlImage, session: string, behind: number) => Promise<Result<readonly T[], string>>;
  /** As many rows as a page has at most. */
  readonly atOnce: number;
  readonly line: (row: T) => string;
}

/** Prints a session as text, one line a row. Fails with what SQLite says where the database cannot be read. */
export function printer<T extends { readonly row: number }>(pages: Pages<T>): PrintSession {
  return async (sqlite, database, log, session) => {
    const { next, atOnce, line } = pages;
    const opened = await sqlite.open(database, log);
    if (!opened.ok) return opened;
    try {
      const lines: string[] = [];
      for (let behind = 0; ; ) {
        const page = await next(opened.value, session, behind);
        if (!page.ok) return page;
        for (const row of page.value) {
          behind = row.row;
          // JSON has no line break of its own.
          lines.push(line(row).replaceAll('\n', ' '));
        }
        if (page.value.length < atOnce) return ok(lines.join('\n'));
      }
    } finally {
      await opened.value.close();
    }
  };
}
