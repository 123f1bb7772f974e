import { describe, expect, it } from 'vitest';
import type { Incident } from '../../../../src/model';
import { filterEvents, filterIncidents, filterLearnings } from '../../../../src/store/queries/query';
import type { IncidentFilter, Learning, StoreEvent } from '../../../../src/store/types';
import { T0, incident } from '../support/make';

const old = incident({ id: 'A', openedAt: T0, session: 's1', folder: '/one', agent: 'codex', state: 'recovered' });
const middle = incident({ id: 'B', openedAt: T0 + 5, session: 's2', folder: '/two', state: 'nudged' });
const young = incident({ id: 'C', openedAt: T0 + 9, session: 's2', folder: '/two', detector: 'cycle', state: 'muted' });
const all = [middle, old, young];

const ids = (filter?: IncidentFilter, incidents: readonly Incident[] = all) =>
  filterIncidents(incidents, filter)
    .map(({ id }) => id)
    .join('');

describe('incidents', () => {
  it('come newest first, equally old ones by id', () => {
    expect(ids()).toBe('CBA');
    expect(ids({}, [incident({ id: 'X', openedAt: T0 }), old, incident({ id: 'Y', openedAt: T0 })])).toBe('YXA');
  });

  it.each<[IncidentFilter, string]>([
    [{ ids: ['A', 'C', 'Z'] }, 'CA'],
    [{ ids: [] }, ''],
    [{ active: true }, 'B'],
    [{ active: false }, 'CA'],
    [{ states: ['nudged', 'recovered'] }, 'BA'],
    [{ agents: ['codex'] }, 'A'],
    [{ detectors: ['cycle'] }, 'C'],
    [{ session: 's2' }, 'CB'],
    [{ folder: '/one' }, 'A'],
    [{ session: 's2', detectors: ['cycle'] }, 'C'],
  ])('%j leaves %s', (filter, left) => {
    expect(ids(filter)).toBe(left);
  });

  it('of a range begin at its start and end before its end', () => {
    expect(ids({ since: T0 + 5 })).toBe('CB');
    expect(ids({ since: T0 + 6 })).toBe('C');
    expect(ids({ until: T0 + 5 })).toBe('A');
    expect(ids({ until: T0 + 6 })).toBe('BA');
  });

  it('come in pages', () => {
    expect(ids({ limit: 2 })).toBe('CB');
    expect(ids({ offset: 1 })).toBe('BA');
    expect(ids({ offset: 1, limit: 1 })).toBe('B');
    expect(ids({ limit: 0 })).toBe('');
  });

  it('are found by words that all occur, in whatever field and case', () => {
    const one = incident({
      id: 'D',
      title: 'Mend the Parser',
      subject: 'npm test',
      why: 'the same result',
      agent: 'pi',
      agentName: 'Pi Agent',
      model: 'opus',
      role: 'reviewer',
      detector: 'repeating_outcome',
      reason: 'repetition_loop',
      state: 'escalated',
      session: 'sess-77',
      folder: '/home/me/calc',
    });
    const words = [
      'PARSER',
      'npm',
      'same result',
      'pi agent',
      'opus',
      'reviewer',
      'repeating_outcome',
      'repeating outcome',
      'repetition_loop',
      'escalated',
      'sess-77',
      '/home/me',
      'test_add',
      'src/calc.py',
      '  mend   opus ',
    ];
    for (const text of words) expect(ids({ text }, [one]), text).toBe('D');
    expect(ids({ text: 'parser cobol' }, [one])).toBe('');
    expect(ids({ text: ' ' }, [one])).toBe('D');
  });
});

describe('events', () => {
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
  const found = (filter?: Parameters<typeof filterEvents>[1], list = events) =>
    filterEvents(list, filter)
      .map(({ id }) => id)
      .join('');

  it('come oldest first, equally old ones by id', () => {
    expect(found()).toBe('ABC');
    expect(found({}, [event('Y', T0), event('X', T0)])).toBe('XY');
    expect(found({}, [event('X', T0), event('Y', T0)])).toBe('XY');
  });

  it.each<[Parameters<typeof filterEvents>[1], string]>([
    [{ type: 'Recovery' }, 'C'],
    [{ session: 's1' }, 'AC'],
    [{ agent: 'pi' }, 'B'],
    [{ incident: 'I1' }, 'C'],
    [{ since: T0 + 5 }, 'BC'],
    [{ until: T0 + 5 }, 'A'],
    [{ since: T0 + 5, until: T0 + 9 }, 'B'],
    [{ limit: 2 }, 'BC'],
    [{ limit: 0 }, ''],
    [{ limit: -1 }, ''],
  ])('%j leaves %s', (filter, left) => {
    expect(found(filter)).toBe(left);
  });
});

describe('learnings', () => {
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
  const learnings = [
    learning('A', T0),
    learning('B', T0 + 5, { tags: ['stuck', 'testing'] }),
    learning('C', T0 + 5, { agent: 'pi' }),
  ];

  it.each<[Parameters<typeof filterLearnings>[1], string]>([
    [undefined, 'CBA'],
    [{ agent: 'codex' }, 'BA'],
    [{ tags: ['stuck', 'testing'] }, 'B'],
    [{ tags: ['testing', 'cycle'] }, ''],
    [{ limit: 1 }, 'C'],
    [{ limit: -1 }, ''],
  ])('%j leaves %s, the newest first', (filter, left) => {
    expect(
      filterLearnings(learnings, filter)
        .map(({ id }) => id)
        .join(''),
    ).toBe(left);
  });
});
