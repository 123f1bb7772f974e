import { describe, expect, it } from 'vitest';
import {
  type StatisticsFacts,
  ratePerThousand,
  shareWords,
  statisticsFigures,
  statisticsTables,
} from '../../../../../src/core/words';

const row = (key: string, incidents: number, steps: number) => ({
  key,
  sessions: { n: incidents, of: 40 },
  steps,
  incidents,
  timeLostMs: incidents * 60_000,
  tokensLost: incidents * 1_000,
  recovered: { n: 1, of: incidents },
});

const FACTS: StatisticsFacts = {
  sessions: { n: 3, of: 40 },
  steps: 2_000,
  incidents: 3,
  timeLostMs: 180_000,
  tokensLost: 41_000,
  recovered: { n: 2, of: 3 },
  medianRecoveryMs: 240_000,
  byWeek: [{ week: '2026-11-16', sessions: { n: 3, of: 40 }, incidents: 3, steps: 2_000 }],
  byAgent: [row('Codex', 2, 500), row('Claude Code', 1, 1_500)],
  byModel: [],
  byDetector: [row('cycle', 1, 2_000), row('repeating_action', 2, 2_000)],
  whatRecovered: [{ kind: 'nudge', recovered: 2, not: 1, unknown: 1 }],
  byRung: [{ rung: 'feedback', recovered: 2, not: 0, unknown: 0 }],
  wrong: [{ detector: 'cycle', alarms: { n: 1, of: 4 } }],
};

const tableOf = (id: string) => statisticsTables(FACTS).find((one) => one.id === id);

describe('the statistics', () => {
  it('begin with three figures', () => {
    expect(statisticsFigures(FACTS)).toEqual([
      { label: 'Stuck', value: '3 times', note: '3 of 40 sessions, 1.5 per 1,000 steps' },
      { label: 'Time lost', value: '3 min', note: '41k tokens' },
      { label: 'Recovered', value: '2 of 3', note: 'half of them within 4 min' },
    ]);
  });

  it('say how long one that recovered took', () => {
    const one = { ...FACTS, recovered: { n: 1, of: 3 } };
    expect(statisticsFigures(one)[2]?.note).toBe('after 4 min');
    expect(statisticsFigures({ ...one, rereads: { n: 6, of: 20 } })[3]).toEqual({
      label: 'Read again after compaction',
      value: '30 % (6 of 20)',
      note: 'steps after a compaction',
    });
  });

  it('have for each bar its number, and the longest bar is full', () => {
    expect(tableOf('agents')?.rows).toEqual([
      { cells: ['Codex', '4.0', '2', '500', '5 % (2 of 40)'], bar: [1] },
      { cells: ['Claude Code', '0.67', '1', '1,500', '3 % (1 of 40)'], bar: [1 / 1_500 / (2 / 500)] },
    ]);
    expect(tableOf('actions')?.rows).toEqual([{ cells: ['Nudge', '2', '1', '1'], bar: [0.5, 0.25, 0.25] }]);
    expect(tableOf('actions')?.drawn).toEqual(['freed', 'did not', 'unknown']);
    expect(tableOf('losses')?.rows.map(({ cells }) => cells[0])).toEqual(['Same call again', 'Going round in a cycle']);
    expect(tableOf('rungs')?.rows[0]?.cells[0]).toBe('Nudge');
    expect(tableOf('wrong')?.rows).toEqual([{ cells: ['Going round in a cycle', '1', '4'], bar: [0.25] }]);
  });

  it('show no share of fewer than 20, and no rate without steps', () => {
    expect([shareWords({ n: 3, of: 19 }), shareWords({ n: 5, of: 20 })]).toEqual(['3 of 19', '25 % (5 of 20)']);
    expect([ratePerThousand(0, 10), ratePerThousand(1, 0), ratePerThousand(1, 100)]).toEqual(['0', '', '10.0']);
  });
});
