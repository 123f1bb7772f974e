import type { Result } from '../../base/util/result';
import type { SqlReader } from '../sqlite/reader';
import { printRows } from '../sqlite/rows';
import { MESSAGES_AT_ONCE, rowsOf } from './rows';

/** The messages of a session in the order in which they were written, one a line. */
export function printSession(
  sqlite: SqlReader,
  database: Uint8Array,
  log: Uint8Array | null,
  session: string,
): Promise<Result<string, string>> {
  return printRows(sqlite, database, log, {
    next: (image, behind) => rowsOf(image).messages(session, behind),
    atOnce: MESSAGES_AT_ONCE,
    line: ({ role, content, calls }) => `${role} ${content}${calls}`,
  });
}
