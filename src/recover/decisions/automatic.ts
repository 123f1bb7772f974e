import { type Incident, isActive, isTurnOver, type RecoveryAttempt, type RungKind } from '../../core/model';
import { countedSince, lastCountedAt, madeAttempts, attemptResult } from '../attempts';
import {
  type AskReason,
  type AutomaticMode,
  type Decision,
  type NothingReason,
  REASON_TEXTS,
  type RecoveryFacts,
  type WaitReason,
} from './decision';
import { type Rung, rungKindOf, rungOf } from '../ladder';
import { decideBrake } from './brake';
import { limitReached } from './limits';
import { planOutlook } from './plan-items';
import { messageHindrance } from './reach';
import { isHindered, startOnRung, startVia } from './start';
import { strategyOf } from '../strategy';

/** After a failed attempt, automatic mode checks again after this time if no event makes it do so, milliseconds. */
const LOOK_AGAIN_MS = 5_000;

/**
 * Decides the next action of automatic mode: feedback first, then the strategy's rung, then the person. It acts only on incidents that were counted
 * and are stuck, never on an agent that waits for its user, and never twice on a streak that stands still.
 */
export function decideAutomatic(facts: RecoveryFacts, automatic: AutomaticMode): Decision {
  const { incident, agent, ladder, limits, now } = facts;
  const feedback = rungOf(ladder, 'feedback') ?? null;
  const brake = allowedBrake(facts, automatic);
  if (brake) return brake;
  const forbidden = forbiddance(facts, automatic);
  if (forbidden) return nothing(forbidden, feedback);

  const strategy = strategyOf(incident);
  if (strategy.does === 'wait') return nothing('outage', feedback);
  const outlook = planOutlook(agent.plan);
  if (outlook.isBlocked && outlook.others.length === 0) return ask(facts, 'no_independent_work');

  const made = madeAttempts(incident);
  const last = made.at(-1);
  const since = Math.max(incident.stuckAt ?? incident.openedAt, automatic.since);
  if (!last) {
    const limit = limitOf(facts, automatic);
    if (limit) return ask(facts, limit);
    const due = strategy.atOnce ? now : since + limits.delayMs;
    return due > now ? wait('countdown', feedback, due) : does('nudge', 'first_feedback', feedback);
  }

  const pending = stillPending(incident, last, feedback, now);
  if (pending) return pending;
  const done = made.filter((attempt) => attempt.automated).length;
  if (done >= limits.perIncident || made.length >= 2) return ask(facts, 'two_failures');
  const limit = limitOf(facts, automatic);
  if (limit) return ask(facts, limit);
  const second = secondAttempt(facts, made);
  const due = Math.max(last.takenAt ?? last.at, automatic.since) + limits.delayMs;
  return second.do !== 'ask' && due > now ? wait('countdown', second.rung, due) : second;
}

/** Returns what a brake does now, within the limits of automatic acts; null if it does nothing. It needs neither automatic mode nor *stuck*. */
function allowedBrake(facts: RecoveryFacts, mode: AutomaticMode): Decision | null {
  const { incident } = facts;
  const isWarned = incident.level === 'stuck' ? incident : { ...incident, level: 'stuck' as const };
  if (forbiddance({ ...facts, incident: isWarned }, { ...mode, on: true })) return null;
  const brake = decideBrake(facts);
  return brake && !limitOf(facts, mode) ? brake : null;
}

/** Returns the reason why automatic mode does not act, whatever was tried. */
function forbiddance({ incident, agent, limits, now }: RecoveryFacts, mode: AutomaticMode): NothingReason | null {
  if (!mode.on) return 'automatic_off';
  const hindrance = messageHindrance(agent);
  if (hindrance === 'untrusted' || hindrance === 'no_folder') return hindrance;
  if (incident.history) return 'history';
  if (incident.state === 'muted') return 'muted';
  if (!isActive(incident.state) || incident.resolvedAt !== null) return 'over';
  if (incident.state === 'escalated') return 'already_asked';
  if (incident.certainty === 'guessed') return 'guessed';
  if (incident.level !== 'stuck') return 'not_stuck_yet';
  if (hindrance) return hindrance;
  if (isTurnOver(agent.waitingFor)) return 'turn_ended';
  if (agent.probablyWaits) return 'probably_waits';
  if (mode.held) return 'held';
  return now - lastCountedAt(incident) > limits.expiryMs && madeAttempts(incident).length === 0 ? 'expired' : null;
}

/** Decides while the last attempt has not failed (yet). */
function stillPending(incident: Incident, last: RecoveryAttempt, rung: Rung | null, now: number): Decision | null {
  switch (attemptResult(incident, last)) {
    case 'waiting':
      return wait('in_delivery', rung, now + LOOK_AGAIN_MS);
    case 'watching':
      return last.outcome === 'changed' ? nothing('frozen_streak', rung) : wait('watching', rung, now + LOOK_AGAIN_MS);
    case 'not_delivered':
      return countedSince(incident, last.at) ? null : nothing('frozen_streak', rung);
    case 'failed':
      return null;
    case 'recovered':
    case 'unknown':
    case 'withdrawn':
      return nothing('over', rung);
  }
}

function secondAttempt(facts: RecoveryFacts, made: readonly RecoveryAttempt[]): Decision {
  const { ladder, agent } = facts;
  const strategy = strategyOf(facts.incident);
  const rungs = ladder.filter(({ kind }) => !isTopAlready(kind, facts));
  const rung = rungOf(rungs, ...strategy.rungs) ?? rungOf(rungs, ...LATER) ?? null;
  switch (strategy.does) {
    case 'nudge': {
      const feedback = rungOf(ladder, 'feedback');
      const used = made.filter((attempt) => rungKindOf(attempt) === 'feedback').length;
      if (!feedback || used >= feedback.tries) return ask(facts, 'two_failures');
      return { ...does('nudge', 'strategy', feedback), text: strategy.why };
    }
    case 'reassign':
      return { ...does('reassign', 'strategy', rung), text: strategy.why };
    case 'start': {
      if (!rung) return ask(facts, 'start_needs_person');
      const form = startOnRung(rung.kind, facts);
      if (isHindered(form)) return ask(facts, form.hindered === 'no_models' ? 'no_models' : 'no_way_to_start');
      const via = startVia(form, facts);
      if (isHindered(via))
        return ask(facts, via.hindered === 'no_way_to_start' ? 'no_way_to_start' : 'start_needs_person');
      // Opening terminals is for a person; the supervisor controls the agent anyway.
      if (!agent.supervised || via.via !== 'supervisor') return ask(facts, 'start_needs_person');
      const escalates = form.model !== undefined || form.thinking !== undefined;
      const what = escalates ? 'escalate' : 'restart';
      return { ...does(what, 'strategy', rung), text: strategy.why, start: form, ...via, savesWork: true };
    }
    case 'stop':
      return ask(facts, 'start_needs_person');
    case 'wait':
      return nothing('outage', rung);
  }
}

/** True if the agent already uses the top model, so that another model is no remedy: the next rung is taken. */
function isTopAlready(kind: RungKind, facts: RecoveryFacts): boolean {
  const form = startOnRung(kind, facts);
  return isHindered(form) && form.hindered === 'top_already';
}

const LATER: readonly RungKind[] = ['next_model', 'fresh', 'top_model'];

/** Returns the limit that forbids automatic mode and brakes another act on this incident; null if none does. */
export function limitOf({ incident, agent, limits, now }: RecoveryFacts, { ledger }: Pick<AutomaticMode, 'ledger'>) {
  const planItem = planOutlook(agent.plan).stuckOn?.id ?? null;
  return limitReached(ledger, { incident: incident.id, session: incident.session, planItem, now }, limits);
}

function ask({ ladder, incident }: RecoveryFacts, reason: AskReason): Decision {
  const savesWork = strategyOf(incident).savesWork;
  return { ...does('ask', reason, rungOf(ladder, 'ask') ?? null), ...(savesWork && { savesWork }) };
}

function does(what: Decision['do'], reason: Decision['reason'], rung: Rung | null): Decision {
  return { do: what, reason, text: REASON_TEXTS[reason], rung };
}

function wait(reason: WaitReason, rung: Rung | null, until: number): Decision {
  return { ...does('wait', reason, rung), until };
}

function nothing(reason: NothingReason, rung: Rung | null): Decision {
  return does('nothing', reason, rung);
}
