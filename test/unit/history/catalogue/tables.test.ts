import * as fc from 'fast-check';
import type { SqlJsStatic, SqlValue } from 'sql.js';
import { beforeAll, describe, expect, it } from 'vitest';
import { createSql } from '../../../../src/history/catalogue/sql';
import { applyToTables, createIndexes } from '../../../../src/history/catalogue/tables';
import { type Contents, applyRecord, createContents, shownIncidents } from '../../../../src/history/contents/contents';
import type { StoreRecord } from '../../../../src/history/journal/records';
import { eventRow, incidentRow, learningRow, sessionRow } from '../../../../src/history/snapshot/columns';
import { withSum } from '../../../../src/history/snapshot/rows';
import { createTables } from '../../../../src/history/snapshot/schema';
import { createSqlEngine } from '../../../../src/history/snapshot/sql-engine';
import { MINUTE, T0, WASM, attempt, incident } from '../support/make';

let engine: SqlJsStatic;
beforeAll(async () => {
  engine = await createSqlEngine(WASM)();
});

type Rows = Readonly<Record<string, readonly (readonly unknown[])[]>>;

const STATES = ['queued', 'taken', 'acted', 'withdrawn', 'expired', 'failed'] as const;

/** Records of a person or a window about a few incidents, so that they meet. */
const said: fc.Arbitrary<StoreRecord> = fc
  .tuple(
    fc.constantFrom('incident', 'incident', 'incident', 'event', 'learning', 'session', 'remove'),
    fc.integer({ min: 0, max: 3 }),
    fc.integer({ min: 0, max: 20 }),
    fc.integer({ min: 0, max: 2 }),
    fc.array(fc.constantFrom(...STATES), { maxLength: 3 }),
  )
  .map(([k, id, minute, reopened, states]): StoreRecord => {
    const at = T0 + minute * MINUTE;
    switch (k) {
      case 'incident': {
        const attempts = states.map((state, n) =>
          attempt({
            state,
            message: `m${n}`,
            kind: n === 1 ? 'restart' : 'nudge',
            ...(n === 2 && { rung: 'ask' as const }),
          }),
        );
        const changes = { key: `k${id % 2}`, openedAt: at, updatedAt: at, title: `at ${minute}`, attempts, reopened };
        return { k, incident: incident({ id: `I${id}`, ...changes }), stateAt: at, mute: null };
      }
      case 'event': {
        const about = reopened === 0 ? {} : { incident: `I${id}` };
        return { k, event: { id: `E${id}`, t: at, type: 'Recovery', session: 's', agent: 'pi', ...about, data: {} } };
      }
      case 'learning':
        return {
          k,
          learning: {
            id: `I${id}`,
            at,
            session: 's',
            agent: 'pi',
            category: 'debugging',
            title: `at ${minute}`,
            content: '',
            confidence: 'high',
            sourceTask: '',
            tags: [],
            state: 'recovered',
            tried: 'nudge',
            ...(reopened > 0 && { editedAt: at, pinned: reopened === 2 }),
          },
        };
      case 'session':
        return { k, session: { agent: 'pi', session: `s${id}`, firstAt: at, lastAt: at + MINUTE, steps: minute } };
      case 'remove':
        return { k, id: `I${id}`, at, reopened };
    }
  });

/** Reads what the tables contain after these records, and which documents were reported as changed. */
function tablesOf(records: readonly StoreRecord[]): { readonly rows: Rows; readonly touched: ReadonlySet<string> } {
  const database = new engine.Database();
  createTables(database);
  createIndexes(database);
  const sql = createSql(database);
  const touched = new Set<string>();
  for (const record of records) applyToTables(sql, record, (kind, id) => void touched.add(`${kind} ${id}`));
  const tables = ['incidents', 'events', 'learnings', 'sessions', 'removed', 'attempts'];
  const rows = Object.fromEntries(
    tables.map((table) => [table, [...sql.rows(`SELECT * FROM ${table} ORDER BY 1, 2`)]]),
  );
  sql.close();
  return { rows, touched };
}

/** The rows that result from all these records, as a snapshot would have them. */
function rowsOf(contents: Contents): Rows {
  const json = JSON.stringify;
  const sorted = (rows: readonly SqlValue[][]) => rows.toSorted((a, b) => (String(a[0]) < String(b[0]) ? -1 : 1));
  const shown = [...shownIncidents(contents)];
  return {
    incidents: sorted(shown.map(([id, one]) => incidentRow(id, one, json(contents.incidents.get(id))))),
    events: sorted([...contents.events.values()].map((one) => eventRow(one, json(one)))),
    learnings: sorted([...contents.learnings.values()].map((one) => learningRow(one, json(one)))),
    sessions: sorted([...contents.sessions].map(([id, one]) => sessionRow(id, one, json(one)))),
    removed: sorted([...contents.removed].map(([id, { at, reopened }]) => withSum<SqlValue>([id, at, reopened]))),
    attempts: sorted(
      shown.flatMap(([id]) =>
        (contents.incidents.get(id)?.incident.attempts ?? []).flatMap(({ state, kind, rung }, place) =>
          ['withdrawn', 'expired', 'failed'].includes(state) ? [] : [[id, place, kind, rung ?? null]],
        ),
      ),
    ),
  };
}

describe('the tables', () => {
  it('say about any records in any order what a snapshot of them would', () => {
    for (const records of fc.sample(fc.array(said, { minLength: 20, maxLength: 40 }), { numRuns: 12, seed: 5 })) {
      const contents = createContents();
      for (const record of records) applyRecord(contents, record);
      expect(tablesOf(records).rows).toEqual(rowsOf(contents));
    }
  });

  it('keep what was known last of an event when an earlier reading of it comes after', () => {
    const ending = (outcome: string, knownAt: number, t: number): StoreRecord => ({
      k: 'event',
      event: { id: 'E', t, type: 'Resolution', session: 's', agent: 'pi', incident: 'A', data: { outcome, knownAt } },
    });
    const nudged = ending('nudge', T0 + 9 * MINUTE, T0 + MINUTE);
    const alone = ending('by_itself', T0 + 8 * MINUTE, T0);
    const contents = createContents();
    for (const record of [nudged, alone]) applyRecord(contents, record);
    expect(contents.events.get('E')).toMatchObject({ t: T0, data: { outcome: 'nudge' } });
    expect(tablesOf([nudged, alone]).rows).toEqual(rowsOf(contents));
    expect(tablesOf([alone, nudged]).rows).toEqual(rowsOf(contents));
  });

  it('name each document that has changed, and none for what is no news', () => {
    const one: StoreRecord = { k: 'incident', incident: incident({ id: 'A', key: 'k' }), stateAt: T0, mute: null };
    const learned: StoreRecord = {
      k: 'learning',
      learning: {
        id: 'A',
        at: T0,
        session: 's',
        agent: 'pi',
        category: 'debugging',
        title: '',
        content: '',
        confidence: 'high',
        sourceTask: '',
        tags: [],
        state: 'recovered',
        tried: 'nudge',
      },
    };
    const removed: StoreRecord = { k: 'remove', id: 'A', at: T0 + 99 * MINUTE, reopened: 0 };
    expect([...tablesOf([one]).touched]).toEqual(['incident A']);
    expect([...tablesOf([one, learned]).touched]).toEqual(['incident A', 'learning A']);
    expect([...tablesOf([removed, one, learned]).touched]).toEqual([]);
    const { rows, touched } = tablesOf([one, learned, removed, removed]);
    expect([...touched]).toEqual(['incident A', 'learning A']);
    expect([rows['incidents'], rows['learnings']]).toEqual([[], []]);
    expect([...tablesOf([one, removed]).touched]).toEqual(['incident A']);
    const seen: StoreRecord = { k: 'session', session: { agent: 'pi', session: 's', firstAt: 1, lastAt: 2 } };
    expect([...tablesOf([seen, { k: 'journal', v: 1, window: 'one', at: T0 }]).touched]).toEqual([]);
  });
});
