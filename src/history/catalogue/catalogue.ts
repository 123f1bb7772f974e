import { readFileSync } from 'node:fs';
import type { Database, SqlJsStatic, SqlValue } from 'sql.js';
import type { Incident } from '../../core/model';
import { findIncident, clusterOf, type Contents, applyRecord, createContents, streakKey } from '../contents/contents';
import type { StoreRecord } from '../journal/records';
import { withoutEqualLearnings } from '../queries/learning';
import { patternOf } from '../queries/pattern';
import { type SearchTexts, incidentTexts, learningTexts } from '../queries/search-texts';
import { columnSum } from '../snapshot/columns';
import { TABLES, isIntact, rowRecord } from '../snapshot/rows';
import { SNAPSHOT_VERSION, createTables, versionOf } from '../snapshot/schema';
import { countsOf } from '../snapshot/snapshot';
import {
  type EventFilter,
  FACET_KINDS,
  type FacetKind,
  type Facets,
  type IncidentFilter,
  type Learning,
  type RecallHit,
  type SearchOptions,
  type Statistics,
  type StatisticsRange,
  type StoreEvent,
} from '../types';
import { type KeptIndex, createKeptIndex } from './kept-index';
import type { Document } from './search';
import { type Sql, createSql } from './sql';
import { statisticsIn } from './statistics';
import { applyToTables, createIndexes } from './tables';
import { type Where, eventsWhere, incidentsWhere, limitOf } from './where';

/** An incident with the ids under which windows keep it, with its learning and its events. */
export interface IncidentFile {
  readonly incident: Incident;
  readonly ids: readonly string[];
  readonly learning: Learning | null;
  /** Oldest first. */
  readonly events: readonly StoreEvent[];
}

/**
 * The history as an in-memory database: a snapshot with the journals applied. It writes no file but the search index. All calls are synchronous; in
 * the editor it runs in a worker thread (threaded.ts).
 */
export interface Catalogue {
  /**
   * Opens a snapshot of the current layout, or starts empty without one. False if a row or a table is not as it was written: then nothing is open.
   *
   * @param index where the search index is kept; null to keep none
   */
  open(path: string | null, index?: string | null): boolean;
  apply(records: readonly StoreRecord[]): void;
  incidents(filter: IncidentFilter): readonly Incident[];
  facets(filter: IncidentFilter): Facets;
  file(id: string): IncidentFile | null;
  events(filter: EventFilter): readonly StoreEvent[];
  learnings(): readonly Learning[];
  recall(words: string, options: SearchOptions): readonly RecallHit[];
  /**
   * Returns earlier incidents that may be like this one, those of the same pattern first, newest first, then by words; and what was learnt from them.
   */
  alike(
    incident: Incident,
    limit: number,
  ): { readonly incidents: readonly Incident[]; readonly learnings: readonly Learning[] };
  statistics(range: StatisticsRange, now: number): Statistics;
  /** Returns all records: those of the snapshot with later changes. */
  records(): readonly StoreRecord[];
  /** Makes a part of the search index, so that the first search need not wait for it. True once all of it is made. */
  prepareSearch(): boolean;
  /** Frees the database's resources. The next query opens it again. */
  close(): void;
}

const MOST_HITS = 20;

const FACET_COLUMNS: Readonly<Record<FacetKind, string>> = {
  level: 'i.level',
  ending: "coalesce(i.ending, 'open')",
  detector: 'i.detector',
  agent: 'i.agent',
  folder: 'i.folder',
};

export function createCatalogue(engine: Pick<SqlJsStatic, 'Database'>): Catalogue {
  const { Database } = engine;
  let sql: Sql | null = null;
  let index: { readonly path: string | null; readonly kept: KeptIndex } | null = null;
  let fromFile: ReadonlySet<string> = new Set();

  function open(path: string | null, indexPath: string | null = null): boolean {
    sql?.close();
    sql = null;
    if (index?.path !== indexPath || indexPath === null) {
      index?.kept.close();
      index = { path: indexPath, kept: createKeptIndex(engine, indexPath, { documents, texts }) };
    }
    index.kept.renew();
    fromFile = new Set();
    const database = new Database(path === null ? null : readFileSync(path));
    try {
      if (path === null) createTables(database);
      else if (versionOf(database) !== SNAPSHOT_VERSION || !isUndamaged(database)) {
        database.close();
        return false;
      }
      createIndexes(database);
    } catch {
      database.close();
      return false;
    }
    sql = createSql(database);
    fromFile = new Set(column(sql, 'SELECT id FROM incidents'));
    return true;
  }

  const opened = (): Sql => {
    if (!sql) throw new Error('The catalogue is not open');
    return sql;
  };

  /** Returns an incident as it is shown: most are one row, and those that several windows opened are joined. */
  function incidentOf(row: readonly SqlValue[]): Incident | undefined {
    const [data, streak, rows] = row;
    const contents = createContents();
    const kept = rowRecord('incidents', [data]);
    if (!kept) return undefined;
    if (Number(rows) > 1) takeStreak(opened(), contents, String(streak));
    else applyRecord(contents, kept);
    return findIncident(contents, kept.incident.id);
  }

  /** Selects the data of an incident, its streak, and how many incidents are of that streak. */
  const SHOWN =
    'SELECT i.data, i.streak, (SELECT count(*) FROM incidents o WHERE o.streak = i.streak) FROM incidents i';

  function select(where: string, values: readonly SqlValue[]): readonly Incident[] {
    const found: Incident[] = [];
    for (const row of opened().rows(`${SHOWN} ${where}`, values)) {
      const incident = incidentOf(row);
      if (incident) found.push(incident);
    }
    return found;
  }

  function incidents(filter: IncidentFilter): readonly Incident[] {
    const where = incidentsWhere(filter);
    return select(`WHERE ${where.sql} ORDER BY i.opened_at DESC, i.id DESC LIMIT ?`, [
      ...where.values,
      limitOf(filter),
    ]);
  }

  const incidentById = (id: string): Incident | undefined => select('WHERE i.id = ?', [id])[0];

  function learningOf(id: string): Learning | null {
    for (const row of opened().rows('SELECT data FROM learnings WHERE id = ?', [id])) {
      const record = rowRecord('learnings', row);
      if (record && record.learning.forgotten !== true) return record.learning;
    }
    return null;
  }

  function eventsOf(where: string, values: readonly SqlValue[]): StoreEvent[] {
    const found: StoreEvent[] = [];
    for (const row of opened().rows(`SELECT data FROM events WHERE ${where}`, values)) {
      const record = rowRecord('events', row);
      if (record) found.push(record.event);
    }
    return found;
  }

  /** Yields the documents. An incident that two windows opened as two is one document. */
  function* documents(): Generator<Document> {
    const sum = 'facts || sum';
    for (const [id, of] of opened().rows(`SELECT id, ${sum} FROM incidents WHERE head = id ORDER BY opened_at, id`))
      yield { kind: 'incident', id: String(id), sum: String(of) };
    for (const [id, of] of opened().rows(`SELECT id, ${sum} FROM learnings ORDER BY at, id`))
      yield { kind: 'learning', id: String(id), sum: String(of) };
  }

  function texts({ kind, id }: Document): SearchTexts | null {
    if (kind === 'learning') {
      const learning = learningOf(id);
      return learning && learningTexts(learning);
    }
    const incident = incidentById(id);
    return incident?.id === id ? incidentTexts(incident) : null;
  }

  const indexOf = () => {
    opened();
    if (!index) throw new Error('The catalogue is not open');
    return index.kept;
  };

  function apply(records: readonly StoreRecord[]): void {
    const database = opened();
    const touched = { incident: new Set<string>(), learning: new Set<string>() };
    database.run('BEGIN');
    for (const record of records) applyToTables(database, record, (kind, id) => void touched[kind].add(id));
    database.run('COMMIT');
    for (const kind of ['incident', 'learning'] as const)
      for (const id of touched[kind]) {
        const sum = database.value(`SELECT facts || sum FROM ${kind}s WHERE id = ?`, [id]);
        indexOf().changed({ kind, id, sum: String(sum) });
      }
  }

  /** Returns the filter's incidents, and thereby its learnings, as a test of ids; null for all. */
  function allowed(filter: IncidentFilter): ((id: string) => boolean) | null {
    return Object.values(filter).every((value) => value === undefined) ? null : among(incidentsWhere(filter));
  }

  function among({ sql: condition, values }: Where): (id: string) => boolean {
    const ids = new Set(column(opened(), `SELECT i.id FROM incidents i WHERE ${condition}`, values));
    return (id) => ids.has(id);
  }

  function recall(words: string, { filter = {}, limit = MOST_HITS }: SearchOptions): readonly RecallHit[] {
    if (words.trim() === '')
      return incidents({ ...filter, limit }).map((incident) => {
        return { kind: 'incident' as const, id: incident.id, score: 0, matched: [], incident };
      });
    const hits: RecallHit[] = [];
    for (const hit of indexOf().whole().search(words, allowed(filter), limit)) {
      if (hit.kind === 'incident') {
        const incident = incidentById(hit.id);
        if (incident) hits.push({ ...hit, kind: 'incident', incident });
      } else {
        const learning = learningOf(hit.id);
        if (learning) hits.push({ ...hit, kind: 'learning', learning });
      }
    }
    return withoutEqualLearnings(hits);
  }

  return {
    open,
    apply,
    incidents,
    facets(filter) {
      const where = incidentsWhere(filter);
      const counts = FACET_KINDS.map(() => new Map<string, number>());
      // A single pass over the incidents: they have few different combinations of these columns.
      const columns = FACET_KINDS.map((kind) => FACET_COLUMNS[kind]).join(', ');
      const groups = FACET_KINDS.map((_, index) => index + 1).join(', ');
      const query = `SELECT ${columns}, count(*) FROM incidents i WHERE ${where.sql} GROUP BY ${groups}`;
      for (const row of opened().rows(query, where.values)) {
        const n = Number(row.at(-1));
        counts.forEach((known, index) => {
          const value = row[index];
          if (typeof value === 'string') known.set(value, (known.get(value) ?? 0) + n);
        });
      }
      return Object.fromEntries(
        FACET_KINDS.map((kind, index) => [kind, mostFrequentFirst(counts[index] ?? new Map())]),
      ) as unknown as Facets;
    },
    file(id) {
      const database = opened();
      const contents = createContents();
      const streak = database.value('SELECT streak FROM incidents WHERE id = ?', [id]);
      takeStreak(database, contents, String(streak));
      const cluster = clusterOf(contents, id);
      if (!cluster) return null;
      const { ids, view } = cluster;
      const learning = ids.map(learningOf).find((one) => one !== null) ?? null;
      const events = ids.flatMap((one) => eventsOf('incident = ? ORDER BY t, id', [one])).sort((a, b) => a.t - b.t);
      return { incident: view, ids, learning, events };
    },
    events(filter) {
      const where = eventsWhere(filter);
      const values = [...where.values, limitOf(filter)];
      return eventsOf(`${where.sql} ORDER BY t DESC, id DESC LIMIT ?`, values).reverse();
    },
    learnings() {
      const found: Learning[] = [];
      for (const row of opened().rows(
        "SELECT data FROM learnings WHERE data ->> '$.forgotten' IS NOT 1 ORDER BY pinned DESC, at DESC, id DESC",
      )) {
        const record = rowRecord('learnings', row);
        if (record) found.push(record.learning);
      }
      return found;
    },
    recall,
    alike(incident, limit) {
      const pattern = patternOf(incident);
      const others = 'i.head = i.id AND i.resolved_at IS NOT NULL AND i.streak <> ?';
      const ofPattern = [streakKey(incident), pattern, limit];
      const same = select(`WHERE ${others} AND i.pattern = ? ORDER BY i.opened_at DESC LIMIT ?`, ofPattern);
      const ofRule = among({
        sql: `${others} AND i.pattern <> ? AND i.detector = ? AND i.rule IS ?`,
        values: [streakKey(incident), pattern, incident.detector, incident.rule],
      });
      const call = `${incident.subject} ${incident.evidence.at(-1)?.text ?? ''}`;
      const found = indexOf().whole().search(call, ofRule, limit);
      const like = found.flatMap(({ kind, id }) => (kind === 'incident' ? (incidentById(id) ?? []) : []));
      const incidents = [...same, ...like].slice(0, limit);
      return { incidents, learnings: incidents.flatMap(({ id }) => learningOf(id) ?? []) };
    },
    statistics: (range, now) => statisticsIn(opened(), range, now),
    records() {
      const found: StoreRecord[] = [];
      for (const table of TABLES) {
        const columns = table === 'removed' ? 'id, at, reopened' : 'data';
        for (const row of opened().rows(`SELECT ${columns} FROM ${table}`)) {
          const record = rowRecord(table, row);
          if (record && (record.k !== 'incident' || fromFile.has(record.incident.id))) found.push(record);
        }
      }
      return found;
    },
    prepareSearch: () => indexOf().prepare(),
    close() {
      sql?.close();
      sql = null;
      index?.kept.close();
      index = null;
    },
  };
}

function mostFrequentFirst(counts: ReadonlyMap<string, number>): Facets[FacetKind] {
  return [...counts]
    .map(([value, count]) => ({ value, count }))
    .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1));
}

function column(sql: Sql, query: string, values?: readonly SqlValue[]): string[] {
  return [...sql.rows(query, values)].map(([value]) => String(value));
}

function takeStreak(sql: Sql, contents: Contents, streak: string): void {
  for (const row of sql.rows('SELECT data FROM incidents WHERE streak = ?', [streak])) {
    const record = rowRecord('incidents', row);
    if (record) applyRecord(contents, record);
  }
}

/** True if every row is as it was written, and none is missing. */
function isUndamaged(database: Database): boolean {
  const counts = countsOf(database);
  for (const table of TABLES) {
    let rows = 0;
    const statement = database.prepare(`SELECT * FROM ${table}`);
    try {
      while (statement.step()) {
        const row = statement.get();
        const sum = row.at(-1);
        const [facts, data] = row.slice(-3);
        const isRow =
          table === 'removed'
            ? isIntact(row.slice(0, -1), sum)
            : isIntact([data], sum) && facts === columnSum(row.slice(0, -3));
        if (!isRow) return false;
        rows++;
      }
    } finally {
      statement.free();
    }
    if (counts.get(table) !== rows) return false;
  }
  return true;
}
