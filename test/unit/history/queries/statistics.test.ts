import { describe, expect, it } from 'vitest';
import type { Incident } from '../../../../src/core/model';
import type { SessionSeen } from '../../../../src/history';
import { catalogueOf } from '../support/catalogue';
import { DAY, MINUTE, T0, attempt, incident, recovered } from '../support/make';

const RANGE = { since: T0 - DAY, until: T0 + DAY };
const NOW = T0 + 30 * MINUTE;
const seen = (session: string, changes: Partial<SessionSeen> = {}): SessionSeen => ({
  agent: 'claude-code',
  session,
  firstAt: T0,
  lastAt: T0 + 20 * MINUTE,
  model: 'sonnet',
  ...changes,
});
const of = async (incidents: readonly Incident[], sessions: readonly SessionSeen[] = [], range = RANGE) =>
  (await catalogueOf({ incidents, sessions })).statistics(range, NOW);

describe('statistics', () => {
  it('counts stuck sessions against all that were watched', async () => {
    const sessions = [
      seen('a'),
      seen('b'),
      seen('c', { agent: 'codex', model: 'gpt' }),
      seen('d', { agent: 'codex', model: 'gpt' }),
    ];
    const result = await of(
      [
        recovered({ session: 'a' }),
        incident({ session: 'a' }),
        incident({ session: 'c', agent: 'codex', model: 'gpt', detector: 'cycle' }),
      ],
      sessions,
    );
    expect(result.sessions).toEqual({ n: 2, of: 4 });
    expect(result.incidents).toBe(3);
    expect(result.byAgent).toMatchObject([
      { key: 'claude-code', sessions: { n: 1, of: 2 }, incidents: 2 },
      { key: 'codex', sessions: { n: 1, of: 2 }, incidents: 1 },
    ]);
    expect(result.byModel.map(({ key }) => key)).toEqual(['gpt', 'sonnet']);
    expect(result.byDetector).toMatchObject([
      { key: 'cycle', sessions: { n: 1, of: 4 }, incidents: 1 },
      { key: 'repeating_action', sessions: { n: 1, of: 4 }, incidents: 2 },
    ]);
  });

  it('does not count warnings, what a person muted, and what lies outside the range', async () => {
    const result = await of(
      [
        incident({ session: 'a', level: 'warn', stuckAt: null }),
        incident({ session: 'b', state: 'muted' }),
        incident({ session: 'c', stuckAt: T0 - 2 * DAY }),
        incident({ session: 'd', stuckAt: T0 + DAY }),
      ],
      [
        seen('a'),
        seen('b'),
        seen('z', { firstAt: T0 - 9 * DAY, lastAt: T0 - 8 * DAY }),
        seen('y', { firstAt: T0 + DAY, lastAt: T0 + DAY }),
      ],
    );
    expect(result).toMatchObject({ sessions: { n: 0, of: 2 }, incidents: 0, timeLostMs: 0, medianRecoveryMs: null });
  });

  it('counts a session that was stuck though it was not reported as seen', async () => {
    expect((await of([incident({ session: 'unseen' })])).sessions).toEqual({ n: 1, of: 1 });
  });

  it('counts lost time once if two incidents of a session overlap, and up to now if one is open', async () => {
    const first = recovered({ session: 'a', firstAt: T0, resolvedAt: T0 + 10 * MINUTE, tokensSinceFirst: 1_000 });
    const within = recovered({
      session: 'a',
      detector: 'cycle',
      firstAt: T0 + 5 * MINUTE,
      resolvedAt: T0 + 12 * MINUTE,
      tokensSinceFirst: 4_000,
    });
    const after = incident({
      session: 'a',
      firstAt: T0 + 20 * MINUTE,
      stuckAt: T0 + 25 * MINUTE,
      tokensSinceFirst: 500,
    });
    const result = await of([after, within, first], [seen('a')]);
    expect(result.timeLostMs).toBe(12 * MINUTE + 10 * MINUTE);
    expect(result.tokensLost).toBe(4_500);
    expect(result.byDetector.map(({ key, timeLostMs }) => [key, timeLostMs / MINUTE])).toEqual([
      ['cycle', 7],
      ['repeating_action', 20],
    ]);
  });

  it('counts the sessions of two agents with the same id separately', async () => {
    const result = await of([incident({ session: 'x' }), incident({ session: 'x', agent: 'codex' })]);
    expect(result.sessions).toEqual({ n: 2, of: 2 });
    expect(result.timeLostMs).toBe(2 * 30 * MINUTE);
  });

  it('shows how many recovered, and the time within which half of them did', async () => {
    const at = (minutes: number) =>
      recovered({ session: `s${minutes}`, firstAt: T0, resolvedAt: T0 + minutes * MINUTE });
    const result = await of([
      at(2),
      at(4),
      at(10),
      recovered({ session: 'e', state: 'ended' }),
      incident({ session: 'o' }),
    ]);
    expect(result.recovered).toEqual({ n: 3, of: 4 });
    expect(result.medianRecoveryMs).toBe(4 * MINUTE);
    expect((await of([at(2), at(4)])).medianRecoveryMs).toBe(3 * MINUTE);
  });

  it('shows what recovered, what did not, and what is unknown', async () => {
    const two = [attempt({ takenAt: T0 }), attempt({ kind: 'restart', message: 'm2', takenAt: T0 + 1 })];
    const result = await of([
      recovered({ session: 'a' }),
      recovered({ session: 'b', attempts: two, outcome: 'restart' }),
      recovered({ session: 'c', attempts: two, state: 'ended' }),
      recovered({ session: 'd', attempts: [], outcome: 'by_itself' }),
      recovered({ session: 'e', attempts: [], outcome: 'user', state: 'unknown' }),
      incident({ session: 'f', attempts: [attempt()] }),
    ]);
    expect(result.whatRecovered).toEqual([
      { kind: 'nudge', recovered: 1, not: 2, unknown: 0 },
      { kind: 'restart', recovered: 1, not: 1, unknown: 0 },
      { kind: 'by_itself', recovered: 1, not: 0, unknown: 0 },
      { kind: 'user', recovered: 0, not: 0, unknown: 1 },
    ]);
  });

  it('has a row for every day from the first session on, without gaps', async () => {
    const sessions = [seen('a', { firstAt: T0 - 3 * DAY, lastAt: T0 - 2 * DAY }), seen('b')];
    const result = await of([incident({ session: 'b' })], sessions, { since: 0, until: NOW });
    expect(result.perDay).toEqual([
      { day: '2026-11-17', sessions: { n: 0, of: 1 } },
      { day: '2026-11-18', sessions: { n: 0, of: 1 } },
      { day: '2026-11-19', sessions: { n: 0, of: 0 } },
      { day: '2026-11-20', sessions: { n: 1, of: 1 } },
    ]);
    expect((await of([])).perDay).toEqual([]);
    const long = await of([], [seen('a', { firstAt: 0, lastAt: T0 })], { since: 0, until: NOW });
    expect(long.perDay.length).toBe(366);
    expect(long.perDay.at(-1)).toEqual({ day: '2026-11-20', sessions: { n: 0, of: 1 } });
  });
});
