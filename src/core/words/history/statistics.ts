import { DETECTOR_IDS } from '../../model';
import { age, counted, short, whole } from '../format';
import { HEALTH } from '../states/health';
import { ruleName } from '../incidents/rules';

interface Share {
  readonly n: number;
  readonly of: number;
}

interface Row {
  readonly key: string;
  readonly sessions: Share;
  readonly steps: number;
  readonly incidents: number;
  readonly timeLostMs: number;
  readonly tokensLost: number;
  readonly recovered: Share;
}

interface Tried {
  readonly recovered: number;
  readonly not: number;
  readonly unknown: number;
}

/** The figures of a time range, as counted by the history. */
export interface StatisticsFacts {
  readonly sessions: Share;
  readonly steps: number;
  readonly incidents: number;
  readonly timeLostMs: number;
  readonly tokensLost: number;
  readonly recovered: Share;
  readonly medianRecoveryMs: number | null;
  readonly rereads?: Share;
  readonly byWeek: readonly {
    readonly week: string;
    readonly sessions: Share;
    readonly incidents: number;
    readonly steps: number;
  }[];
  readonly byAgent: readonly Row[];
  readonly byModel: readonly Row[];
  readonly byDetector: readonly Row[];
  readonly whatRecovered: readonly (Tried & { readonly kind: string })[];
  readonly byRung: readonly (Tried & { readonly rung: string })[];
  readonly wrong: readonly { readonly detector: string; readonly alarms: Share }[];
}

/** A table, and the part of it that is drawn next to it. */
export interface StatisticsTable {
  readonly id: string;
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: readonly {
    readonly cells: readonly string[];
    /** Parts of the bar, as shares of the longest bar: freed, not freed, unknown; for other tables one part. */
    readonly bar: readonly number[];
  }[];
  /** Description of each part of the bar. */
  readonly drawn: readonly string[];
}

/** Number of sessions below which a share is not meaningful. */
const ENOUGH_SESSIONS = 20;

const TRIED: Readonly<Record<string, string>> = {
  nudge: 'Nudge',
  restart: 'Restart',
  escalate: 'Escalation',
  reassign: 'Reassigned',
  stop: 'Stop',
  checkpoint: 'Checkpoint',
  block: 'Blocked call',
  gate: 'Gate feedback',
  by_itself: 'Nothing was sent',
  user: 'You took over',
};

const RUNGS: Readonly<Record<string, string>> = {
  as_is: 'As it is',
  feedback: 'Nudge',
  fresh: 'Fresh context',
  next_model: 'Next model',
  top_model: 'Top model',
  ask: 'Ask you',
};

/** Writes a share: `9 %`, with `38 of 412`; for few sessions only the numbers. */
export function shareWords({ n, of }: Share): string {
  return of < ENOUGH_SESSIONS
    ? `${whole(n)} of ${whole(of)}`
    : `${whole(Math.round((100 * n) / of))} % (${whole(n)} of ${whole(of)})`;
}

/** Returns incidents per 1,000 steps; empty where no steps were counted. */
export function ratePerThousand(incidents: number, steps: number): string {
  if (steps === 0) return '';
  const rate = (1000 * incidents) / steps;
  return rate === 0 ? '0' : rate.toFixed(rate < 1 ? 2 : 1);
}

/** Returns the figures at the top: three, and the cost of compactions if there were any. */
export function statisticsFigures(
  facts: StatisticsFacts,
): readonly { readonly label: string; readonly value: string; readonly note: string }[] {
  const { sessions, steps, incidents, timeLostMs, tokensLost, recovered, medianRecoveryMs } = facts;
  const rate = ratePerThousand(incidents, steps);
  return [
    {
      label: 'Stuck',
      value: counted(incidents, 'time'),
      note: [`${whole(sessions.n)} of ${whole(sessions.of)} sessions`, rate === '' ? '' : `${rate} per 1,000 steps`]
        .filter((part) => part !== '')
        .join(', '),
    },
    { label: 'Time lost', value: age(timeLostMs), note: `${short(tokensLost)} tokens` },
    {
      label: 'Recovered',
      value: shareWords(recovered),
      note: recoveredNote(recovered.n, medianRecoveryMs),
    },
    ...(facts.rereads
      ? [{ label: HEALTH.rereads, value: shareWords(facts.rereads), note: 'steps after a compaction' }]
      : []),
  ];
}

function recoveredNote(recovered: number, medianMs: number | null): string {
  if (medianMs === null) return 'none yet';
  return recovered === 1 ? `after ${age(medianMs)}` : `half of them within ${age(medianMs)}`;
}

/** Returns all tables, in the order of the page. The text of each is complete without its bars. */
export function statisticsTables(facts: StatisticsFacts): readonly StatisticsTable[] {
  const head: StatisticsTable = {
    id: 'figures',
    title: 'Overall',
    columns: ['', '', ''],
    rows: statisticsFigures(facts).map(({ label, value, note }) => ({ cells: [label, value, note], bar: [] })),
    drawn: [],
  };
  return [
    head,
    rateTable(
      'weeks',
      'By week',
      'Week of',
      facts.byWeek.map((row) => ({ ...row, key: row.week })),
      (key) => key,
    ),
    rateTable('agents', 'By agent', 'Agent', facts.byAgent, (key) => key),
    rateTable('models', 'By model', 'Model', facts.byModel, (key) => key),
    rateTable('rules', 'By rule', 'Rule', facts.byDetector, nameOfRule),
    lossTable(facts.byDetector),
    triedTable(
      'actions',
      'What freed them',
      'Sent',
      facts.whatRecovered.map((row) => ({ ...row, name: TRIED[row.kind] ?? row.kind })),
    ),
    triedTable(
      'rungs',
      'By step of recovery',
      'Step',
      facts.byRung.map((row) => ({ ...row, name: RUNGS[row.rung] ?? row.rung })),
    ),
    {
      id: 'wrong',
      title: 'Alerts you marked as wrong',
      columns: ['Rule', 'Not stuck', 'Of'],
      rows: facts.wrong.map(({ detector, alarms: { n, of } }) => ({
        cells: [nameOfRule(detector), whole(n), whole(of)],
        bar: [of === 0 ? 0 : n / of],
      })),
      drawn: ['share of all alerts of the rule'],
    },
  ];
}

function nameOfRule(key: string): string {
  const known = DETECTOR_IDS.find((id) => id === key);
  return known ? ruleName(known, null) : key;
}

function rateTable(
  id: string,
  title: string,
  name: string,
  rows: readonly Pick<Row, 'key' | 'sessions' | 'steps' | 'incidents'>[],
  nameOf: (key: string) => string,
): StatisticsTable {
  const rateOf = ({ incidents, steps }: Pick<Row, 'incidents' | 'steps'>) => (steps === 0 ? 0 : incidents / steps);
  const most = Math.max(...rows.map(rateOf), 0);
  return {
    id,
    title,
    columns: [name, 'Per 1,000 steps', 'Times', 'Steps', 'Stuck sessions'],
    rows: rows.map((row) => ({
      cells: [
        nameOf(row.key),
        ratePerThousand(row.incidents, row.steps),
        whole(row.incidents),
        whole(row.steps),
        shareWords(row.sessions),
      ],
      bar: [most === 0 ? 0 : rateOf(row) / most],
    })),
    drawn: ['stuck per 1,000 steps'],
  };
}

function lossTable(rows: readonly Row[]): StatisticsTable {
  const most = Math.max(...rows.map((row) => row.timeLostMs), 0);
  return {
    id: 'losses',
    title: 'Time and tokens lost',
    columns: ['Rule', 'Time', 'Tokens'],
    rows: rows
      .toSorted((a, b) => b.timeLostMs - a.timeLostMs)
      .map((row) => ({
        cells: [nameOfRule(row.key), age(row.timeLostMs), short(row.tokensLost)],
        bar: [most === 0 ? 0 : row.timeLostMs / most],
      })),
    drawn: ['time lost'],
  };
}

function triedTable(
  id: string,
  title: string,
  name: string,
  rows: readonly (Tried & { readonly name: string })[],
): StatisticsTable {
  const sumOf = ({ recovered, not, unknown }: Tried) => recovered + not + unknown;
  const most = Math.max(...rows.map(sumOf), 1);
  return {
    id,
    title,
    columns: [name, 'Freed', 'Did not', 'Unknown'],
    rows: rows.map((row) => ({
      cells: [row.name, whole(row.recovered), whole(row.not), whole(row.unknown)],
      bar: [row.recovered / most, row.not / most, row.unknown / most],
    })),
    drawn: ['freed', 'did not', 'unknown'],
  };
}
