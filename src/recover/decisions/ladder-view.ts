import { counted } from '../../base/util/counts';
import type { RecoveryAction, RungKind } from '../../core/model';
import { madeAttempts, attemptResult } from '../attempts';
import { actionOf, decideClick } from './click';
import type { NothingReason, RecoveryFacts } from './decision';
import { type Rung, rungKindOf } from '../ladder';
import { isHindered, startOnRung } from './start';
import { strategyOf } from '../strategy';

/** One row of the ladder as the panel shows it. */
export interface LadderRow {
  readonly number: number;
  readonly kind: RungKind;
  readonly name: string;
  /** `off`: it cannot be taken now, and `note` says why. */
  readonly state: 'done' | 'current' | 'coming' | 'off';
  /** Result of the rung, or its means; empty where there is nothing to add. */
  readonly note: string;
  /** Action of a click on it now; null where it cannot be taken. */
  readonly action: RecoveryAction | null;
}

export interface LadderView {
  readonly rows: readonly LadderRow[];
  /** Number of the current rung. */
  readonly current: number;
  /** The rung that is proposed next; null where nothing is to be done. */
  readonly next: number | null;
  /** `step 2 of 5`. */
  readonly label: string;
}

/** The ladder of one incident, with what was taken and what would come. */
export function ladderView(facts: RecoveryFacts): LadderView {
  const current = currentRung(facts);
  const next = proposedRung(facts);
  const rows = facts.ladder.map((rung): LadderRow => {
    const state = stateOf(rung, current, facts);
    const { number, kind, name } = rung;
    const can = decideClick(facts, { rung: number }).do !== 'nothing';
    return { number, kind, name, state, note: noteOf(rung, state, facts), action: can ? actionOf(kind) : null };
  });
  return { rows, current, next: next?.number ?? null, label: `step ${current} of ${facts.ladder.length}` };
}

/** Returns the current rung of the incident: the last one that was taken, the last of all when the person was notified. */
function currentRung({ ladder, incident }: RecoveryFacts): number {
  if (incident.state === 'escalated') return ladder.at(-1)?.number ?? 1;
  const last = madeAttempts(incident).at(-1);
  if (!last) return 1;
  const kind = rungKindOf(last);
  const rung = ladder.find((one) => one.kind === kind);
  // The setting has changed since: what started the agent again stands on the first rung that does.
  return (rung ?? ladder.find((one) => one.kind === 'next_model' || one.kind === 'top_model'))?.number ?? 2;
}

/**
 * The rung to offer next: feedback first; after a failure the strategy's own rung, then upwards. A rung that cannot be taken is passed
 * over, and the person is always left.
 */
export function proposedRung(facts: RecoveryFacts): Rung | null {
  const { ladder, incident } = facts;
  if (incident.resolvedAt !== null || incident.state === 'escalated') return null;
  const feedback = ladder.find((rung) => rung.kind === 'feedback');
  const made = madeAttempts(incident);
  const last = made.at(-1);
  if (!last) return feedback ?? null;
  const result = attemptResult(incident, last);
  if (result === 'waiting' || result === 'watching') return null;
  const used = (rung: Rung) => made.filter((attempt) => rungKindOf(attempt) === rung.kind).length;
  const possible = (rung: Rung) =>
    rung.kind !== 'as_is' &&
    used(rung) < rung.tries &&
    (rung.kind === 'ask' || decideClick(facts, { rung: rung.number }).do !== 'nothing');
  const reached = Math.max(...made.map((attempt) => numberOf(facts, rungKindOf(attempt))));
  const upwards = ladder.filter((rung) => rung.number >= reached && possible(rung));
  const strategy = strategyOf(incident);
  return upwards.find((rung) => strategy.rungs.includes(rung.kind)) ?? upwards[0] ?? null;
}

function numberOf({ ladder }: RecoveryFacts, kind: RungKind): number {
  return ladder.find((rung) => rung.kind === kind)?.number ?? 2;
}

function stateOf(rung: Rung, current: number, facts: RecoveryFacts): LadderRow['state'] {
  if (rung.number === current) return 'current';
  if (rung.number < current) {
    const wasTaken = rung.kind === 'as_is' || madeAttempts(facts.incident).some((one) => rungKindOf(one) === rung.kind);
    return wasTaken ? 'done' : 'off';
  }
  if (rung.kind === 'ask' || rung.kind === 'feedback' || rung.kind === 'as_is') return 'coming';
  return offReason(rung, facts) === null ? 'coming' : 'off';
}

/** Returns why a rung cannot be taken at all, whatever the agent does: no models, or no known way to start it. */
function offReason(rung: Rung, facts: RecoveryFacts): string | null {
  const form = startOnRung(rung.kind, facts);
  if (isHindered(form)) return OFF[form.hindered] ?? form.text;
  if (facts.agent.supervised) return null;
  return facts.ways[form.mode] === null ? null : 'cannot be started';
}

/** The reasons that need few words beside a step. */
const OFF: Readonly<Partial<Record<NothingReason, string>>> = {
  no_models: 'no models set',
  top_already: 'top model already',
};

function noteOf(rung: Rung, state: LadderRow['state'], facts: RecoveryFacts): string {
  const { incident } = facts;
  const used = madeAttempts(incident).filter((attempt) => rungKindOf(attempt) === rung.kind);
  if (rung.kind === 'as_is') return 'no change';
  if (rung.kind === 'ask') return '';
  if (rung.kind === 'feedback') {
    return used.length === 0 ? '' : `${Math.min(used.length, rung.tries)} of ${counted(rung.tries, 'nudge')} used`;
  }
  const last = used.at(-1);
  if (last) return RESULTS[attemptResult(incident, last)];
  if (state === 'off') return rung.number < currentRung(facts) ? 'skipped' : (offReason(rung, facts) ?? '');
  const form = startOnRung(rung.kind, facts);
  if (isHindered(form)) return '';
  return [form.model, form.thinking].filter((part) => part !== undefined).join(', ');
}

const RESULTS: Readonly<Record<ReturnType<typeof attemptResult>, string>> = {
  waiting: 'waits for the agent',
  watching: 'watching',
  recovered: 'recovered',
  failed: 'no change',
  unknown: 'unknown',
  not_delivered: 'not delivered',
  withdrawn: 'withdrawn',
};
