import { describe, expect, it } from 'vitest';
import { createBreather } from '../../../../src/history/breathe';
import { applyRecord, createContents } from '../../../../src/history/contents/contents';
import { toStored } from '../../../../src/history/contents/merge';
import { RETENTION, retain } from '../../../../src/history/snapshot/retention';
import { DAY, MINUTE, T0, incident, recovered } from '../support/make';
import { fat } from '../support/fat';

function contentsOf(incidents: readonly ReturnType<typeof incident>[]) {
  const contents = createContents();
  for (const one of incidents) applyRecord(contents, { k: 'incident', ...toStored(one, undefined) });
  return contents;
}

describe('retention', () => {
  it('trims the evidence of the oldest before it drops any', async () => {
    const incidents = Array.from({ length: 10 }, (_, i) => fat(T0 + i * MINUTE));
    const contents = contentsOf(incidents);
    const result = await retain(contents, { ...RETENTION, characters: 100_000 }, T0 + DAY, createBreather());
    expect(result.dropped).toBe(0);
    expect(result.trimmed).toBeGreaterThan(3);
    expect(result.trimmed).toBeLessThan(10);
    const oldest = contents.incidents.get(incidents[0]?.id ?? '')?.incident;
    expect(oldest?.firstSample).toBeUndefined();
    expect(oldest?.evidence.map(({ step }) => step)).toEqual([0, 9, 10]);
    expect(contents.incidents.get(incidents[9]?.id ?? '')?.incident).toEqual(incidents[9]);
  });

  it('then drops the oldest with their events, and keeps what was learned', async () => {
    const incidents = Array.from({ length: 10 }, (_, i) => fat(T0 + i * MINUTE));
    const contents = contentsOf(incidents);
    for (const [i, one] of incidents.entries()) {
      applyRecord(contents, {
        k: 'event',
        event: { id: `E${i}`, t: T0, type: 'Recovery', session: 's', agent: 'codex', incident: one.id, data: {} },
      });
    }
    const { dropped, rows } = await retain(contents, { ...RETENTION, characters: 10_000 }, T0 + DAY, createBreather());
    expect(dropped).toBeGreaterThan(2);
    expect(contents.incidents.size).toBe(10 - dropped);
    expect(contents.incidents.has(incidents[9]?.id ?? '')).toBe(true);
    expect(contents.events.size).toBe(10 - dropped);
    expect(rows.incidents.size).toBe(contents.incidents.size);
    expect(contents.streaks.size).toBe(contents.incidents.size);
    let total = 0;
    for (const table of Object.values(rows) as Map<string, string>[])
      for (const json of table.values()) total += json.length;
    expect(total).toBeLessThanOrEqual(10_000);
  });

  it('drops what is older than the days that the user set, except what is still open and was seen this week', async () => {
    const now = T0 + 100 * DAY;
    const old = recovered({ updatedAt: T0 });
    const openLong = incident({ openedAt: T0, updatedAt: now - 2 * DAY });
    const forgotten = incident({ openedAt: T0, updatedAt: T0 });
    const young = recovered({ updatedAt: now - DAY });
    const contents = contentsOf([old, openLong, forgotten, young]);
    await retain(contents, { ...RETENTION, days: 90 }, now, createBreather());
    expect([...contents.incidents.keys()].sort()).toEqual([openLong.id, young.id].sort());
  });

  it('keeps the newest of each table', async () => {
    const contents = createContents();
    for (let i = 0; i < 20; i++) {
      applyRecord(contents, {
        k: 'event',
        event: { id: `E${i}`, t: T0 + i, type: 'Recovery', session: 's', agent: 'codex', data: {} },
      });
      applyRecord(contents, {
        k: 'session',
        session: { agent: 'codex', session: `s${i}`, firstAt: T0, lastAt: T0 + i },
      });
      applyRecord(contents, { k: 'incident', ...toStored(recovered({ updatedAt: T0 + i }), undefined) });
    }
    await retain(contents, { ...RETENTION, events: 5, sessions: 6, incidents: 7 }, T0 + DAY, createBreather());
    expect([...contents.events.keys()]).toEqual(['E15', 'E16', 'E17', 'E18', 'E19']);
    expect(contents.sessions.size).toBe(6);
    expect(contents.incidents.size).toBe(7);
  });
});
