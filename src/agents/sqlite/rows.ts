import { ok, type Result } from '../../base/util/result';
import type { PrintSession, SqlImage, SqlRow } from './reader';

/** Returns the rows under an adapter's own names, or SQLite's error. */
export function mapped<T>(
  rows: Result<readonly SqlRow[], string>,
  map: (row: SqlRow) => T,
): Result<readonly T[], string> {
  return rows.ok ? ok(rows.value.map(map)) : rows;
}

/** Returns a column as text: empty if it holds none. */
export function textColumn(value: SqlRow[number] | undefined): string {
  return typeof value === 'string' ? value : '';
}

/** Returns a column as a number: 0 if it holds no finite number. */
export function numberOf(value: SqlRow[number] | undefined): number {
  return typeof value === 'number' && Number.isFinite(value) ? value : 0;
}

/** Iteration over the rows of one session, in the order in which they were created. */
export interface Pages<T extends { readonly row: number }> {
  /** Returns the next rows of a session after a row. */
  readonly next: (image: SqlImage, session: string, behind: number) => Promise<Result<readonly T[], string>>;
  /** Largest number of rows in a page. */
  readonly atOnce: number;
  readonly line: (row: T) => string;
}

/** Prints a session as text, one line per row. Fails with SQLite's error if the database cannot be read. */
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
          // JSON never needs a line break.
          lines.push(line(row).replaceAll('\n', ' '));
        }
        if (page.value.length < atOnce) return ok(lines.join('\n'));
      }
    } finally {
      await opened.value.close();
    }
  };
}
