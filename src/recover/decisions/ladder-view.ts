import { counted } from '../../base/util/counts';
import type { MessageKind, RecoveryAction, RecoveryAttempt, RungKind } from '../../core/model';
import { clock } from '../../core/words/format';
import { madeAttempts, attemptResult } from '../attempts';
import { actionOf, decideClick } from './click';
import type { RecoveryFacts } from './decision';
import { type Rung, rungKindOf } from '../ladder';
import { type LimitReached, limitNote } from './limits';
import { isHindered, startOnRung } from './start';
import { strategyOf } from '../strategy';

/** One step of the ladder as the panel shows it. */
export interface LadderRow {
  readonly number: number;
  readonly kind: RungKind;
  readonly name: string;
  readonly state: 'done' | 'current' | 'coming';
  /** Action taken on it with its result, or the model that it would start; empty if there is nothing to add. */
  readonly note: string;
  /** Action of a click on it now; null if it cannot be taken. */
  readonly action: RecoveryAction | null;
}

export interface LadderView {
  /** Steps that were taken or can be: *Recover* says why the others cannot. */
  readonly rows: readonly LadderRow[];
  /** Number of the current rung. */
  readonly current: number;
  /** The rung that is proposed next; null if there is nothing to do. */
  readonly next: number | null;
}

/**
 * Returns the ladder of one incident, with what was done and what would come next.
 *
 * @param limit the limit of automatic acts that is reached: it is shown on the step that remains, asking the person
 */
export function ladderView(facts: RecoveryFacts, limit: LimitReached | null = null): LadderView {
  const current = currentRung(facts);
  const next = proposedRung(facts);
  const rows = facts.ladder.flatMap((rung): LadderRow[] => {
    const { number, kind, name } = rung;
    const made = madeAttempts(facts.incident).filter((attempt) => rungKindOf(attempt) === kind);
    // Continuing as it is was no attempt, and a rung that was passed over or cannot be taken is no step.
    const isPassed = number < current || (kind !== 'ask' && kind !== 'feedback' && isOff(rung, facts));
    if (kind === 'as_is' || (made.length === 0 && number !== current && isPassed)) return [];
    const state = number === current ? 'current' : number < current ? 'done' : 'coming';
    const can = decideClick(facts, { rung: number }).do !== 'nothing';
    const note = kind === 'ask' && limit ? limitNote(limit, facts.limits) : noteOf(rung, made, facts);
    return [{ number, kind, name, state, note, action: can ? actionOf(kind) : null }];
  });
  return { rows, current, next: next?.number ?? null };
}

/** Returns the current rung of the incident: the last one taken, or the last of all once the person was notified. */
function currentRung({ ladder, incident }: RecoveryFacts): number {
  if (incident.state === 'escalated') return ladder.at(-1)?.number ?? 1;
  const last = madeAttempts(incident).at(-1);
  if (!last) return 1;
  const kind = rungKindOf(last);
  const rung = ladder.find((one) => one.kind === kind);
  // The setting has changed since: an attempt that started the agent again counts as the first rung that does so.
  return (rung ?? ladder.find((one) => one.kind === 'next_model' || one.kind === 'top_model'))?.number ?? 2;
}

/**
 * Returns the rung to offer next: feedback first; after a failure the strategy's own rung, then upwards. A rung that cannot be taken is passed over,
 * and the person always remains.
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

/** True if a rung cannot be taken at all, whatever the agent does: no models, or no known way to start it. */
function isOff(rung: Rung, facts: RecoveryFacts): boolean {
  const form = startOnRung(rung.kind, facts);
  return isHindered(form) || (!facts.agent.supervised && facts.ways[form.mode] !== null);
}

/** Returns `nudged 17:09, no change` or `nudged 2 times, last 17:12, no change`; for a step to come, the means that it would use. */
function noteOf(rung: Rung, made: readonly RecoveryAttempt[], facts: RecoveryFacts): string {
  const last = made.at(-1);
  if (last) {
    const times = made.filter(({ kind }) => kind === last.kind).length;
    const when = times === 1 ? clock(last.at) : `${counted(times, 'time')}, last ${clock(last.at)}`;
    return `${DONE[last.kind]} ${when}, ${RESULTS[attemptResult(facts.incident, last)]}`;
  }
  if (rung.kind === 'ask' || rung.kind === 'feedback') return '';
  const form = startOnRung(rung.kind, facts);
  if (isHindered(form)) return '';
  return [form.model, form.thinking === undefined ? null : facts.moreThinking].filter(Boolean).join(', ');
}

const DONE: Readonly<Record<MessageKind, string>> = {
  nudge: 'nudged',
  gate: 'sent gate feedback',
  block: 'blocked the call',
  stop: 'stopped',
  restart: 'restarted',
  escalate: 'restarted',
  reassign: 'reassigned',
  checkpoint: 'saved',
};

const RESULTS: Readonly<Record<ReturnType<typeof attemptResult>, string>> = {
  waiting: 'not delivered yet',
  watching: 'watching',
  recovered: 'freed',
  failed: 'no change',
  unknown: 'unknown',
  not_delivered: 'not delivered',
  withdrawn: 'withdrawn',
};
