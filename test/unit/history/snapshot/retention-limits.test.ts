import { describe, expect, it } from 'vitest';
import type { Incident } from '../../../../src/core/model';
import { createBreather } from '../../../../src/history/breathe';
import { type Contents, applyRecord, createContents } from '../../../../src/history/contents/contents';
import { toStored } from '../../../../src/history/contents/merge';
import { RETENTION, type RetentionLimits, retain } from '../../../../src/history/snapshot/retention';
import type { Learning } from '../../../../src/history/types';
import { DAY, MINUTE, T0, incident, recovered } from '../support/make';

const NOW = T0 + 200 * DAY;
const OLDEST = NOW - RETENTION.days * DAY;
const WEEK_AGO = NOW - 7 * DAY;

function contentsOf(...incidents: readonly Incident[]): Contents {
  const contents = createContents();
  for (const one of incidents) applyRecord(contents, { k: 'incident', ...toStored(one, undefined) });
  return contents;
}

const over = (id: string, updatedAt: number) =>
  recovered({ id, key: id, openedAt: updatedAt, updatedAt, resolvedAt: updatedAt });
const apply = (contents: Contents, limits: Partial<RetentionLimits> = {}) =>
  retain(contents, { ...RETENTION, ...limits }, NOW, createBreather());
const size = (contents: Contents) =>
  [...contents.incidents].reduce((sum, [id, kept]) => sum + id.length + JSON.stringify(kept).length, 0);

describe('by age', () => {
  it('an incident is kept to the day, then dropped with its streak', async () => {
    const contents = contentsOf(over('A', OLDEST - 1), over('B', OLDEST));
    expect((await apply(contents)).dropped).toBe(1);
    expect([...contents.incidents.keys()]).toEqual(['B']);
    expect(contents.streaks.size).toBe(1);
  });

  it('events, learnings, sessions and tombstones are kept to the day', async () => {
    const contents = createContents();
    for (const [id, at] of [
      ['old', OLDEST - 1],
      ['young', OLDEST],
    ] as const) {
      contents.events.set(id, { id, t: at, type: 'Recovery', session: 's', agent: 'pi', data: {} });
      contents.sessions.set(id, { agent: 'pi', session: id, firstAt: at, lastAt: at });
      contents.removed.set(id, { at, reopened: 0 });
      contents.learnings.set(id, { id, at } as Learning);
    }
    await apply(contents);
    for (const table of [contents.events, contents.sessions, contents.removed, contents.learnings])
      expect([...table.keys()]).toEqual(['young']);
  });

  it('what is open and was seen within a week is kept, however small the limits are', async () => {
    const open = (id: string, updatedAt: number) => incident({ id, key: id, updatedAt });
    const contents = contentsOf(open('A', WEEK_AGO + 1), open('B', WEEK_AGO), over('C', NOW));
    const { dropped } = await apply(contents, { incidents: 0, days: 0, characters: 0 });
    expect([...contents.incidents.keys()]).toEqual(['A']);
    expect(dropped).toBe(2);
    expect(contents.incidents.get('A')?.incident.evidence).toHaveLength(4);
  });
});

describe('by number', () => {
  it('the oldest are removed, and their events with them', async () => {
    const contents = contentsOf(over('B', NOW - 2), over('A', NOW - 3), over('C', NOW - 1));
    for (const id of ['A', 'B'])
      applyRecord(contents, {
        k: 'event',
        event: { id, t: NOW, type: 'Recovery', session: 's', agent: 'pi', incident: id, data: {} },
      });
    const { rows, dropped } = await apply(contents, { incidents: 2 });
    expect(dropped).toBe(1);
    expect([...contents.incidents.keys()].sort()).toEqual(['B', 'C']);
    expect([...contents.events.keys()]).toEqual(['B']);
    expect([...rows.events.keys()]).toEqual(['B']);
  });

  it('as many as the limit stay', async () => {
    const contents = contentsOf(over('A', NOW - 3), over('B', NOW - 2));
    expect((await apply(contents, { incidents: 2 })).dropped).toBe(0);
    expect(contents.incidents.size).toBe(2);
  });

  it('other tables lose their oldest', async () => {
    const contents = createContents();
    for (const [id, at] of [
      ['B', NOW - 2],
      ['A', NOW - 3],
      ['C', NOW - 1],
    ] as const)
      contents.events.set(id, { id, t: at, type: 'Recovery', session: 's', agent: 'pi', data: {} });
    await apply(contents, { events: 2 });
    expect([...contents.events.keys()].sort()).toEqual(['B', 'C']);
    await apply(contents, { events: 2 });
    expect(contents.events.size).toBe(2);
  });
});

describe('by size', () => {
  it('nothing is trimmed at the limit, and the oldest one character above it', async () => {
    const build = () => contentsOf(over('B', NOW - MINUTE), over('A', NOW - 2 * MINUTE));
    const exact = size(build());
    expect(await apply(build(), { characters: exact })).toMatchObject({ trimmed: 0, dropped: 0 });
    const contents = build();
    const { trimmed, dropped, rows } = await apply(contents, { characters: exact - 1 });
    expect({ trimmed, dropped }).toEqual({ trimmed: 1, dropped: 0 });
    const steps = (id: string) => contents.incidents.get(id)?.incident.evidence.map(({ step }) => step);
    expect(steps('A')).toEqual([10, 12, 13]);
    expect(steps('B')).toEqual([10, 11, 12, 13]);
    expect(JSON.parse(rows.incidents.get('A') ?? '')).toEqual(contents.incidents.get('A'));
  });

  it.each(['firstSample', 'lastSample', 'pattern'] as const)(
    'an incident with little evidence loses its %s',
    async (field) => {
      const sample = { source: { file: 'f', line: 1, offset: 0 }, at: 1, text: 'x'.repeat(100), ignored: [] };
      const value = field === 'pattern' ? [{ letter: 'A', subject: 'x'.repeat(100), steps: [1] }] : sample;
      const one = over('A', NOW - 1);
      const contents = contentsOf({ ...one, evidence: one.evidence.slice(0, 3), [field]: value });
      const { trimmed, dropped } = await apply(contents, { characters: size(contents) - 1 });
      expect({ trimmed, dropped }).toEqual({ trimmed: 1, dropped: 0 });
      expect(contents.incidents.get('A')?.incident).not.toHaveProperty(field);
      expect(contents.incidents.get('A')?.incident.evidence).toHaveLength(3);
    },
  );

  it('what cannot be trimmed is dropped, oldest first, until the rest fits', async () => {
    const slim = (id: string, at: number) => ({ ...over(id, at), evidence: [] });
    const build = () => contentsOf(slim('C', NOW - 1), slim('A', NOW - 3), slim('B', NOW - 2));
    const each = size(build()) / 3;
    const contents = build();
    const { rows, trimmed, dropped } = await apply(contents, { characters: 2 * each });
    expect({ trimmed, dropped }).toEqual({ trimmed: 0, dropped: 1 });
    expect([...contents.incidents.keys()].sort()).toEqual(['B', 'C']);
    expect([...rows.incidents.keys()].sort()).toEqual(['B', 'C']);
    const fewer = build();
    expect((await apply(fewer, { characters: 2 * each - 1 })).dropped).toBe(2);
    expect([...fewer.incidents.keys()]).toEqual(['C']);
  });
});
