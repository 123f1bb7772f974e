import { describe, expect, it } from 'vitest';
import { createCatalogue } from '../../../../src/history/catalogue/catalogue';
import { toStored } from '../../../../src/history/contents/merge';
import { learningOf } from '../../../../src/history/queries/learning';
import { createSqlEngine } from '../../../../src/history/snapshot/sql-engine';
import type { Learning, StoreEvent } from '../../../../src/history/types';
import { catalogueOf } from '../support/catalogue';
import { MINUTE, T0, WASM, attempt, incident, recovered } from '../support/make';

const ids = (list: readonly { readonly id: string }[]) => list.map(({ id }) => id);
const learned = (id: string, changes: Partial<Learning> = {}): Learning => {
  const learning = learningOf(recovered({ id }));
  if (!learning) throw new Error('a learning comes of what recovered');
  return { ...learning, ...changes };
};
const event = (id: string, t: number, about: string): StoreEvent => ({
  id,
  t,
  type: 'Recovery',
  session: 's',
  agent: 'pi',
  incident: about,
  data: {},
});

describe('incidents like another one', () => {
  const now = incident({ id: 'now', key: 'now' });
  const said = (subject: string, text: string) => ({
    subject,
    title: '',
    why: '',
    file: '/t',
    evidence: [{ source: { file: '/t', line: 1, offset: 0 }, at: T0, role: 'repeat' as const, subject, text }],
  });
  const old = (id: string, changes = {}) => recovered({ id, key: id, ...changes });

  it('are those of the same pattern, newest first, then those with the same words', async () => {
    const incidents = [
      old('first', { openedAt: T0 }),
      old('second', { openedAt: T0 + MINUTE }),
      old('like', said('pytest -q -x', '1 failed, 3 passed: test_add')),
      old('unlike', said('cargo build', 'linking')),
    ];
    const catalogue = await catalogueOf({ incidents, learnings: [learned('second'), learned('like')] });
    const alike = catalogue.alike(now, 9);
    expect(ids(alike.incidents)).toEqual(['second', 'first', 'like']);
    expect(ids(alike.learnings)).toEqual(['second', 'like']);
    expect(ids(catalogue.alike(now, 1).incidents)).toEqual(['second']);
    expect(ids(catalogue.alike(now, 2).incidents)).toEqual(['second', 'first']);
  });

  it('are found by the words of their last step, even if it has no evidence', async () => {
    const catalogue = await catalogueOf({
      incidents: [old('gamma', said('alpha', 'gamma')), old('beta', said('delta', 'beta'))],
    });
    const asks = (subject: string, ...texts: readonly string[]) => {
      const evidence = texts.flatMap((text) => said(subject, text).evidence);
      return ids(catalogue.alike({ ...now, subject, evidence }, 9).incidents);
    };
    expect(asks('other', 'beta', 'gamma')).toEqual(['gamma']);
    expect(asks('delta')).toEqual(['beta']);
  });

  it('are not of its own streak, nor of another rule or part of one, nor still open', async () => {
    const catalogue = await catalogueOf({
      incidents: [
        recovered({ id: 'itself', key: 'now', openedAt: T0 - MINUTE }),
        old('cycle', { detector: 'cycle' }),
        old('part', { rule: 'peers' }),
        incident({ id: 'open', key: 'open' }),
        old('likewise', { openedAt: T0, ...said('pytest -q -x', '1 failed, 3 passed: test_add') }),
      ],
    });
    expect(ids(catalogue.alike(now, 9).incidents)).toEqual(['likewise']);
  });
});

describe('a learning that was forgotten', () => {
  it('is neither listed nor found, nor shown with its incident', async () => {
    const incidents = [recovered({ id: 'A', key: 'a' }), recovered({ id: 'B', key: 'b' })];
    const learnings = [learned('A', { content: 'lockfile', forgotten: true }), learned('B', { content: 'lockfile' })];
    const catalogue = await catalogueOf({ incidents, learnings });
    expect(ids(catalogue.learnings())).toEqual(['B']);
    expect(ids(catalogue.recall('lockfile', {}))).toEqual(['B']);
    expect(catalogue.file('A')?.learning).toBeNull();
    expect(catalogue.file('B')?.learning?.id).toBe('B');
  });
});

describe('the story of an incident', () => {
  it('contains the events of both windows that reported it, oldest first', async () => {
    const one = incident({ id: 'A', key: 'k', attempts: [attempt()] });
    const catalogue = await catalogueOf({
      incidents: [one, { ...one, id: 'B', attempts: [] }],
      events: [event('E3', T0 + 3, 'A'), event('E1', T0 + 1, 'B'), event('E2', T0 + 2, 'A'), event('E4', T0, 'C')],
    });
    expect(ids(catalogue.incidents({}))).toHaveLength(1);
    for (const id of ['A', 'B']) {
      const file = catalogue.file(id);
      expect(file?.ids.toSorted()).toEqual(['A', 'B']);
      expect(file?.incident.attempts).toHaveLength(1);
      expect(ids(file?.events ?? [])).toEqual(['E1', 'E2', 'E3']);
    }
    expect(catalogue.file('unknown')).toBeNull();
  });

  it('contains the newest events in their order, and the first learnings', async () => {
    const catalogue = await catalogueOf({
      events: [event('E1', T0 + 1, 'A'), event('E3', T0 + 3, 'A'), event('E2', T0 + 2, 'A')],
      learnings: [learned('A', { at: T0 }), learned('B', { at: T0 + 1 }), learned('C', { at: T0, pinned: true })],
    });
    expect(ids(catalogue.events({}))).toEqual(['E1', 'E2', 'E3']);
    expect(ids(catalogue.events({ limit: 2 }))).toEqual(['E2', 'E3']);
    expect(ids(catalogue.learnings())).toEqual(['C', 'B', 'A']);
  });

  it('is counted by value, equal numbers by name', async () => {
    const of = (agent: 'pi' | 'codex' | 'aider') => incident({ agent, agentName: agent });
    const catalogue = await catalogueOf({ incidents: [of('pi'), of('codex'), of('aider'), of('pi')] });
    expect(catalogue.facets({}).agent.map(({ value, count }) => `${value} ${count}`)).toEqual([
      'pi 2',
      'aider 1',
      'codex 1',
    ]);
  });
});

describe('a catalogue', () => {
  it('returns what it was given, except new incidents, which their window keeps', async () => {
    const kept = { incidents: [incident({ id: 'A' })], events: [event('E1', T0, 'A')], learnings: [learned('A')] };
    const session = { agent: 'pi' as const, session: 's', firstAt: T0, lastAt: T0 + 1 };
    const catalogue = await catalogueOf({ ...kept, sessions: [session] });
    catalogue.apply([{ k: 'remove', id: 'gone', at: T0, reopened: 0 }]);
    expect(catalogue.records()).toEqual([
      { k: 'remove', id: 'gone', at: T0, reopened: 0 },
      { k: 'event', event: kept.events[0] },
      { k: 'learning', learning: kept.learnings[0] },
      { k: 'session', session },
    ]);
  });

  it('answers nothing before it is opened and after it was closed, and starts from scratch when it is reopened', async () => {
    const catalogue = createCatalogue(await createSqlEngine(WASM)());
    expect(() => catalogue.incidents({})).toThrow('The catalogue is not open');
    expect(() => catalogue.prepareSearch()).toThrow('The catalogue is not open');
    const record = { k: 'incident' as const, ...toStored(incident({ id: 'A' }), undefined) };
    expect(catalogue.open(null)).toBe(true);
    catalogue.apply([record]);
    expect(ids(catalogue.recall('pytest', {}))).toEqual(['A']);
    expect(catalogue.open(null)).toBe(true);
    expect(catalogue.recall('pytest', {})).toEqual([]);
    catalogue.apply([record]);
    expect(ids(catalogue.recall('pytest', {}))).toEqual(['A']);
    catalogue.close();
    catalogue.close();
    expect(() => catalogue.recall('pytest', {})).toThrow('The catalogue is not open');
  });

  it('finds what it was given after the search index was made', async () => {
    const catalogue = await catalogueOf({ incidents: [incident({ id: 'A', key: 'a', title: 'alpha' })] });
    expect(ids(catalogue.recall('alpha', {}))).toEqual(['A']);
    catalogue.apply([{ k: 'incident', ...toStored(incident({ id: 'B', key: 'b', title: 'alpha' }), undefined) }]);
    expect(ids(catalogue.recall('alpha', {})).toSorted()).toEqual(['A', 'B']);
    catalogue.apply([{ k: 'learning', learning: learned('A', { title: 'omega' }) }]);
    expect(catalogue.recall('omega', {})).toMatchObject([{ kind: 'learning', id: 'A' }]);
    catalogue.apply([{ k: 'remove', id: 'A', at: T0 + 99 * MINUTE, reopened: 0 }]);
    expect(ids(catalogue.recall('alpha', {}))).toEqual(['B']);
    expect(catalogue.recall('omega', {})).toEqual([]);
  });
});

describe('how often a rule was wrong', () => {
  it('is counted against its alarms in the range, by the latest feedback', async () => {
    const says = (id: string, t: number, about: string, action: string): StoreEvent => ({
      ...event(id, t, about),
      type: 'Feedback',
      data: { detector: about.startsWith('C') ? 'cycle' : 'repeating_action', action },
    });
    const catalogue = await catalogueOf({
      incidents: ['A', 'B', 'D'].map((id) => incident({ id, key: id, openedAt: T0 })),
      events: [
        says('1', T0, 'A', 'not_stuck'),
        says('2', T0, 'B', 'not_stuck'),
        says('3', T0 + 1, 'B', 'was_stuck'),
        says('4', T0, 'C', 'not_stuck'),
        says('5', T0 - 5, 'D', 'not_stuck'),
        { ...event('6', T0, 'D'), data: { detector: 'cycle', action: 'not_stuck' } },
      ],
    });
    expect(catalogue.statistics({ since: T0, until: T0 + MINUTE }, T0 + MINUTE).wrong).toEqual([
      { detector: 'cycle', alarms: { n: 1, of: 1 } },
      { detector: 'repeating_action', alarms: { n: 1, of: 3 } },
    ]);
  });
});
