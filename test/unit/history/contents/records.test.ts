import { describe, expect, it } from 'vitest';
import {
  allIncidents,
  applyRecord,
  clusterOf,
  createContents,
  findIncident,
} from '../../../../src/history/contents/contents';
import { toStored } from '../../../../src/history/contents/merge';
import { asStoredIncident, asStoreRecord, type StoreRecord } from '../../../../src/history/journal/records';
import type { Learning, SessionSeen, StoreEvent } from '../../../../src/history/types';
import { T0, attempt, incident } from '../support/make';

const one = incident({ id: 'A', key: 'streak' });
const record = (of = one): StoreRecord => ({ k: 'incident', ...toStored(of, undefined) });
const removal = (at: number, reopened = 0): StoreRecord => ({ k: 'remove', id: 'A', at, reopened });
const event = (t: number, more: Partial<StoreEvent> = {}): StoreEvent => ({
  id: 'E',
  t,
  type: 'Recovery',
  session: 's1',
  agent: 'codex',
  incident: 'A',
  data: {},
  ...more,
});
const learning = (at: number, more: Partial<Learning> = {}): Learning => ({
  id: 'A',
  at,
  session: 's1',
  agent: 'codex',
  category: 'debugging',
  title: '',
  content: '',
  confidence: 'low',
  sourceTask: '',
  tags: [],
  state: 'recovered',
  tried: 'by_itself',
  ...more,
});
const session = (lastAt: number, more: Partial<SessionSeen> = {}): SessionSeen => ({
  agent: 'codex',
  session: 's1',
  firstAt: T0,
  lastAt,
  ...more,
});

describe('a deleted incident', () => {
  it('stays deleted until it comes back once more', () => {
    const contents = createContents();
    expect(applyRecord(contents, record())).toBe(true);
    expect(applyRecord(contents, removal(T0))).toBe(true);
    expect(contents.streaks.size).toBe(0);
    expect(applyRecord(contents, record())).toBe(false);
    expect(applyRecord(contents, record({ ...one, reopened: 1 }))).toBe(true);
    expect(findIncident(contents, 'A')?.reopened).toBe(1);
    expect(applyRecord(contents, removal(T0 + 1, 0))).toBe(true);
    expect(findIncident(contents, 'A')).toBeDefined();
  });

  it('does not affect the others of its streak', () => {
    const contents = createContents();
    applyRecord(contents, record());
    applyRecord(contents, record({ ...one, id: 'B' }));
    applyRecord(contents, removal(T0));
    expect([...allIncidents(contents)].map(({ id }) => id)).toEqual(['B']);
  });

  it('removes its events and its learning, up to the moment of deletion', () => {
    const contents = createContents();
    for (const t of [T0 - 1, T0, T0 + 1]) applyRecord(contents, { k: 'event', event: event(t, { id: `E${t - T0}` }) });
    applyRecord(contents, { k: 'event', event: event(T0, { id: 'other', incident: 'B' }) });
    applyRecord(contents, { k: 'learning', learning: learning(T0) });
    applyRecord(contents, removal(T0));
    expect([...contents.events.keys()]).toEqual(['E1', 'other']);
    expect(contents.learnings.size).toBe(0);
    expect(applyRecord(contents, { k: 'event', event: event(T0) })).toBe(false);
    expect(applyRecord(contents, { k: 'event', event: event(T0 + 1) })).toBe(true);
    expect(applyRecord(contents, { k: 'learning', learning: learning(T0) })).toBe(false);
    expect(applyRecord(contents, { k: 'learning', learning: learning(T0 + 1) })).toBe(true);
    applyRecord(contents, removal(T0 + 1, 1));
    expect(contents.learnings.size).toBe(0);
  });

  it('is known by its latest deletion and the highest count', () => {
    const contents = createContents();
    applyRecord(contents, removal(T0 + 5, 1));
    expect(applyRecord(contents, removal(T0 + 5, 1))).toBe(false);
    expect(applyRecord(contents, removal(T0 + 4, 1))).toBe(false);
    expect(applyRecord(contents, removal(T0 + 4, 2))).toBe(true);
    expect(contents.removed.get('A')).toEqual({ at: T0 + 5, reopened: 2 });
    expect(applyRecord(contents, removal(T0 + 6, 0))).toBe(true);
    expect(contents.removed.get('A')).toEqual({ at: T0 + 6, reopened: 2 });
  });
});

describe('a record that is read twice', () => {
  it('is no news', () => {
    const contents = createContents();
    const records: readonly StoreRecord[] = [
      record(),
      { k: 'event', event: event(T0) },
      { k: 'learning', learning: learning(T0) },
      { k: 'session', session: session(T0) },
    ];
    expect(records.map((each) => applyRecord(contents, each))).toEqual([true, true, true, true]);
    expect(records.map((each) => applyRecord(contents, structuredClone(each)))).toEqual([false, false, false, false]);
    expect(applyRecord(contents, { k: 'journal', v: 1, window: 'w', at: T0 })).toBe(false);
  });

  it('is news if the state was entered later, or a person muted', () => {
    const contents = createContents();
    const kept = toStored(one, undefined);
    applyRecord(contents, { k: 'incident', ...kept });
    expect(applyRecord(contents, { k: 'incident', ...kept, stateAt: kept.stateAt + 1 })).toBe(true);
    expect(applyRecord(contents, { k: 'incident', ...kept, mute: { on: true, at: T0 } })).toBe(true);
  });
});

describe('a learning is replaced', () => {
  it.each<[string, Learning, Learning]>([
    ['by a later one', learning(T0 + 1), learning(T0, { tried: 'nudge' })],
    ['by one that knows of an attempt', learning(T0, { tried: 'nudge' }), learning(T0, { title: 'z' })],
    ['by the same of two, whoever is heard first', learning(T0, { title: 'b' }), learning(T0, { title: 'a' })],
  ])('%s', (_, wins, loses) => {
    for (const order of [
      [wins, loses],
      [loses, wins],
    ]) {
      const contents = createContents();
      for (const each of order) applyRecord(contents, { k: 'learning', learning: each });
      expect(contents.learnings.get('A')).toEqual(wins);
    }
  });
});

describe('a session', () => {
  it.each<[string, SessionSeen, SessionSeen]>([
    ['the one seen last', session(T0 + 2, { model: 'a' }), session(T0 + 1, { model: 'z' })],
    ['one of two by model', session(T0, { model: 'b' }), session(T0, { model: 'a' })],
    ['one of two by role', session(T0, { role: 'b' }), session(T0, { role: 'a' })],
    ['one of two by folder', session(T0, { folder: 'b' }), session(T0, { folder: 'a' })],
  ])('is described by %s, starting at the earliest beginning', (_, wins, loses) => {
    for (const order of [
      [{ ...wins, firstAt: T0 - 1 }, loses],
      [loses, { ...wins, firstAt: T0 - 1 }],
      [wins, { ...loses, firstAt: T0 - 1 }],
      [{ ...loses, firstAt: T0 - 1 }, wins],
    ]) {
      const contents = createContents();
      for (const each of order) applyRecord(contents, { k: 'session', session: each });
      expect([...contents.sessions.values()]).toEqual([{ ...wins, firstAt: T0 - 1 }]);
    }
  });

  it('of another agent with the same id is another session', () => {
    const contents = createContents();
    applyRecord(contents, { k: 'session', session: session(T0) });
    applyRecord(contents, { k: 'session', session: session(T0, { agent: 'pi' }) });
    expect(contents.sessions.size).toBe(2);
  });
});

describe('two incidents of one streak', () => {
  const joined = (a: Partial<typeof one>, b: Partial<typeof one>) => {
    const contents = createContents();
    applyRecord(contents, record({ ...one, id: 'A', ...a }));
    applyRecord(contents, record({ ...one, id: 'B', ...b }));
    return { ids: clusterOf(contents, 'B')?.ids, all: [...allIncidents(contents)].map(({ id }) => id).sort() };
  };

  it('are one if their lives touch', () => {
    expect(joined({ openedAt: T0, resolvedAt: T0 + 5 }, { openedAt: T0 + 5 })).toEqual({ ids: ['A', 'B'], all: ['A'] });
    expect(joined({ openedAt: T0, resolvedAt: T0 + 4 }, { openedAt: T0 + 5 })).toEqual({
      ids: ['B'],
      all: ['A', 'B'],
    });
    expect(joined({ openedAt: T0, updatedAt: T0 + 5 }, { openedAt: T0 + 5 }).all).toEqual(['A']);
    expect(joined({ openedAt: T0, updatedAt: T0 + 4 }, { openedAt: T0 + 5 }).all).toEqual(['A', 'B']);
    expect(joined({ openedAt: T0 + 5 }, { openedAt: T0, resolvedAt: T0 + 5 }).ids).toEqual(['B', 'A']);
  });

  it('are found under neither id if they do not exist', () => {
    expect(clusterOf(createContents(), 'A')).toBeUndefined();
  });

  it('are one with a third that touches only the longer of them', () => {
    const contents = createContents();
    applyRecord(contents, record({ ...one, id: 'A', openedAt: T0, resolvedAt: T0 + 9 }));
    applyRecord(contents, record({ ...one, id: 'B', openedAt: T0 + 1, resolvedAt: T0 + 2 }));
    applyRecord(contents, record({ ...one, id: 'C', openedAt: T0 + 8 }));
    expect(clusterOf(contents, 'C')?.ids).toEqual(['A', 'B', 'C']);
  });
});

describe('an ending that two readings of a session date differently', () => {
  const ending = (type: 'Resolution' | 'Learning', t: number, knownAt: number) =>
    event(t, { id: type, type, data: { outcome: 'nudge', knownAt } });
  const live = [ending('Resolution', T0 + 9, 9), ending('Learning', T0 + 9, 24)];
  const again = [ending('Resolution', T0 + 5, 5), ending('Learning', T0 + 5, 25)];

  it.each([
    ['the later one first', [...live, ...again]],
    ['the earlier one first', [...again, ...live]],
    ['one by one', [...again, ...live, ...again, ...live].reverse()],
  ])('is one event of the earliest time, so that a learning comes after its end: %s', (_, told) => {
    const contents = createContents();
    for (const each of told) applyRecord(contents, { k: 'event', event: each });
    expect(contents.events.get('Resolution')).toMatchObject({ t: T0 + 5, data: { knownAt: 9 } });
    expect(contents.events.get('Learning')).toMatchObject({ t: T0 + 5, data: { knownAt: 25 } });
  });
});

describe('a record from the disk', () => {
  const kept = toStored(incident({ attempts: [attempt()] }), undefined);
  const good: readonly StoreRecord[] = [
    { k: 'journal', v: 7, window: 'w', at: T0 },
    { k: 'incident', ...kept },
    { k: 'incident', ...kept, mute: { on: true, at: T0 } },
    { k: 'event', event: event(T0) },
    { k: 'learning', learning: learning(T0, { tags: ['stuck'] }) },
    { k: 'session', session: session(T0) },
    { k: 'remove', id: 'A', at: T0, reopened: 0 },
  ];

  it('is itself, with the fields that only a later version knows', () => {
    for (const each of good) {
      const later = { ...each, later: { x: 1 } };
      expect(asStoreRecord(later)).toBe(later);
    }
    const row = { ...kept, later: 1 };
    expect(asStoredIncident(row)).toBe(row);
  });

  it.each([null, undefined, 'text', 1, [], {}, { k: 'later' }, { k: 'journal' }, { k: 'journal', v: '1' }])(
    'may not be %j',
    (value) => {
      expect(asStoreRecord(value)).toBeUndefined();
      expect(asStoredIncident(value)).toBeUndefined();
    },
  );

  /** The fields that the store relies on, by kind of record: `.` goes into a record, and into the first item of a list. */
  const RELIED_ON: Readonly<Record<StoreRecord['k'], string>> = {
    journal: 'v',
    incident: `stateAt mute mute.on mute.at incident incident.id incident.key incident.agent incident.agentName
      incident.session incident.title incident.file incident.detector incident.reason incident.level
      incident.confidence incident.state incident.count incident.firstAt incident.openedAt incident.stuckAt
      incident.resolvedAt incident.updatedAt incident.firstLine incident.alertLine incident.stuckLine
      incident.resolvedLine incident.subject incident.why incident.suggestion incident.clears incident.evidence
      incident.evidence.0.source incident.evidence.0.subject incident.evidence.0.text incident.attempts
      incident.attempts.0.message incident.attempts.0.kind incident.attempts.0.at incident.reopened`,
    event: 'event event.id event.t event.type event.session event.agent event.data',
    learning: `learning learning.id learning.at learning.session learning.agent learning.title learning.content
      learning.confidence learning.sourceTask learning.tags learning.tags.0 learning.state learning.tried`,
    session: 'session session.agent session.session session.firstAt session.lastAt',
    remove: 'id at reopened',
  };
  const complete = good.filter((each) => each.k !== 'incident' || each.mute !== null);
  const broken = complete.flatMap((each) =>
    RELIED_ON[each.k].split(/\s+/).map((path) => [each.k, path, each] as const),
  );

  it.each(broken)('may not be %s without a usable %s', (_, path, each) => {
    const value = structuredClone(each) as unknown as Record<string, unknown>;
    const keys = path.split('.');
    const last = keys.pop() ?? '';
    let inner = value;
    for (const key of keys) inner = inner[key] as Record<string, unknown>;
    const before = inner[last];
    expect(before).toBeDefined();
    inner[last] = typeof before === 'object' && before !== null ? 'wrong' : { wrong: true };
    expect(asStoreRecord(value)).toBeUndefined();
    delete inner[last];
    if (!/\d/.test(last)) expect(asStoreRecord(value)).toBeUndefined();
  });

  it.each(['cleared', 'outcome'])('may not have a %s that is no word: views that are merged compare it', (field) => {
    const [incident] = complete.filter((each) => each.k === 'incident');
    const value = structuredClone(incident) as unknown as { incident: Record<string, unknown> };
    value.incident[field] = [{ wrong: true }];
    expect(asStoreRecord(value)).toBeUndefined();
    value.incident[field] = null;
    expect(asStoreRecord(value)).toBeDefined();
    delete value.incident[field];
    expect(asStoreRecord(value)).toBeDefined();
  });

  it('may not be of an agent that this version does not know', () => {
    expect(asStoredIncident({ ...kept, incident: { ...kept.incident, agent: 'nobody' } })).toBeUndefined();
  });
});
