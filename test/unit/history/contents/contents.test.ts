import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Incident } from '../../../../src/core/model';
import {
  type Contents,
  allIncidents,
  applyRecord,
  createContents,
  findIncident,
} from '../../../../src/history/contents/contents';
import { toStored } from '../../../../src/history/contents/merge';
import type { Learning } from '../../../../src/history';
import type { StoreRecord } from '../../../../src/history/journal/records';
import { MINUTE, T0, attempt, incident, recovered } from '../support/make';

const apply = (records: readonly StoreRecord[]): Contents => {
  const contents = createContents();
  for (const record of records) applyRecord(contents, record);
  return contents;
};
const view = (contents: Contents) => ({
  incidents: [...allIncidents(contents)].sort((a, b) => (a.id < b.id ? -1 : 1)),
  events: [...contents.events.keys()].sort(),
  learnings: [...contents.learnings.values()].sort((a, b) => (a.id < b.id ? -1 : 1)),
  sessions: [...contents.sessions].sort((a, b) => (a[0] < b[0] ? -1 : 1)),
});
const record = (changes: Partial<Incident>, before?: Incident): StoreRecord => ({
  k: 'incident',
  ...toStored({ ...incident({ id: 'A', key: 'k' }), ...changes }, before && toStored(before, undefined)),
});

describe('the merged contents', () => {
  it('are the same in whatever order the journals of several windows are read', () => {
    const records: StoreRecord[] = [
      record({}),
      record({ state: 'nudged', attempts: [attempt()], updatedAt: T0 + 11 * MINUTE }),
      record({ count: 9, updatedAt: T0 + 12 * MINUTE, notified: true }),
      record({ state: 'unknown', resolvedAt: T0 + 14 * MINUTE, updatedAt: T0 + 14 * MINUTE }),
      record({ id: 'B', openedAt: T0 + 9 * MINUTE, updatedAt: T0 + 13 * MINUTE }),
      record({ id: 'C', openedAt: T0 + 90 * MINUTE, updatedAt: T0 + 95 * MINUTE }),
      record({ id: 'D', key: 'other' }),
      { k: 'session', session: { agent: 'codex', session: 's', firstAt: 5, lastAt: 9, model: 'a' } },
      { k: 'session', session: { agent: 'codex', session: 's', firstAt: 2, lastAt: 7, model: 'b' } },
      { k: 'session', session: { agent: 'codex', session: 's', firstAt: 3, lastAt: 9, model: 'c' } },
      { k: 'event', event: { id: 'E', t: T0, type: 'Recovery', session: 's', agent: 'codex', data: {} } },
      {
        k: 'event',
        event: { id: 'F', t: T0, type: 'Recovery', session: 's', agent: 'codex', incident: 'D', data: {} },
      },
    ];
    const expected = view(apply(records));
    expect(expected.incidents.map(({ id }) => id)).toEqual(['A', 'C', 'D']);
    fc.assert(
      fc.property(
        fc.shuffledSubarray(records, { minLength: records.length }),
        fc.shuffledSubarray(records),
        (order, again) => {
          expect(view(apply([...order, ...again]))).toEqual(expected);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('exclude what was deleted, whether the deletion is read first or last', () => {
    const gone: StoreRecord = { k: 'remove', id: 'A', at: T0 + 60 * MINUTE, reopened: 0 };
    const event: StoreRecord = {
      k: 'event',
      event: { id: 'E', t: T0, type: 'Recovery', session: 's', agent: 'codex', incident: 'A', data: {} },
    };
    const one = record({});
    for (const order of [
      [gone, one, event],
      [one, event, gone],
      [one, gone, event, one],
    ]) {
      const contents = apply(order);
      expect(view(contents)).toMatchObject({ incidents: [], events: [] });
      expect(contents.streaks.size).toBe(0);
    }
    const back = record({ reopened: 1, state: 'open', updatedAt: T0 + 70 * MINUTE });
    const closedAgain = record({
      reopened: 1,
      state: 'unknown',
      resolvedAt: T0 + 80 * MINUTE,
      updatedAt: T0 + 80 * MINUTE,
    });
    expect(view(apply([one, gone, back])).incidents).toHaveLength(1);
    expect(view(apply([closedAgain, gone, one])).incidents).toHaveLength(1);
  });

  it('include an incident under each id that a window gave it', () => {
    const contents = apply([
      record({ id: 'B', openedAt: T0 + 9 * MINUTE }),
      record({ id: 'A' }),
      record({ id: 'Z', key: 'other' }),
    ]);
    expect(findIncident(contents, 'B')?.id).toBe('A');
    expect(findIncident(contents, 'A')?.id).toBe('A');
    expect(findIncident(contents, 'Z')?.id).toBe('Z');
    expect(findIncident(contents, 'absent')).toBeUndefined();
  });

  it('do not join an incident that a window left open when it closed with one that began long after', () => {
    const left = record({ updatedAt: T0 + 10 * MINUTE });
    const later = record({ id: 'B', openedAt: T0 + 300 * MINUTE, updatedAt: T0 + 301 * MINUTE });
    expect(view(apply([left, later])).incidents.map(({ id }) => id)).toEqual(['A', 'B']);
  });

  it('keep the learning that includes the attempt', () => {
    const learning: Learning = {
      id: 'A',
      at: T0,
      session: 's',
      agent: 'codex',
      category: 'debugging',
      title: 't',
      content: 'c',
      confidence: 'low',
      sourceTask: 't',
      tags: [],
      state: 'recovered',
      tried: 'nudge',
    };
    const known: StoreRecord = { k: 'learning', learning };
    const unaware: StoreRecord = { k: 'learning', learning: { ...learning, content: 'z', tried: 'by_itself' } };
    expect(apply([known, unaware]).learnings.get('A')?.tried).toBe('nudge');
    expect(apply([unaware, known]).learnings.get('A')?.tried).toBe('nudge');
  });

  it('keep what was learned and logged after a deletion', () => {
    const learning = (at: number): StoreRecord => ({ k: 'learning', learning: { id: 'A', at } as Learning });
    const event = (id: string, t: number): StoreRecord => ({
      k: 'event',
      event: { id, t, type: 'Recovery', session: 's', agent: 'codex', incident: 'A', data: {} },
    });
    const gone: StoreRecord = { k: 'remove', id: 'A', at: T0, reopened: 0 };
    for (const order of [
      [learning(T0), event('E', T0), gone],
      [gone, learning(T0), event('E', T0)],
    ])
      expect(view(apply(order))).toMatchObject({ learnings: [], events: [] });
    for (const order of [
      [learning(T0 + 1), event('E', T0 + 1), gone],
      [gone, learning(T0 + 1), event('E', T0 + 1)],
    ])
      expect(view(apply(order))).toMatchObject({ learnings: [{ at: T0 + 1 }], events: ['E'] });
    // A record that was never deleted may have any age.
    expect(view(apply([learning(0), event('E', 0)]))).toMatchObject({ learnings: [{ at: 0 }], events: ['E'] });
  });

  it('settle on one of two equally late records, whichever is read first', () => {
    const learning = (content: string): StoreRecord => ({
      k: 'learning',
      learning: { id: 'A', at: T0, content, tried: 'nudge' } as Learning,
    });
    const session = (model: string): StoreRecord => ({
      k: 'session',
      session: { agent: 'codex', session: 's', firstAt: 1, lastAt: 2, model },
    });
    const both = [learning('a'), learning('b'), session('a'), session('b')];
    const expected = { learnings: [{ content: 'b' }], sessions: [['codex\ns', { model: 'b' }]] };
    expect(view(apply(both))).toMatchObject(expected);
    expect(view(apply(both.toReversed()))).toMatchObject(expected);
  });

  it('join two of the same moment under the lesser id, whichever is read first', () => {
    const two = [record({ id: 'B' }), record({ id: 'A' })];
    for (const order of [two, two.toReversed()])
      expect(view(apply(order)).incidents.map(({ id }) => id)).toEqual(['A']);
  });

  it('report nothing as new when nothing is', () => {
    const contents = createContents();
    const one: StoreRecord = { k: 'incident', ...toStored(recovered(), undefined) };
    expect(applyRecord(contents, one)).toBe(true);
    expect(applyRecord(contents, structuredClone(one))).toBe(false);
  });
});
