import { ok, type Result } from '../../util/result';
import type { SqlReader } from '../sqlite/reader';
import { PARTS_AT_ONCE, rowsOf } from './rows';

/** The parts of a session in the order in which they were made, one a line, as OpenCode wrote them. */
export async function printSession(
  sqlite: SqlReader,
  database: Uint8Array,
  log: Uint8Array | null,
  session: string,
): Promise<Result<string, string>> {
  const opened = await sqlite.open(database, log);
  if (!opened.ok) return opened;
  try {
    const rows = rowsOf(opened.value);
    const lines: string[] = [];
    for (let behind = 0; ; ) {
      const page = await rows.parts(session, 0, behind);
      if (!page.ok) return page;
      for (const part of page.value) {
        behind = part.row;
        // JSON has no line break of its own.
        lines.push(part.data.replaceAll('\n', ' '));
      }
      if (page.value.length < PARTS_AT_ONCE) break;
    }
    return ok(lines.join('\n'));
  } finally {
    await opened.value.close();
  }
}
