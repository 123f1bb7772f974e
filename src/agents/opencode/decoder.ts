import type { AgentId } from '../../core/model';
import type { DatabaseDecoder, DatabaseSink, DecoderContext } from '../decoder';
import { createBreather } from '../sqlite/breather';
import { followSession, type FollowedSession } from './followed-session';
import { rowsOf, type OpencodeRows, type SessionRow } from './rows';

/**
 * A session is looked into at each reading while something happened in it so lately, before the newest change of all; else when its row
 * changes, which it does at each prompt. Milliseconds.
 */
const ACTIVE_MS = 30 * 60_000;

/** Decodes OpenCode's database, which holds the sessions of all folders: of those that are not wanted nothing but the row is read. */
export function createDecoder({ file, sqlite }: DecoderContext, agent: AgentId): DatabaseDecoder {
  const rows = new Map<string, SessionRow>();
  const followed = new Map<string, FollowedSession>();
  let newestSession = 0;
  /** Told once until it can be read again. */
  let trouble = '';

  const fails = (sink: DatabaseSink, why: string): void => {
    if (trouble !== why) sink.problem({ line: 0, offset: 0, why });
    trouble = why;
  };

  const learn = async (of: OpencodeRows): Promise<{ changed: ReadonlySet<string> } | string> => {
    const found = await of.sessions(newestSession);
    if (!found.ok) return found.error;
    const changed = new Set<string>();
    for (const row of found.value) {
      // Nothing can belong to a session without a name.
      if (row.id === '') continue;
      const before = rows.get(row.id);
      if (!before || before.updated !== row.updated || before.title !== row.title) changed.add(row.id);
      rows.set(row.id, row);
      newestSession = Math.max(newestSession, row.updated);
    }
    return { changed };
  };

  return {
    unit: 'database',
    async decode(database, log, sink) {
      if (!sqlite) return fails(sink, 'databases cannot be read here');
      const opened = await sqlite.open(database, log);
      if (!opened.ok) return fails(sink, `the database could not be read: ${opened.error}`);
      const image = opened.value;
      try {
        const of = rowsOf(image);
        const learned = await learn(of);
        if (typeof learned === 'string') return fails(sink, `the sessions could not be read: ${learned}`);
        const breathe = createBreather();
        let newest = newestSession;
        for (const one of followed.values()) newest = Math.max(newest, one.changedAt);
        let failure = '';
        for (const row of rows.values()) {
          await breathe();
          let one = followed.get(row.id);
          const isNew = one === undefined;
          if (!one) {
            const { id: session, directory: cwd, parent, updated: modifiedAt } = row;
            if (
              !sink.wants({ session, modifiedAt, ...(cwd !== '' && { cwd }), ...(parent !== undefined && { parent }) })
            )
              continue;
            one = followSession(file, row.id, agent);
            followed.set(row.id, one);
          }
          if (!isNew && !learned.changed.has(row.id) && newest - one.changedAt > ACTIVE_MS) continue;
          const read = await one.read(row, of, sink, breathe);
          if (!read.ok) failure = read.error;
        }
        if (failure === '') trouble = '';
        else fails(sink, `a session could not be read: ${failure}`);
      } finally {
        await image.close();
      }
    },
  };
}
