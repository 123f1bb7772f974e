import type { AgentAdapter } from '../../agents/adapter';
import type { SqlReader } from '../../agents/sqlite/reader';
import { readWholeFile } from '../../base/tail';
import { recognise } from '../follow/recognise';

/**
 * Returns the text of one session of a database, one record per line, for the view of evidence. Undefined if the file is no database of a known
 * agent: then it is shown as it is. If it cannot be read, the text says why.
 */
export async function sessionText(
  adapters: readonly AgentAdapter[],
  sqlite: SqlReader,
  file: string,
  session: string,
): Promise<string | undefined> {
  if (!file.endsWith('.db')) return undefined;
  const databases = adapters.filter((adapter) => adapter.unit === 'database');
  let text: string | undefined;
  await readWholeFile(file, {
    unit: 'database',
    markers: [],
    database: async (database, log) => {
      const head = Buffer.from(database.subarray(0, 65_536)).toString('utf8');
      const printed = await recognise(databases, head, file)?.print?.(sqlite, database, log, session);
      text = printed?.ok === false ? printed.error : printed?.value;
    },
  });
  return text;
}
