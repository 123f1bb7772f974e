import { decodeTime } from 'ulid';
import { expect, test } from 'vitest';
import { prepareEvent, prepareIncident, prepareKey, prepareSession, ulidTime } from '../../../src/history/prepare';
import type { NewStoreEvent } from '../../../src/history/types';
import { T0, attempt, incident } from './support/make';

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

test('an event about no incident names none', () => {
  expect(prepareEvent(event)).not.toHaveProperty('incident');
  expect(prepareEvent({ ...event, incident: 'i1' })).toHaveProperty('incident', 'i1');
});

test('an id from the caller stays', () => {
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

const SECRET = 'ghp_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8';
const source = { file: '/x', line: 1, offset: 0 };
const sample = (text: string, ignored: readonly (readonly [number, number])[] = []) => ({
  source,
  at: T0,
  text,
  ignored,
});

test('a text is cut only if it is too long, and says so', () => {
  const titled = (title: string) => prepareIncident(incident({ title })).title;
  expect(titled('w '.repeat(200))).toBe('w '.repeat(200));
  expect(titled(`${'w '.repeat(200)}w`)).toBe(`${'w '.repeat(199)}w…`);
  expect(prepareKey('k '.repeat(2_000))).toHaveLength(4_000);
  expect(prepareKey('k '.repeat(2_001))).toHaveLength(4_000);
});

test('a secret is removed before the text is cut, so that no half of it is left', () => {
  const title = `${'w '.repeat(190)}${SECRET}`;
  expect(prepareIncident(incident({ title })).title).not.toContain('ghp_a1');
});

test('of a lot of evidence the first third and the newest are kept', () => {
  const evidence = (n: number) =>
    Array.from({ length: n }, (_, step) => ({
      source,
      at: T0,
      step,
      role: 'repeat' as const,
      subject: 'x',
      text: 'y',
    }));
  const kept = (n: number) => prepareIncident(incident({ evidence: evidence(n) })).evidence.map(({ step }) => step);
  expect(kept(24)).toEqual(Array.from({ length: 24 }, (_, i) => i));
  expect(kept(30)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, ...Array.from({ length: 16 }, (_, i) => i + 14)]);
});

test('of very many attempts, values, steps of a lap and clauses the newest or the first are kept', () => {
  const many = (n: number) => Array.from({ length: n }, (_, i) => i);
  const one = prepareIncident(
    incident({
      attempts: many(60).map((n) => attempt({ attempt: n })),
      moved: many(10).map(String),
      clears: many(14).map(String),
      progressed: { at: T0, text: 'p '.repeat(300) },
      pattern: many(14).map((n) => ({ letter: 'A', subject: `${n} `.repeat(300), steps: many(250) })),
    }),
  );
  expect(one.attempts.map((each) => each.attempt)).toEqual(many(60).slice(10));
  expect(one.moved).toEqual(many(10).slice(2).map(String));
  expect(one.clears).toEqual(many(12).map(String));
  expect(one.progressed?.text).toHaveLength(400);
  expect(one.pattern).toHaveLength(12);
  expect(one.pattern?.[0]?.subject).toHaveLength(400);
  expect(one.pattern?.[0]?.steps).toEqual(many(250).slice(50));
});

test('nothing is added that an incident does not have', () => {
  const one = prepareIncident(incident());
  for (const name of ['moved', 'progressed', 'firstSample', 'lastSample', 'pattern'])
    expect(one).not.toHaveProperty(name);
});

test('a sample is cut at 8 KB, together with what is skipped in it', () => {
  const ignored = [
    [0, 5],
    [8_190, 8_195],
    [8_192, 8_200],
  ] as const;
  const long = prepareIncident(incident({ firstSample: sample('w '.repeat(4_200), ignored) })).firstSample;
  expect(long?.text).toHaveLength(8_192);
  expect(long?.ignored).toEqual([
    [0, 5],
    [8_190, 8_192],
  ]);
  const whole = prepareIncident(incident({ lastSample: sample('w '.repeat(4_096), [[1, 2]]) })).lastSample;
  expect(whole?.text).toHaveLength(8_192);
  expect(whole?.ignored).toEqual([[1, 2]]);
});

test('the data of an event are cut at 16 KB, and anything that is not data says so', () => {
  const data = (value: Readonly<Record<string, unknown>>) => prepareEvent({ ...event, data: value }).data;
  const long = { text: 'w '.repeat(8_000) };
  expect(data(long)).toEqual(long);
  const fitting = { text: 'w '.repeat(8_186).padEnd(16_384 - '{"text":""}'.length, 'w') };
  expect(data(fitting)).toEqual(fitting);
  expect(data({ text: `${fitting.text}w` })).toHaveProperty('cut', true);
  const longer = data({ text: 'w '.repeat(9_000) });
  expect(longer).toMatchObject({ cut: true, characters: 18_011 });
  expect(String(longer['head'])).toHaveLength(8_192);
  expect(data({ n: 1n })).toEqual({ unreadable: true });
});

test('what is unknown about a session is left out', () => {
  const seen = { agent: 'pi', session: 's', firstAt: 1, lastAt: 2 } as const;
  expect(prepareSession(seen)).toStrictEqual(seen);
  const all = { ...seen, model: 'm', role: 'r', folder: '/f', steps: 7 };
  expect(prepareSession(all)).toStrictEqual(all);
  expect(prepareSession({ ...all, model: 'm '.repeat(300) }).model).toHaveLength(400);
});

test("an agent's working folder and name are kept without secrets", () => {
  const placed = { folder: `/home/me/${SECRET}/app`, model: `m-${SECRET}`, role: `r ${SECRET}` };
  const session = { agent: 'codex', session: 's', firstAt: T0, lastAt: T0, ...placed } as const;
  for (const kept of [prepareIncident(incident(placed)), prepareSession(session)]) {
    expect(JSON.stringify(kept)).not.toContain(SECRET);
    expect(kept).toMatchObject({ folder: '/home/me/[redacted]/app', model: expect.stringContaining('[redacted]') });
  }
});
