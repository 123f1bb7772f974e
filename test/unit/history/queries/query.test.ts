import { describe, expect, it } from 'vitest';
import type { Incident } from '../../../../src/core/model';
import { filterEvents, filterIncidents, shownLearnings } from '../../../../src/history/queries/query';
import type { Catalogue } from '../../../../src/history/catalogue/catalogue';
import type { EventFilter, IncidentFilter, Learning, StoreEvent } from '../../../../src/history/types';
import { type Kept, catalogueOf } from '../support/catalogue';
import { T0, incident } from '../support/make';

const old = incident({ id: 'A', openedAt: T0, session: 's1', folder: '/one', agent: 'codex', state: 'recovered' });
const middle = incident({ id: 'B', openedAt: T0 + 5, session: 's2', folder: '/two', state: 'nudged', level: 'warn' });
const young = incident({ id: 'C', openedAt: T0 + 9, session: 's2', folder: '/two', detector: 'cycle', state: 'muted' });
const all = [middle, old, young];

type Way = (kept: Kept) => Promise<Pick<Catalogue, 'incidents' | 'events' | 'learnings'>>;

/** The catalogue is queried; without the database engine, the window answers from its memory. Both must agree. */
const WAYS: readonly (readonly [string, Way])[] = [
  ['of the catalogue', catalogueOf],
  [
    'from memory',
    async ({ incidents = [], events = [], learnings = [] }) => ({
      incidents: (filter) => filterIncidents(incidents, filter),
      events: (filter) => filterEvents(events, filter),
      learnings: () => shownLearnings(learnings),
    }),
  ],
];

describe.each(WAYS)('incidents %s', (_, way) => {
  const ids = async (filter: IncidentFilter = {}, incidents: readonly Incident[] = all) =>
    (await way({ incidents }))
      .incidents(filter)
      .map(({ id }) => id)
      .join('');

  it('come newest first, equally old ones by id', async () => {
    expect(await ids()).toBe('CBA');
    expect(await ids({}, [incident({ id: 'X', openedAt: T0 }), old, incident({ id: 'Y', openedAt: T0 })])).toBe('YXA');
  });

  it.each<[IncidentFilter, string]>([
    [{ ids: ['A', 'C', 'Z'] }, 'CA'],
    [{ ids: [] }, ''],
    [{ active: true }, 'B'],
    [{ active: false }, 'CA'],
    [{ agents: ['codex'] }, 'A'],
    [{ detectors: ['cycle'] }, 'C'],
    [{ session: 's2' }, 'CB'],
    [{ folders: ['/one'] }, 'A'],
    [{ folders: ['/on'] }, ''],
    [{ folders: [] }, ''],
    [{ folders: ['/home'] }, ''],
    [{ folders: ['/one', '/two'] }, 'CBA'],
    [{ levels: ['warn'] }, 'B'],
    [{ endings: ['by_itself', 'muted'] }, 'CA'],
    [{ endings: ['muted'], levels: ['warn'] }, ''],
    [{ session: 's2', detectors: ['cycle'] }, 'C'],
  ])('%j leaves %s', async (filter, left) => {
    expect(await ids(filter)).toBe(left);
  });

  it('of a folder are those of folders in it, too', async () => {
    const within = incident({ id: 'D', folder: '/one/sub' });
    const beside = incident({ id: 'E', folder: '/one-more' });
    expect(await ids({ folders: ['/one'] }, [old, within, beside])).toBe('DA');
  });

  it('of a folder of Windows are those of folders in it, too, with both slashes', async () => {
    const within = incident({ id: 'D', folder: 'C:\\work\\sub' });
    const same = incident({ id: 'E', folder: 'C:/work' });
    const beside = incident({ id: 'F', folder: 'C:\\workshop' });
    expect(await ids({ folders: ['C:\\work'] }, [old, within, same, beside])).toBe('ED');
  });

  it('of a range begin at its start and end before its end', async () => {
    expect(await ids({ since: T0 + 5 })).toBe('CB');
    expect(await ids({ since: T0 + 6 })).toBe('C');
    expect(await ids({ until: T0 + 5 })).toBe('A');
    expect(await ids({ until: T0 + 6 })).toBe('BA');
  });

  it('are at most as many as the limit', async () => {
    expect(await ids({ limit: 2 })).toBe('CB');
    expect(await ids({ limit: 0 })).toBe('');
  });
});

describe.each(WAYS)('events %s', (_, way) => {
  const event = (id: string, t: number, more: Partial<StoreEvent> = {}): StoreEvent => ({
    id,
    t,
    type: 'Observation',
    session: 's1',
    agent: 'codex',
    data: {},
    ...more,
  });
  const events = [
    event('C', T0 + 9, { type: 'Recovery', incident: 'I1' }),
    event('A', T0),
    event('B', T0 + 5, { session: 's2', agent: 'pi' }),
  ];
  const found = async (filter: EventFilter = {}, list = events) =>
    (await way({ events: list }))
      .events(filter)
      .map(({ id }) => id)
      .join('');

  it('come oldest first, equally old ones by id', async () => {
    expect(await found()).toBe('ABC');
    expect(await found({}, [event('Y', T0), event('X', T0)])).toBe('XY');
    expect(await found({}, [event('X', T0), event('Y', T0)])).toBe('XY');
  });

  it.each<[EventFilter, string]>([
    [{ type: 'Recovery' }, 'C'],
    [{ session: 's1' }, 'AC'],
    [{ incident: 'I1' }, 'C'],
    [{ since: T0 + 5 }, 'BC'],
    [{ limit: 2 }, 'BC'],
    [{ limit: 0 }, ''],
    [{ limit: -1 }, ''],
  ])('%j leaves %s', async (filter, left) => {
    expect(await found(filter)).toBe(left);
  });
});

describe.each(WAYS)('learnings %s', (_, way) => {
  const learning = (id: string, at: number, more: Partial<Learning> = {}): Learning => ({
    id,
    at,
    session: 's1',
    agent: 'codex',
    category: 'debugging',
    title: '',
    content: '',
    confidence: 'low',
    sourceTask: '',
    tags: ['stuck'],
    state: 'recovered',
    tried: 'nudge',
    ...more,
  });
  const learnings = [learning('A', T0), learning('B', T0 + 5), learning('C', T0 + 5)];

  it('are without those that a person deleted, pinned ones first, then the newest', async () => {
    const changed = [learning('P', T0, { pinned: true }), learning('D', T0 + 9, { forgotten: true })];
    const found = (await way({ learnings: [...changed, ...learnings] })).learnings();
    expect(found.map(({ id }) => id).join('')).toBe('PCBA');
  });
});
