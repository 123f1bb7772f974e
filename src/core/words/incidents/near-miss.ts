import { counted, whole } from '../../../base/util/counts';
import { DETECTOR_IDS, type DetectorId, type NearMiss } from '../../model';
import { cardOf } from '../../rules';
import { age, clock, short } from '../format';
import { type IncidentFacts, endingWords } from './description';
import { ruleName } from './rules';

/** Share of its limit from which a rule is shown under *Why not stuck*. */
export const NEAR = 0.3;

/** Writes how far a rule has come, in its unit: `3 of 4`, `2 of 10 min`, `41 of 80 %`. */
export function reachedWords(detector: DetectorId, reached: number, limit: number): string {
  switch (cardOf(detector).unit) {
    case 'percent':
      return `${whole(reached)} of ${whole(limit)} %`;
    case 'minutes':
      // Long times are easier to read in hours.
      return limit % 60 === 0 && reached >= 60
        ? `${age(reached * 60_000)} of ${age(limit * 60_000)}`
        : `${whole(reached)} of ${whole(limit)} min`;
    case 'characters':
      return `${short(reached)} of ${short(limit)} characters`;
    case 'times':
      return `${whole(reached)} of ${whole(limit)}`;
  }
}

export interface NearMissRow {
  readonly name: string;
  readonly nearest: string;
  readonly reached: string;
  readonly heldBackBy: string;
}

/** Content of *Why not stuck*: the rules that came near, the nearest first, and the names of the others. */
export interface NearMissTable {
  readonly near: readonly NearMissRow[];
  readonly far: readonly NearMissRow[];
}

type Miss = Pick<NearMiss, 'detector' | 'rule' | 'nearest' | 'reached' | 'limit' | 'heldBackBy' | 'lastsSince' | 'at'>;

/** The facts about an incident of the session that the table needs. */
type Raised = Pick<
  IncidentFacts,
  'detector' | 'rule' | 'subject' | 'count' | 'firstAt' | 'resolvedAt' | 'state' | 'outcome' | 'cleared' | 'level'
>;

/** Returns why a rule did not fire, if its count alone does not explain it. */
export function heldBackWords({ detector, heldBackBy, lastsSince, at }: Omit<Miss, 'nearest'>): string {
  if (heldBackBy !== undefined) return heldBackBy;
  return detector === 'stall' && lastsSince === undefined ? `Output came at ${clock(at)}` : '';
}

/**
 * @param raised incidents of this session, the most important first: their rules are left out of `far`
 * @param now in milliseconds since the epoch
 */
export function nearMissTable(misses: readonly Miss[], raised: readonly Raised[], now: number): NearMissTable {
  const keyOf = ({ detector, rule }: Pick<Miss, 'detector' | 'rule'>) => `${detector}/${rule ?? ''}`;
  const incidents = new Map([...raised].reverse().map((one) => [keyOf(one), one]));
  const share = (miss: Miss) => (miss.limit > 0 ? miss.reached / miss.limit : 0);
  // A near miss that still lasts replaces an earlier one of the same rule, once it is near.
  const lasting = misses.flatMap((miss) => grown(miss, now)).filter((miss) => share(miss) >= NEAR);
  const past = misses.filter((miss) => miss.lastsSince === undefined);
  const other = [...lasting, ...past.filter((miss) => !lasting.some((one) => keyOf(one) === keyOf(miss)))].filter(
    (miss) => !incidents.has(keyOf(miss)),
  );
  const sorted = [...other].sort((a, b) => share(b) - share(a));
  // A rule that was held back gets its own row, even if it was reset to zero.
  const isNear = (miss: Miss) => share(miss) >= NEAR || miss.heldBackBy !== undefined;
  const near = [...[...incidents.values()].reverse().map(raisedRow), ...sorted.filter(isNear).map(row)];
  const shown = new Set([...incidents.values(), ...other.filter(isNear)].map(({ detector }) => detector));
  const far = [
    ...sorted.filter((miss) => !isNear(miss) && !shown.has(miss.detector)).map(row),
    ...DETECTOR_IDS.filter((id) => !shown.has(id) && !other.some((miss) => miss.detector === id)).map((id) => ({
      name: ruleName(id, null),
      nearest: '',
      reached: '',
      heldBackBy: '',
    })),
  ];
  return { near, far };
}

/** Returns a near miss that still lasts, with its minutes up to now; nothing for one that is over. */
function grown(miss: Miss, now: number): readonly Miss[] {
  const { lastsSince } = miss;
  return lastsSince === undefined ? [] : [{ ...miss, reached: Math.floor((now - lastsSince) / 60_000) }];
}

/** Returns `Was an incident 09:23 to 09:26: freed by nudge`. */
function raisedRow(incident: Raised): NearMissRow {
  const { detector, rule, subject, count, firstAt, resolvedAt } = incident;
  const times = cardOf(detector).unit === 'times';
  const heldBackBy =
    resolvedAt === null
      ? `Active since ${clock(firstAt)}`
      : `Was an incident ${clock(firstAt)} to ${clock(resolvedAt)}: ${endingWords({ ...incident, attempts: 0 })}`;
  return {
    name: ruleName(detector, rule),
    nearest: subject,
    reached: times ? counted(count, 'time') : '',
    heldBackBy,
  };
}

function row(miss: Miss): NearMissRow {
  return {
    name: ruleName(miss.detector, miss.rule),
    nearest: miss.nearest,
    reached: reachedWords(miss.detector, miss.reached, miss.limit),
    heldBackBy: heldBackWords(miss),
  };
}
