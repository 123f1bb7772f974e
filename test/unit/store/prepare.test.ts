import { decodeTime } from 'ulid';
import { expect, test } from 'vitest';
import { prepareEvent, ulidTime } from '../../../src/store/prepare';
import type { NewStoreEvent } from '../../../src/store/types';

const event: NewStoreEvent = { t: 1_763_900_000_000, type: 'Observation', session: 's1', agent: 'codex', data: {} };

test('two windows that log the same event give it the same id, in every version', () => {
  expect(prepareEvent(event).id).toBe('01KARA41R04TK094YHGS1RFAM7');
  expect(prepareEvent({ ...event }).id).toBe(prepareEvent(event).id);
});

test.each([
  ['time', { t: event.t + 1 }],
  ['type', { type: 'Recovery' as const }],
  ['session', { session: 's2' }],
  ['agent', { agent: 'pi' as const }],
  ['incident', { incident: 'i1' }],
  ['data', { data: { n: 1 } }],
])('another %s gives another id', (_, change) => {
  expect(prepareEvent({ ...event, ...change }).id).not.toBe(prepareEvent(event).id);
});

test('an id that the caller gives stays', () => {
  expect(prepareEvent({ ...event, id: 'own' }).id).toBe('own');
});

test.each([
  [-5, 1],
  [0, 1],
  [12.7, 12],
  [2 ** 48, 2 ** 48 - 1],
])('the time %d is written as %d in an id', (at, written) => {
  expect(ulidTime(at)).toBe(written);
  expect(decodeTime(prepareEvent({ ...event, t: at }).id)).toBe(written);
});
