import type { Result } from '../../base/util/result';
import { timeOf } from '../shared/decode';
import type { DatabaseDecoder, DatabaseSink, DecoderContext } from '../decoder';
import type { SqlImage } from './reader';

/** Content of a session's row in every database of sessions. */
export interface AnySessionRow {
  readonly row: number;
  readonly id: string;
  readonly parent: string | undefined;
  readonly title: string;
  /** Time of the last change, in the unit of the database. */
  readonly updated: number;
}

export interface AnyRows<Row> {
  /** Returns the sessions that were changed at this time or later, and those from the row `last` on in any case, oldest first. */
  sessions(since: number, last: number): Promise<Result<readonly Row[], string>>;
}

/** One session of a followed database: reads what is new in it, in order, and emits the events. */
export interface FollowedSession<Row, Rows> {
  /** Time of the last change, in the unit of the database; absent if only the session's row shows it. */
  readonly changedAt?: number;
  read(
    row: Row,
    rows: Rows,
    sink: DatabaseSink,
    breathe: () => Promise<void> | undefined,
  ): Promise<Result<void, string>>;
}

export interface SessionsFormat<Row, Rows> {
  readonly rowsOf: (image: SqlImage) => Rows;
  /** Returns the folder in which the session works; '' if it is unknown. */
  readonly cwdOf: (row: Row) => string;
  readonly follow: (row: Row) => FollowedSession<Row, Rows>;
  /**
   * Age up to which a session's last change makes it active, measured from the newest change of all. An active session and the newest one are read at each
   * reading, any other only when its row changes. Absent: each is read at each reading. In the unit of the database.
   */
  readonly activeFor?: number;
}

/** Milliseconds of work before the event loop gets its turn (ARCHITECTURE.md, invariant 6 allows 8). */
const SLICE_MS = 4;

/** Decodes a database that holds many sessions: of the unwanted ones, only the row is read. */
export function createSessionsDecoder<Row extends AnySessionRow, Rows extends AnyRows<Row>>(
  sqlite: DecoderContext['sqlite'],
  { rowsOf, cwdOf, follow, activeFor = Number.POSITIVE_INFINITY }: SessionsFormat<Row, Rows>,
): DatabaseDecoder {
  const rows = new Map<string, Row>();
  const followed = new Map<string, FollowedSession<Row, Rows>>();
  /** Sessions whose row has changed since they were last read, or that could not be read. */
  const changed = new Set<string>();
  let newest = 0;
  /** The newest row. It is read again whatever its time, and so are later ones: the clock may have been set back. */
  let lastRow = 0;
  /** The last problem, which is reported once until reading succeeds again. */
  let trouble = '';

  const fails = (sink: DatabaseSink, why: string): void => {
    if (trouble !== why) sink.problem({ line: 0, offset: 0, why });
    trouble = why;
  };

  const read = async (of: Rows, sink: DatabaseSink): Promise<string> => {
    const found = await of.sessions(newest, lastRow);
    if (!found.ok) return `the sessions could not be read: ${found.error}`;
    for (const row of found.value) {
      // Nothing can belong to a session without a name.
      if (row.id === '') continue;
      const before = rows.get(row.id);
      if (before?.updated !== row.updated || before.title !== row.title) changed.add(row.id);
      rows.set(row.id, row);
      newest = Math.max(newest, row.updated);
      lastRow = Math.max(lastRow, row.row);
    }
    const breathe = createBreather();
    let last = newest;
    for (const { changedAt = 0 } of followed.values()) last = Math.max(last, changedAt);
    let failure = '';
    for (const row of rows.values()) {
      await breathe();
      const { id: session, parent } = row;
      let one = followed.get(session);
      if (!one) {
        const modifiedAt = timeOf(row.updated) ?? 0;
        const cwd = cwdOf(row);
        if (!sink.wants({ session, modifiedAt, ...(cwd !== '' && { cwd }), ...(parent !== undefined && { parent }) }))
          continue;
        one = follow(row);
        followed.set(session, one);
      } else if (!changed.has(session) && row.row < lastRow && last - (one.changedAt ?? 0) > activeFor) continue;
      const done = await one.read(row, of, sink, breathe);
      if (done.ok) changed.delete(session);
      else {
        changed.add(session);
        failure = `a session could not be read: ${done.error}`;
      }
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

/** Creates a function to call between two small pieces of work: it yields to the event loop once the time is up. */
function createBreather(): () => Promise<void> | undefined {
  let began = performance.now();
  return () => {
    if (performance.now() - began < SLICE_MS) return undefined;
    return new Promise((resolve) => {
      setImmediate(() => {
        began = performance.now();
        resolve();
      });
    });
  };
}
