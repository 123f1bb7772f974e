import { expect, it } from 'vitest';
import type { StoreRecord } from '../../../../src/store/journal/records';
import { createMemory } from '../../../../src/store/contents/memory';
import { toStored } from '../../../../src/store/contents/merge';
import { learningOf } from '../../../../src/store/queries/learning';
import { T0, recovered } from '../support/make';

const one = recovered({ id: 'I' });
const learning = learningOf(one);
if (!learning) throw new Error('a learning comes of what recovered');
const said: StoreRecord = { k: 'incident', ...toStored(one, undefined) };
const learned: StoreRecord = { k: 'learning', learning };
const logged: StoreRecord = {
  k: 'event',
  event: { id: 'E', t: T0, type: 'Recovery', session: 's', agent: 'pi', data: {} },
};
const seen: StoreRecord = { k: 'session', session: { agent: 'pi', session: 's', firstAt: 1, lastAt: 2 } };
const removed: StoreRecord = { k: 'remove', id: 'gone', at: T0, reopened: 0 };

it('tells each listener what changed since it last asked, by kind and by where it came from', () => {
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

it.each([said, learned, logged, removed])('tells of one change of one kind: %j', (record) => {
  const memory = createMemory();
  memory.apply(record, 'own');
  expect(memory.changes('own')).not.toBeNull();
});

it('has nothing to tell of where only a session was seen', () => {
  const memory = createMemory();
  expect(memory.apply(seen, 'own')).toBe(true);
  expect(memory.changes('own')).toBeNull();
});

it('remembers all of the history that it read, for where the file was damaged since', () => {
  const memory = createMemory();
  const own: StoreRecord = { k: 'incident', ...toStored(recovered({ id: 'own' }), undefined) };
  for (const record of [said, learned, logged, seen, removed]) memory.apply(record, 'history');
  memory.apply(own, 'own');
  expect([...memory.history()]).toEqual([removed, said, logged, learned, seen]);
});
