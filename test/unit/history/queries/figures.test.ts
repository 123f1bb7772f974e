import { describe, expect, it } from 'vitest';
import type { Incident } from '../../../../src/core/model';
import type { SessionSeen } from '../../../../src/history';
import { DAY, MINUTE, T0, attempt, folder, incident, open, recovered } from '../support/make';

const RANGE = { since: T0 - DAY, until: T0 + DAY };

/** Computes the store's figures at 17:20 from these incidents and sessions. */
async function figures(incidents: readonly Incident[], sessions: readonly SessionSeen[] = [], range = RANGE) {
  const { store } = await open(folder());
  for (const one of sessions) store.sawSession(one);
  await Promise.all(incidents.map((one) => store.save(one)));
  return store.statistics(range);
}

const seen = (
  session: string,
  firstAt: number,
  lastAt: number,
  agent: SessionSeen['agent'] = 'codex',
): SessionSeen => ({
  agent,
  session,
  firstAt,
  lastAt,
});
const days = (perDay: readonly { day: string; sessions: { n: number; of: number } }[]) =>
  perDay.map(({ day, sessions: { n, of } }) => `${day} ${n}/${of}`);

describe('the figures of a range of days', () => {
  it('count a session or an incident at the first millisecond of the range, and none at the first after it', async () => {
    const { since, until } = RANGE;
    const sessions = [
      seen('before', since - 9, since - 1),
      seen('first', since - 9, since),
      seen('last', until - 1, until + 9),
      seen('after', until, until + 9),
    ];
    expect((await figures([], sessions)).sessions).toEqual({ n: 0, of: 2 });
    const at = (stuckAt: number) => incident({ session: `s${stuckAt}`, stuckAt });
    expect((await figures([since - 1, since, until - 1, until].map(at))).incidents).toBe(2);
  });

  it('add up what was read again after compactions, and omit it if there was none', async () => {
    const rereads = (n: number, of: number) => ({ rereads: { n, of } });
    const sessions = [
      { ...seen('a', T0, T0), ...rereads(5, 12) },
      { ...seen('b', T0, T0), ...rereads(1, 8) },
      { ...seen('late', T0 + 2 * DAY, T0 + 2 * DAY), ...rereads(9, 9) },
      seen('c', T0, T0),
    ];
    expect((await figures([], sessions)).rereads).toEqual({ n: 6, of: 20 });
    expect(await figures([], [seen('c', T0, T0)])).not.toHaveProperty('rereads');
  });

  it('leave out what a person called not stuck, and what warned again after it was stuck', async () => {
    const said = recovered({ session: 'a', outcome: 'not_stuck' });
    const warned = incident({ session: 'b', level: 'warn', stuckAt: T0 });
    expect((await figures([said, warned])).incidents).toBe(0);
  });

  it('take the median of times that did not arrive in order', async () => {
    const after = (minutes: number, n: number) =>
      recovered({ session: `s${n}`, openedAt: T0 + n, firstAt: T0, resolvedAt: T0 + minutes * MINUTE });
    const median = async (minutes: readonly number[]) => (await figures(minutes.map(after))).medianRecoveryMs;
    expect(await median([10, 2, 100, 4, 30])).toBe(10 * MINUTE);
    expect(await median([10, 2, 100, 4])).toBe(7 * MINUTE);
  });

  it('add up the tokens of two incidents if the second begins where the first ends', async () => {
    const first = recovered({ firstAt: T0, resolvedAt: T0 + MINUTE, tokensSinceFirst: 10 });
    const second = recovered({
      detector: 'cycle',
      firstAt: T0 + MINUTE,
      resolvedAt: T0 + 2 * MINUTE,
      tokensSinceFirst: 7,
    });
    const result = await figures([first, second]);
    expect(result).toMatchObject({ tokensLost: 17, timeLostMs: 2 * MINUTE });
    expect(result.byAgent).toMatchObject([{ tokensLost: 17, timeLostMs: 2 * MINUTE }]);
  });

  it('count for each agent and rule what recovered of the incidents that are over', async () => {
    const result = await figures([
      recovered({ session: 'a' }),
      recovered({ session: 'a', state: 'ended' }),
      recovered({ session: 'b', state: 'unknown' }),
      incident({ session: 'c' }),
    ]);
    expect(result.byAgent).toMatchObject([{ key: 'claude-code', recovered: { n: 1, of: 3 } }]);
    expect(result.byDetector).toMatchObject([
      { key: 'repeating_action', sessions: { n: 3, of: 3 }, recovered: { n: 1, of: 3 } },
    ]);
  });

  it('have no row for an unknown model', async () => {
    const { model: _, ...unknown } = incident({ session: 'a' });
    const nameless = incident({ session: 'b', model: '' });
    expect((await figures([unknown, nameless, incident({ session: 'c' })])).byModel.map(({ key }) => key)).toEqual([
      'sonnet',
    ]);
  });

  it('list what is stuck in more sessions first, then what ran in more, then by name', async () => {
    const sessions = (['pi', 'codex', 'aider', 'goose'] as const).map((agent) => seen('x', T0, T0, agent));
    sessions.push(seen('y', T0, T0, 'goose'));
    const result = await figures([incident({ agent: 'pi', agentName: 'Pi', session: 'x' })], sessions);
    expect(result.byAgent.map(({ key }) => key)).toEqual(['pi', 'goose', 'aider', 'codex']);
  });

  it.each(['withdrawn', 'expired', 'failed'] as const)(
    'give a message that was %s neither credit nor blame',
    async (state) => {
      const attempts = [attempt({ state }), attempt({ kind: 'restart', message: 'm2', state: 'taken', takenAt: T0 })];
      expect((await figures([recovered({ outcome: 'restart', attempts })])).whatRecovered).toEqual([
        { kind: 'restart', recovered: 1, not: 0, unknown: 0 },
      ]);
      const alone = recovered({ outcome: 'by_itself', attempts: [attempt({ state })] });
      expect((await figures([alone])).whatRecovered).toEqual([{ kind: 'by_itself', recovered: 1, not: 0, unknown: 0 }]);
    },
  );

  it('list what freed more first, then what failed more, then by name', async () => {
    const of = (n: number, kind: 'nudge' | 'restart' | 'block', state: 'recovered' | 'ended') =>
      recovered({ session: `${kind}${n}`, state, outcome: null, attempts: [attempt({ kind, takenAt: T0 })] });
    const result = await figures([
      of(1, 'block', 'ended'),
      of(1, 'nudge', 'recovered'),
      of(2, 'nudge', 'recovered'),
      of(1, 'restart', 'recovered'),
      of(2, 'restart', 'ended'),
      recovered({ session: 'u', outcome: 'user', attempts: [] }),
      recovered({ session: 'i', outcome: 'by_itself', attempts: [] }),
    ]);
    expect(result.whatRecovered.map(({ kind }) => kind)).toEqual(['nudge', 'restart', 'by_itself', 'user', 'block']);
  });

  it('count a session on every day on which it ran, from midnight to midnight', async () => {
    const midnight = Date.UTC(2026, 10, 20);
    const sessions = [
      seen('a', midnight - 1, midnight - 1),
      seen('b', midnight, midnight),
      seen('c', midnight - 5, T0),
    ];
    const stuck = recovered({ agent: 'codex', session: 'c', firstAt: midnight - 5, stuckAt: midnight - 1 });
    const { perDay } = await figures([stuck], sessions);
    expect(days(perDay)).toEqual(['2026-11-19 1/2', '2026-11-20 0/2']);
  });

  it('have no day after the range or after today, and name days with two figures', async () => {
    const march = Date.UTC(2026, 2, 1);
    const within = [seen('a', march, march + 10 * DAY)];
    expect(days((await figures([], within, { since: 0, until: march + 2 * DAY })).perDay)).toEqual([
      '2026-03-01 0/1',
      '2026-03-02 0/1',
    ]);
    const { perDay } = await figures([], [seen('a', T0, T0 + 9 * DAY)], { since: 0, until: T0 + 99 * DAY });
    expect(days(perDay)).toEqual(['2026-11-20 0/1']);
  });

  it('count an incident on its day though its session was last seen earlier', async () => {
    const late = incident({ agent: 'codex', session: 'a', stuckAt: T0 });
    const { perDay } = await figures([late], [seen('a', T0 - DAY, T0 - DAY)]);
    expect(days(perDay)).toEqual(['2026-11-19 0/1', '2026-11-20 1/1']);
  });
});
