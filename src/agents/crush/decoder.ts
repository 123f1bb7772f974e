import type { DatabaseDecoder, DatabaseSink, DecoderContext } from '../decoder';
import { createBreather } from '../sqlite/breather';
import { baseName, folderOf, timeOf } from '../shared/decode';
import { followSession, type FollowedSession } from './followed-session';
import { type CrushRows, rowsOf, type SessionRow } from './rows';

/** Decodes Crush's database, which holds the sessions of one project: of those that are not wanted nothing but the row is read. */
export function createDecoder({ file, sqlite }: DecoderContext): DatabaseDecoder {
  const cwd = projectOf(file);
  const rows = new Map<string, SessionRow>();
  const followed = new Map<string, FollowedSession>();
  let newest = 0;
  /** Told once until it can be read again. */
  let trouble = '';

  const fails = (sink: DatabaseSink, why: string): void => {
    if (trouble !== why) sink.problem({ line: 0, offset: 0, why });
    trouble = why;
  };

  const read = async (of: CrushRows, sink: DatabaseSink): Promise<string> => {
    const found = await of.sessions(newest);
    if (!found.ok) return `the sessions could not be read: ${found.error}`;
    for (const row of found.value) {
      // Nothing can belong to a session without a name.
      if (row.id === '') continue;
      rows.set(row.id, row);
      newest = Math.max(newest, row.updated);
    }
    const breathe = createBreather();
    let failure = '';
    for (const row of rows.values()) {
      await breathe();
      const { id: session, parent } = row;
      let one = followed.get(session);
      if (!one) {
        const modifiedAt = timeOf(row.updated) ?? 0;
        if (!sink.wants({ session, modifiedAt, ...(cwd !== '' && { cwd }), ...(parent !== undefined && { parent }) }))
          continue;
        one = followSession(file, session, cwd);
        followed.set(session, one);
      }
      const done = await one.read(row, of, sink, breathe);
      if (!done.ok) failure = `a session could not be read: ${done.error}`;
    }
    return failure;
  };

  return {
    unit: 'database',
    async decode(database, log, sink) {
      if (!sqlite) return fails(sink, 'databases cannot be read here');
      const opened = await sqlite.open(database, log);
      if (!opened.ok) return fails(sink, `the database could not be read: ${opened.error}`);
      try {
        const failure = await read(rowsOf(opened.value), sink);
        if (failure === '') trouble = '';
        else fails(sink, failure);
      } finally {
        await opened.value.close();
      }
    },
  };
}

/** The database lies in `.crush` of its project; '' where it was copied elsewhere. */
function projectOf(file: string): string {
  const folder = folderOf(file);
  return baseName(folder) === '.crush' ? folderOf(folder) : '';
}
