import { expect, it } from 'vitest';
import {
  type StatisticsFacts,
  ratePerThousand,
  statisticsFigures,
  statisticsTables,
} from '../../../../../src/core/words/history/statistics';

const row = (key: string, incidents: number, steps: number, timeLostMs = 0) => ({
  key,
  sessions: { n: incidents, of: 40 },
  steps,
  incidents,
  timeLostMs,
  tokensLost: 1_500,
  recovered: { n: 1, of: 2 },
});
const tried = (recovered: number, not: number, unknown: number) => ({ recovered, not, unknown });

const FACTS: StatisticsFacts = {
  sessions: { n: 4, of: 40 },
  steps: 2_000,
  incidents: 5,
  timeLostMs: 600_000,
  tokensLost: 12_000,
  recovered: { n: 3, of: 5 },
  medianRecoveryMs: 120_000,
  byWeek: [{ week: '2026-11-16', sessions: { n: 4, of: 40 }, incidents: 5, steps: 2_000 }],
  byAgent: [row('codex', 4, 1_000), row('pi', 1, 1_000), row('aider', 0, 0)],
  byModel: [row('sonnet', 5, 2_000)],
  byDetector: [row('cycle', 1, 2_000, 60_000), row('stall', 4, 2_000, 240_000), row('later', 0, 0)],
  whatRecovered: [
    { kind: 'nudge', ...tried(3, 1, 0) },
    { kind: 'later', ...tried(0, 0, 2) },
  ],
  byRung: [
    { rung: 'feedback', ...tried(3, 1, 0) },
    { rung: 'later', ...tried(1, 0, 0) },
  ],
  wrong: [
    { detector: 'cycle', alarms: { n: 1, of: 4 } },
    { detector: 'later', alarms: { n: 0, of: 0 } },
  ],
};

it('shows the figures of a range as tables, each with the meaning of its bars', () => {
  const tables = statisticsTables(FACTS).map(({ id, title, columns, rows, drawn }) =>
    [
      [`${id}: ${title}`, ...columns].join(' | ').trimEnd(),
      ...rows.map(({ cells, bar }) => `${cells.join(' | ')} ${JSON.stringify(bar)}`),
      ...drawn,
    ].join('\n'),
  );
  expect(tables.join('\n\n')).toBe(`figures: Overall |  |  |
Stuck | 5 times | 4 of 40 sessions, 2.5 per 1,000 steps []
Time lost | 10 min | 12k tokens []
Recovered | 3 of 5 | half of them within 2 min []

weeks: By week | Week of | Per 1,000 steps | Times | Steps | Stuck sessions
2026-11-16 | 2.5 | 5 | 2,000 | 10 % (4 of 40) [1]
stuck per 1,000 steps

agents: By agent | Agent | Per 1,000 steps | Times | Steps | Stuck sessions
codex | 4.0 | 4 | 1,000 | 10 % (4 of 40) [1]
pi | 1.0 | 1 | 1,000 | 3 % (1 of 40) [0.25]
aider |  | 0 | 0 | 0 % (0 of 40) [0]
stuck per 1,000 steps

models: By model | Model | Per 1,000 steps | Times | Steps | Stuck sessions
sonnet | 2.5 | 5 | 2,000 | 13 % (5 of 40) [1]
stuck per 1,000 steps

rules: By rule | Rule | Per 1,000 steps | Times | Steps | Stuck sessions
Going round in a cycle | 0.50 | 1 | 2,000 | 3 % (1 of 40) [0.25]
No output | 2.0 | 4 | 2,000 | 10 % (4 of 40) [1]
later |  | 0 | 0 | 0 % (0 of 40) [0]
stuck per 1,000 steps

losses: Time and tokens lost | Rule | Time | Tokens
No output | 4 min | 1.5k [1]
Going round in a cycle | 1 min | 1.5k [0.25]
later | 0 s | 1.5k [0]
time lost

actions: What freed them | Sent | Freed | Did not | Unknown
Nudge | 3 | 1 | 0 [0.75,0.25,0]
later | 0 | 0 | 2 [0,0,0.5]
freed
did not
unknown

rungs: By step of recovery | Step | Freed | Did not | Unknown
Nudge | 3 | 1 | 0 [0.75,0.25,0]
later | 1 | 0 | 0 [0.25,0,0]
freed
did not
unknown

wrong: Alerts you marked as wrong | Rule | Not stuck | Of
Going round in a cycle | 1 | 4 [0.25]
later | 0 | 0 [0]
share of all alerts of the rule`);
});

it('has a name for everything that was tried', () => {
  const kinds = ['restart', 'escalate', 'reassign', 'stop', 'checkpoint', 'block', 'gate', 'by_itself', 'user'];
  const rungs = ['as_is', 'fresh', 'next_model', 'top_model', 'ask'];
  const tables = statisticsTables({
    ...FACTS,
    whatRecovered: kinds.map((kind) => ({ kind, ...tried(0, 0, 0) })),
    byRung: rungs.map((rung) => ({ rung, ...tried(0, 0, 0) })),
    byDetector: [],
    byAgent: [],
  });
  const names = (id: string) => tables.find((table) => table.id === id)?.rows.map(({ cells }) => cells[0]);
  expect(names('actions')).toEqual([
    'Restart',
    'Escalation',
    'Reassigned',
    'Stop',
    'Checkpoint',
    'Blocked call',
    'Gate feedback',
    'Nothing was sent',
    'You took over',
  ]);
  expect(names('rungs')).toEqual(['As it is', 'Fresh context', 'Next model', 'Top model', 'Ask you']);
  expect(tables.find(({ id }) => id === 'actions')?.rows[0]?.bar).toEqual([0, 0, 0]);
  expect(tables.find(({ id }) => id === 'losses')?.rows).toEqual([]);
});

it('shows counts where no steps were counted, and what is not known yet', () => {
  const figures = statisticsFigures({ ...FACTS, steps: 0, medianRecoveryMs: null });
  expect(figures.map(({ value, note }) => `${value} | ${note}`)).toEqual([
    '5 times | 4 of 40 sessions',
    '10 min | 12k tokens',
    '3 of 5 | none yet',
  ]);
  expect(statisticsFigures({ ...FACTS, recovered: { n: 1, of: 5 } })[2]?.note).toBe('after 2 min');
  expect([ratePerThousand(1, 1_000), ratePerThousand(0, 5), ratePerThousand(9, 10_000), ratePerThousand(1, 0)]).toEqual(
    ['1.0', '0', '0.90', ''],
  );
});
