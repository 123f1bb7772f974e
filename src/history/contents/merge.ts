import {
  DELIVERY_STATES,
  type Incident,
  type IncidentOutcome,
  type IncidentState,
  type RecoveryAttempt,
  recoveredBy,
} from '../../core/model';
import type { StoredIncident, Mute } from '../journal/records';

/**
 * Joins two windows' records of the same incident. The order in which windows are read, and how often, makes no difference (commutative, associative,
 * idempotent), so every window and every compaction has the same result.
 *
 * Each group of facts has its own winner: the state that was entered last, a person's last word on muting, the account of the evidence that was
 * updated last, the earliest opening. Attempts are gathered by message. `notified` is set once any window has notified; `history` only while all
 * windows say so.
 */
export function mergeStored(a: StoredIncident, b: StoredIncident): StoredIncident {
  if (a === b) return a;
  const latest = compareLatest(a.incident, b.incident) >= 0 ? a.incident : b.incident;
  const stated = compareStated(a, b) >= 0 ? a : b;
  const opened = compareOpened(a.incident, b.incident) <= 0 ? a.incident : b.incident;
  const begun = compareBegun(a.incident, b.incident) <= 0 ? a.incident : b.incident;
  const stuck = earliestStuck(a.incident, b.incident);
  const incident: Incident = {
    ...latest,
    id: opened.id,
    openedAt: opened.openedAt,
    alertLine: opened.alertLine,
    firstAt: begun.firstAt,
    firstLine: begun.firstLine,
    level: a.incident.level === 'stuck' || b.incident.level === 'stuck' ? 'stuck' : 'warn',
    stuckAt: stuck.stuckAt,
    stuckLine: stuck.stuckLine,
    state: stated.incident.state,
    resolvedAt: stated.incident.resolvedAt,
    resolvedLine: stated.incident.resolvedLine,
    cleared: stated.incident.cleared,
    outcome: stated.incident.outcome,
    attempts: mergeAttempts(a.incident.attempts, b.incident.attempts),
    notified: a.incident.notified || b.incident.notified,
    history: a.incident.history && b.incident.history,
  };
  return { incident, stateAt: stated.stateAt, mute: laterMute(a.mute, b.mute) };
}

/** Returns an incident as it is shown: muted while a person's last word is to mute it, and with the credit that follows from all known attempts. */
export function shownIncident(kept: StoredIncident): Incident {
  const { incident, mute } = kept;
  let state = incident.state;
  if (mute?.on) state = 'muted';
  else if (state === 'muted') state = incident.resolvedAt === null ? 'open' : 'unknown';
  const outcome = credited(incident);
  return state === incident.state && outcome === incident.outcome ? incident : { ...incident, state, outcome };
}

/** Adds the times that a merge needs, from the previous record of this window. */
export function toStored(incident: Incident, before: StoredIncident | undefined): StoredIncident {
  const same =
    before !== undefined &&
    shownIncident(before).state === incident.state &&
    before.incident.reopened === incident.reopened;
  // A state that followed within the same millisecond was still entered later.
  const stateAt = same
    ? before.stateAt
    : before
      ? Math.max(incident.updatedAt, before.stateAt + 1)
      : enteredAt(incident);
  let mute = before?.mute ?? null;
  if (incident.state === 'muted' && !mute?.on) mute = { on: true, at: incident.updatedAt };
  if (incident.state !== 'muted' && mute?.on) mute = { on: false, at: incident.updatedAt };
  return { incident, stateAt, mute };
}

/**
 * Returns when an incident entered its state, as far as the incident itself shows it: a window that only now reads an old transcript has no other
 * source.
 */
function enteredAt(incident: Incident): number {
  switch (incident.state) {
    case 'open':
      return incident.reopened > 0 ? incident.updatedAt : incident.openedAt;
    case 'nudged':
      return incident.attempts.at(-1)?.at ?? incident.updatedAt;
    case 'recovered':
    case 'escalated':
    case 'muted':
    case 'ended':
    case 'unknown':
      return incident.updatedAt;
  }
}

const STATE_ORDER: readonly IncidentState[] = ['open', 'nudged', 'muted', 'escalated', 'unknown', 'ended', 'recovered'];
const OUTCOME_ORDER: readonly (IncidentOutcome | null)[] = [
  null,
  'by_itself',
  'user',
  'gate',
  'block',
  'nudge',
  'restart',
  'not_stuck',
];

function compareStated(a: StoredIncident, b: StoredIncident): number {
  return (
    // A muted incident says nothing about its outcome, unlike one that is not muted.
    Number(a.incident.state !== 'muted') - Number(b.incident.state !== 'muted') ||
    compareNumbers(a.stateAt, b.stateAt) ||
    STATE_ORDER.indexOf(a.incident.state) - STATE_ORDER.indexOf(b.incident.state) ||
    compareNumbers(a.incident.resolvedAt ?? -1, b.incident.resolvedAt ?? -1) ||
    compareNumbers(a.incident.resolvedLine ?? -1, b.incident.resolvedLine ?? -1) ||
    OUTCOME_ORDER.indexOf(a.incident.outcome) - OUTCOME_ORDER.indexOf(b.incident.outcome) ||
    compareTexts(a.incident.cleared ?? '', b.incident.cleared ?? '')
  );
}

function compareLatest(a: Incident, b: Incident): number {
  return (
    compareNumbers(a.reopened, b.reopened) ||
    compareNumbers(a.updatedAt, b.updatedAt) ||
    compareNumbers(a.count, b.count) ||
    compareTexts(account(a), account(b))
  );
}

/** Returns all fields that come from the latest account, as text: it decides between two that are equally new. */
function account(incident: Incident): string {
  const {
    agentName,
    title,
    rule,
    reason,
    exhaustion,
    certainty,
    confidence,
    subject,
    why,
    suggestion,
    clears,
    evidence,
  } = incident;
  const { model, role, folder, file, firstSample, lastSample, pattern, tokensSinceFirst, detector, situations, moved } =
    incident;
  const { progressed, spills, context } = incident;
  return JSON.stringify([
    [
      detector,
      rule,
      reason,
      exhaustion,
      certainty,
      confidence,
      subject,
      why,
      suggestion,
      clears,
      agentName,
      title,
      file,
    ],
    [model ?? null, role ?? null, folder ?? null, tokensSinceFirst ?? null],
    [evidence, firstSample ?? null, lastSample ?? null, pattern ?? null],
    [situations ?? [], moved ?? []],
    [progressed ?? null, spills ?? [], context ?? []],
  ]);
}

function laterMute(a: Mute | null, b: Mute | null): Mute | null {
  if (!a || !b) return a ?? b;
  return (compareNumbers(a.at, b.at) || Number(a.on) - Number(b.on)) >= 0 ? a : b;
}

function compareOpened(a: Incident, b: Incident): number {
  return compareNumbers(a.openedAt, b.openedAt) || compareTexts(a.id, b.id) || compareLines(a.alertLine, b.alertLine);
}

function compareBegun(a: Incident, b: Incident): number {
  return compareNumbers(a.firstAt, b.firstAt) || compareLines(a.firstLine, b.firstLine);
}

function earliestStuck(a: Incident, b: Incident): Incident {
  if (a.stuckAt === null || b.stuckAt === null) return a.stuckAt === null ? b : a;
  return (compareNumbers(a.stuckAt, b.stuckAt) || compareLines(a.stuckLine, b.stuckLine)) <= 0 ? a : b;
}

/** Orders lines; one that is not known yet (0) comes after all that are. */
function compareLines(a: number | null, b: number | null): number {
  return compareNumbers(a || Infinity, b || Infinity);
}

function mergeAttempts(a: readonly RecoveryAttempt[], b: readonly RecoveryAttempt[]): readonly RecoveryAttempt[] {
  if (a.length === 0 || b.length === 0) return a.length === 0 ? b : a;
  const byMessage = new Map<string, RecoveryAttempt>();
  for (const attempt of [...a, ...b]) {
    const known = byMessage.get(attempt.message);
    byMessage.set(attempt.message, known ? laterAttempt(known, attempt) : attempt);
  }
  return [...byMessage.values()].sort((x, y) => compareNumbers(x.at, y.at) || compareTexts(x.message, y.message));
}

function laterAttempt(a: RecoveryAttempt, b: RecoveryAttempt): RecoveryAttempt {
  const order =
    DELIVERY_STATES.indexOf(a.state) - DELIVERY_STATES.indexOf(b.state) ||
    Number(a.outcome !== undefined) - Number(b.outcome !== undefined) ||
    compareNumbers(a.takenAt ?? -1, b.takenAt ?? -1) ||
    compareTexts(JSON.stringify(a), JSON.stringify(b));
  return order >= 0 ? a : b;
}

/** Returns the credited outcome. A window that knows of no attempt says `by_itself`; the one that made the attempt knows better. */
function credited(incident: Incident): IncidentOutcome | null {
  const { outcome, resolvedAt } = incident;
  if (outcome !== 'by_itself' || resolvedAt === null) return outcome;
  const reached = incident.attempts
    .filter((attempt) => attempt.takenAt !== undefined && attempt.takenAt <= resolvedAt)
    .at(-1);
  return reached ? recoveredBy(reached.kind) : outcome;
}

function compareNumbers(a: number, b: number): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
