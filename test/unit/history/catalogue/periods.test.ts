import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SessionSeen, Statistics } from '../../../../src/history';
import { catalogueOf } from '../support/catalogue';
import { DAY, T0, incident } from '../support/make';

const HOUR = DAY / 24;
/** Midnight of a Wednesday. */
const MIDNIGHT = Date.UTC(2026, 10, 18);

interface Told {
  /** Hours from midnight of that Wednesday. */
  readonly first: number;
  readonly last: number;
  readonly steps: number;
  /** Hours after its first at which it was stuck. */
  readonly stuck: readonly number[];
}

const sessionsOf = (told: readonly Told[]) =>
  told.map(
    ({ first, last, steps }, n): SessionSeen => ({
      agent: 'codex',
      session: `s${n}`,
      firstAt: MIDNIGHT + first * HOUR,
      lastAt: MIDNIGHT + last * HOUR,
      steps,
    }),
  );

const incidentsOf = (told: readonly Told[]) =>
  told.flatMap(({ first, stuck }, n) =>
    stuck.map((hour, k) =>
      incident({
        agent: 'codex',
        session: `s${n}`,
        key: `k${n}/${k}`,
        firstAt: MIDNIGHT + first * HOUR,
        openedAt: MIDNIGHT + hour * HOUR,
        stuckAt: MIDNIGHT + hour * HOUR,
        updatedAt: MIDNIGHT + hour * HOUR,
      }),
    ),
  );

async function askable(told: readonly Told[]) {
  const catalogue = await catalogueOf({ sessions: sessionsOf(told), incidents: incidentsOf(told) });
  return (since: number, now: number) => {
    const { perDay, byWeek } = catalogue.statistics({ since, until: now + DAY }, now);
    return { perDay, byWeek };
  };
}

/** The same, counted session by session and day by day. */
function counted(told: readonly Told[], since: number, now: number): Pick<Statistics, 'perDay' | 'byWeek'> {
  const lives = told
    .map(({ first, last, steps, stuck }) => ({
      first: MIDNIGHT + first * HOUR,
      last: MIDNIGHT + last * HOUR,
      end: MIDNIGHT + Math.max(last, ...stuck.filter((hour) => MIDNIGHT + hour * HOUR >= since)) * HOUR,
      steps,
      stuck: stuck.map((hour) => MIDNIGHT + hour * HOUR).filter((at) => at >= since),
    }))
    .filter(({ last, stuck }) => last >= since || stuck.length > 0);
  if (lives.length === 0) return { perDay: [], byWeek: [] };
  const from = Math.max(since, Math.min(...lives.map(({ first }) => first)));
  const day = (at: number) => at - (at % DAY);
  const monday = (at: number) => day(at) - ((new Date(at).getUTCDay() + 6) % 7) * DAY;
  const name = (at: number) => new Date(at).toISOString().slice(0, 10);
  const alive = (start: number, length: number) =>
    lives.filter(({ first, end }) => first < start + length && end >= start).length;
  const stuckIn = (start: number, length: number) =>
    lives.map(({ stuck }) => stuck.filter((at) => at >= start && at < start + length).length).filter((n) => n > 0);
  const perDay = [];
  for (let at = day(from); at <= now; at += DAY)
    perDay.push({ day: name(at), sessions: { n: stuckIn(at, DAY).length, of: alive(at, DAY) } });
  const byWeek = [];
  for (let at = monday(from); at <= now; at += 7 * DAY) {
    const stuck = stuckIn(at, 7 * DAY);
    byWeek.push({
      week: name(at),
      sessions: { n: stuck.length, of: alive(at, 7 * DAY) },
      incidents: stuck.reduce((a, b) => a + b, 0),
      steps: lives.filter(({ last }) => last >= at && last < at + 7 * DAY).reduce((sum, { steps }) => sum + steps, 0),
    });
  }
  return { perDay, byWeek };
}

describe('the figures by day and by week', () => {
  it('count a session in each day and week in which it ran, its steps in the last one', async () => {
    const through = { first: 20, last: 24 * 6 + 1, steps: 100, stuck: [21, 24 * 5 + 2, 24 * 5 + 3] };
    const short = { first: 24 * 5 + 4, last: 24 * 5 + 5, steps: 7, stuck: [] };
    const { perDay, byWeek } = (await askable([through, short]))(0, MIDNIGHT + 6 * DAY + 2 * HOUR);
    expect(perDay.map(({ day, sessions: { n, of } }) => `${day} ${n}/${of}`)).toEqual([
      '2026-11-18 1/1',
      '2026-11-19 0/1',
      '2026-11-20 0/1',
      '2026-11-21 0/1',
      '2026-11-22 0/1',
      '2026-11-23 1/2',
      '2026-11-24 0/1',
    ]);
    expect(byWeek).toEqual([
      { week: '2026-11-16', sessions: { n: 1, of: 1 }, incidents: 1, steps: 0 },
      { week: '2026-11-23', sessions: { n: 1, of: 2 }, incidents: 2, steps: 107 },
    ]);
  });

  it('are the same as counted session by session', async () => {
    const hour = fc.integer({ min: 0, max: 24 * 20 });
    const session = fc
      .tuple(hour, fc.integer({ min: 0, max: 200 }), fc.integer({ min: 0, max: 50 }), fc.array(hour, { maxLength: 3 }))
      .map(([first, length, steps, stuck]): Told => {
        const end = first + length;
        return { first, last: end, steps, stuck: stuck.map((at) => Math.max(first, Math.min(at, end))) };
      });
    const now = T0 + 30 * DAY;
    for (const told of [
      [],
      fc.sample(session, { numRuns: 3, seed: 1 }),
      fc.sample(session, { numRuns: 25, seed: 2 }),
    ]) {
      const periods = await askable(told);
      for (const since of [0, MIDNIGHT + 5 * HOUR, MIDNIGHT + 5 * DAY, MIDNIGHT + 9 * DAY + HOUR, MIDNIGHT + 29 * DAY])
        expect(periods(since, now)).toEqual(counted(told, since, now));
    }
  });
});
