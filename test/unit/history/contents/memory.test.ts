import { describe, expect, it } from 'vitest';
import type { StoreRecord } from '../../../../src/history/journal/records';
import { createMemory } from '../../../../src/history/contents/memory';
import { toStored } from '../../../../src/history/contents/merge';
import { learningOf } from '../../../../src/history/queries/learning';
import { T0, recovered } from '../support/make';

const one = recovered({ id: 'I' });
const learning = learningOf(one);
if (!learning) throw new Error('a learning comes of what recovered');
const said: StoreRecord = { k: 'incident', ...toStored(one, undefined) };
const learned: StoreRecord = { k: 'learning', learning };
const logged = {
  k: 'event',
  event: { id: 'E', t: T0, type: 'Recovery', session: 's', agent: 'pi', data: {} },
} as const;
const seen: StoreRecord = { k: 'session', session: { agent: 'pi', session: 's', firstAt: 1, lastAt: 2 } };
const removed: StoreRecord = { k: 'remove', id: 'gone', at: T0, reopened: 0 };

it('tells each listener what changed since its last call, by kind and by source', () => {
  const memory = createMemory();
  for (const record of [said, learned, logged, removed]) expect(memory.apply(record, 'other')).toBe(true);
  expect(memory.apply(said, 'own')).toBe(false);
  expect(memory.changes('own')).toBeNull();
  expect(memory.changes('other')).toEqual({
    source: 'other',
    incidents: ['I'],
    removed: ['gone'],
    events: ['E'],
    learnings: ['I'],
  });
  expect(memory.changes('other')).toBeNull();
});

it.each([said, learned, logged, removed])('reports one change of one kind: %j', (record) => {
  const memory = createMemory();
  memory.apply(record, 'own');
  expect(memory.changes('own')).not.toBeNull();
});

it('reports no change if only a session was seen', () => {
  const memory = createMemory();
  expect(memory.apply(seen, 'own')).toBe(true);
  expect(memory.changes('own')).toBeNull();
});

it('remembers all of the history that it read, in case the file has been damaged since', () => {
  const memory = createMemory();
  const own: StoreRecord = { k: 'incident', ...toStored(recovered({ id: 'own' }), undefined) };
  for (const record of [said, learned, logged, seen, removed]) memory.apply(record, 'history');
  memory.apply(own, 'own');
  expect([...memory.history()]).toEqual([removed, said, logged, learned, seen]);
});

describe("the next update of this window's copy", () => {
  it('contains each record once, in its current form, and nothing the second time', () => {
    const memory = createMemory();
    const journal: StoreRecord = { k: 'journal', v: 1, window: 'w' } as StoreRecord;
    for (const record of [said, learned, logged, seen, removed, journal]) memory.apply(record, 'own');
    const later = recovered({ ...one, count: 9, updatedAt: one.updatedAt + 5 });
    memory.apply({ k: 'incident', ...toStored(later, toStored(one, undefined)) }, 'other');
    const news = memory.news();
    expect(news).toHaveLength(5);
    expect(news).toEqual(expect.arrayContaining([learned, logged, seen, removed]));
    expect(news.find(({ k }) => k === 'incident')).toMatchObject({ incident: { id: 'I', count: 9 } });
    expect(memory.news()).toEqual([]);
  });

  it('does not contain what was deleted since', () => {
    const memory = createMemory();
    for (const record of [said, learned]) memory.apply(record, 'own');
    const gone: StoreRecord = { k: 'remove', id: 'I', at: one.updatedAt + 1, reopened: 0 };
    memory.apply(gone, 'own');
    expect(memory.news()).toEqual([gone]);
  });
});

it('reports changes of several kinds, and as many removals as were recorded', () => {
  const memory = createMemory();
  memory.apply(said, 'other');
  memory.apply(removed, 'other');
  expect(memory.changes('other')).not.toBeNull();
  memory.apply(logged, 'other');
  memory.apply({ k: 'remove', id: 'gone too', at: T0, reopened: 0 }, 'other');
  expect(memory.changes('other')).not.toBeNull();
  memory.apply({ ...logged, event: { ...logged.event, id: 'F' } }, 'other');
  memory.apply({ k: 'learning', learning: { ...learning, id: 'L' } }, 'other');
  expect(memory.changes('other')).not.toBeNull();
});
