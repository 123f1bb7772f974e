import type { Result } from '../../base/util/result';
import type { SqlReader } from '../sqlite/reader';
import { printRows } from '../sqlite/rows';
import { PARTS_AT_ONCE, rowsOf } from './rows';

/** The parts of a session in the order in which they were made, one a line, as OpenCode wrote them. */
export function printSession(
  sqlite: SqlReader,
  database: Uint8Array,
  log: Uint8Array | null,
  session: string,
): Promise<Result<string, string>> {
  return printRows(sqlite, database, log, {
    next: (image, behind) => rowsOf(image).parts(session, 0, behind),
    atOnce: PARTS_AT_ONCE,
    line: ({ data }) => data,
  });
}
