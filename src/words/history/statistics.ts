import { decimalMark, t, texts } from '../../util/l10n';
import { DETECTOR_IDS } from '../../model';
import { age, short, whole } from '../format';
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

/** The figures of a range of time, as the history counts them. */
export interface StatisticsFacts {
  readonly sessions: Share;
  readonly steps: number;
  readonly incidents: number;
  readonly timeLostMs: number;
  readonly tokensLost: number;
  readonly recovered: Share;
  readonly medianRecoveryMs: number | null;
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

/** One table, and what of it is drawn beside it. */
export interface StatisticsTable {
  readonly id: string;
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: readonly {
    readonly cells: readonly string[];
    /** Parts of the bar, as shares of the longest bar: freed, not freed, unknown; for other tables one part. */
    readonly bar: readonly number[];
  }[];
  /** What each part of the bar shows. */
  readonly drawn: readonly string[];
}

/** Below so many sessions a share says nothing. */
const ENOUGH_SESSIONS = 20;

const TRIED: Readonly<Record<string, string>> = texts({
  nudge: 'Nudge',
  restart: 'Restart',
  escalate: 'Escalation',
  reassign: 'Reassigned',
  stop: 'Stop',
  checkpoint: 'Checkpoint',
  block: 'Refused call',
  gate: 'Gate feedback',
  by_itself: 'Nothing was sent',
  user: 'You took over',
});

const RUNGS: Readonly<Record<string, string>> = texts({
  as_is: 'As it is',
  feedback: 'Same model, with feedback',
  fresh: 'Fresh context',
  next_model: 'Next model',
  top_model: 'Top model',
  ask: 'Ask you',
});

/** `9 %`, with `38 of 412`; of few sessions only the numbers. */
export function shareWords({ n, of }: Share): string {
  return of < ENOUGH_SESSIONS ? t`${n} of ${of}` : t`${Math.round((100 * n) / of)} % (${n} of ${of})`;
}

/** Incidents per 1,000 steps; empty where no steps were counted. */
export function ratePerThousand(incidents: number, steps: number): string {
  if (steps === 0) return '';
  const rate = (1000 * incidents) / steps;
  return rate === 0 ? '0' : rate.toFixed(rate < 1 ? 2 : 1).replace('.', decimalMark());
}

/** The three figures at the head. */
export function statisticsFigures(
  facts: StatisticsFacts,
): readonly { readonly label: string; readonly value: string; readonly note: string }[] {
  const { sessions, steps, incidents, timeLostMs, tokensLost, recovered, medianRecoveryMs } = facts;
  const rate = ratePerThousand(incidents, steps);
  return [
    {
      label: t`Stuck`,
      value: rate === '' ? t`${incidents} times` : t`${rate} per 1,000 steps`,
      note: t`${sessions.n} of ${sessions.of} sessions, ${incidents} times in ${steps} steps`,
    },
    { label: t`Time lost`, value: age(timeLostMs), note: t`${short(tokensLost)} tokens` },
    {
      label: t`Recovered`,
      value: shareWords(recovered),
      note: recoveredNote(recovered.n, medianRecoveryMs),
    },
  ];
}

function recoveredNote(recovered: number, medianMs: number | null): string {
  if (medianMs === null) return t`none yet`;
  return recovered === 1 ? t`after ${age(medianMs)}` : t`half of them within ${age(medianMs)}`;
}

/** All tables, in the order of the page. The text of each is whole without its bars. */
export function statisticsTables(facts: StatisticsFacts): readonly StatisticsTable[] {
  const [first, ...figures] = statisticsFigures(facts);
  const head: StatisticsTable = {
    id: 'figures',
    title: t`In all`,
    columns: ['', '', ''],
    rows: [first, ...figures].flatMap((one) => (one ? [{ cells: [one.label, one.value, one.note], bar: [] }] : [])),
    drawn: [],
  };
  return [
    head,
    rateTable(
      'weeks',
      t`By week`,
      t`Week of`,
      facts.byWeek.map((row) => ({ ...row, key: row.week })),
      (key) => key,
    ),
    rateTable('agents', t`By agent`, t`Agent`, facts.byAgent, (key) => key),
    rateTable('models', t`By model`, t`Model`, facts.byModel, (key) => key),
    rateTable('rules', t`By rule`, t`Rule`, facts.byDetector, nameOfRule),
    lossTable(facts.byDetector),
    triedTable(
      'actions',
      t`What freed them`,
      t`Sent`,
      facts.whatRecovered.map((row) => ({ ...row, name: TRIED[row.kind] ?? row.kind })),
    ),
    triedTable(
      'rungs',
      t`By step of recovery`,
      t`Step`,
      facts.byRung.map((row) => ({ ...row, name: RUNGS[row.rung] ?? row.rung })),
    ),
    {
      id: 'wrong',
      title: t`Alerts that you called wrong`,
      columns: [t`Rule`, t`Not stuck`, t`Of`],
      rows: facts.wrong.map(({ detector, alarms: { n, of } }) => ({
        cells: [nameOfRule(detector), whole(n), whole(of)],
        bar: [of === 0 ? 0 : n / of],
      })),
      drawn: [t`share of all alerts of the rule`],
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
    columns: [name, t`Per 1,000 steps`, t`Times`, t`Steps`, t`Stuck sessions`],
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
    drawn: [t`stuck per 1,000 steps`],
  };
}

function lossTable(rows: readonly Row[]): StatisticsTable {
  const most = Math.max(...rows.map((row) => row.timeLostMs), 0);
  return {
    id: 'losses',
    title: t`Time and tokens lost`,
    columns: [t`Rule`, t`Time`, t`Tokens`],
    rows: rows
      .toSorted((a, b) => b.timeLostMs - a.timeLostMs)
      .map((row) => ({
        cells: [nameOfRule(row.key), age(row.timeLostMs), short(row.tokensLost)],
        bar: [most === 0 ? 0 : row.timeLostMs / most],
      })),
    drawn: [t`time lost`],
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
    columns: [name, t`Freed`, t`Did not`, t`Unknown`],
    rows: rows.map((row) => ({
      cells: [row.name, whole(row.recovered), whole(row.not), whole(row.unknown)],
      bar: [row.recovered / most, row.not / most, row.unknown / most],
    })),
    drawn: [t`freed`, t`did not`, t`unknown`],
  };
}
