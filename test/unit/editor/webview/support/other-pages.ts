import type { RuleRow, RulesMessage, StatisticsMessage } from '../../../../../src/editor/panel-model';

/** The figures of a month, with all tables filled. */
export function statisticsMessage(sessions = 40): StatisticsMessage {
  const share = (n: number, of: number) => ({ n, of });
  const row = (key: string, incidents: number, of: number) => ({
    key,
    sessions: share(incidents, of),
    incidents,
    steps: of * 100,
    recovered: share(incidents - 1, incidents),
    timeLostMs: incidents * 60_000,
    tokensLost: incidents * 1_000,
  });
  return {
    days: 30,
    problem: '',
    figures: {
      sessions: share(6, sessions),
      steps: 4_200,
      incidents: 8,
      timeLostMs: 3_600_000,
      tokensLost: 120_000,
      recovered: share(5, 8),
      medianRecoveryMs: 180_000,
      rereads: share(3, 40),
      byWeek: [
        { week: '2026-11-09', sessions: share(2, 18), incidents: 3, steps: 2_000 },
        { week: '2026-11-16', sessions: share(4, 22), incidents: 5, steps: 2_200 },
      ],
      byAgent: [row('Claude Code', 5, 30), row('Codex', 1, 10)],
      byModel: [row('sonnet', 6, 40)],
      byDetector: [row('repeating_action', 6, 40)],
      whatRecovered: [
        { kind: 'nudge', recovered: 3, not: 1, unknown: 1 },
        { kind: 'restart', recovered: 2, not: 0, unknown: 0 },
      ],
      byRung: [{ rung: 'nudge', recovered: 3, not: 1, unknown: 1 }],
      wrong: [{ detector: 'repeating_action', alarms: share(1, 9) }],
    },
  };
}

export function ruleRow(changes: Partial<RuleRow> = {}): RuleRow {
  return {
    detector: 'repeating_action',
    name: 'Same call again',
    on: true,
    limits: 'warns at 3, stuck at 4',
    counts: 'equal calls',
    incident: '',
    isOpen: false,
    reached: '',
    nearest: '',
    heldBackBy: '',
    said: '',
    past: '',
    isOwn: false,
    canBeLess: true,
    canBeMore: true,
    ...changes,
  };
}

/** Rules in each of their situations. */
export function rulesMessage(changes: Partial<RulesMessage> = {}): RulesMessage {
  return {
    session: 's',
    agentName: 'Codex',
    title: 'Fix the import error',
    rows: [
      ruleRow({ incident: 'pytest -q: same result ×6', isOpen: true, isOwn: true, past: 'Last 7 days: eager 6' }),
      ruleRow({ detector: 'consecutive_failures', name: 'Failures in a row', reached: '3 of 5', nearest: 'npm test' }),
      ruleRow({
        detector: 'silence' as never,
        name: 'No output',
        reached: '2 of 10 min',
        heldBackBy: 'Builds have 10 min',
      }),
      ruleRow({ detector: 'cycle', name: 'Round', on: false, said: '1 of 3 was wrong', incident: 'a, b ×4' }),
      ruleRow({ detector: 'text_loop', name: 'Text again', canBeLess: false, canBeMore: false }),
    ],
    past: 'Read 12 of 40 transcripts of the last 7 days.',
    hasMorePast: true,
    notice: 'This folder sets some of its rules itself.',
    ...changes,
  };
}
