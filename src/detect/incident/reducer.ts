import { type Finding, type Incident, type Level, type RecoveryAttempt, isActive } from '../../core/model';
import { type IncidentInput, creditedOutcome } from './incident-input';

/** Number of saved results that are remembered: as many as the evidence shows. */
const SPILLS = 11;

/** Facts about the session that an incident needs when it opens. */
export interface SessionIdentity {
  readonly agent: Incident['agent'];
  readonly agentName: string;
  readonly session: string;
  readonly title: string;
  readonly model?: string;
  readonly role?: string;
  readonly folder?: string;
  readonly file: string;
}

/** Makes a new incident from its first finding. `history`: it was in the transcript before this window opened. */
export function open(finding: Finding, facts: SessionIdentity, id: string, history: boolean): Incident {
  const stuck = finding.level === 'stuck';
  return {
    ...facts,
    id,
    key: finding.key,
    ...countedParts(finding),
    level: finding.level,
    state: 'open',
    firstAt: finding.firstAt,
    openedAt: finding.at,
    stuckAt: stuck ? finding.at : null,
    resolvedAt: null,
    updatedAt: finding.at,
    firstLine: finding.first.line,
    alertLine: finding.source.line,
    stuckLine: stuck ? finding.source.line : null,
    resolvedLine: null,
    cleared: null,
    outcome: null,
    attempts: [],
    notified: false,
    history,
    reopened: 0,
  };
}

/**
 * Returns the next form of an incident. Pure: equal inputs give equal incidents, and an input that changes nothing returns the
 * same object.
 */
export function next(incident: Incident, input: IncidentInput): Incident {
  const after = changed(incident, input);
  // A line may be read after a later action of this window. Code that compares two forms takes the one that was known later.
  return after.updatedAt < incident.updatedAt ? { ...after, updatedAt: incident.updatedAt } : after;
}

function changed(incident: Incident, input: IncidentInput): Incident {
  switch (input.type) {
    case 'finding':
      return counted(incident, input.finding);
    case 'clearing':
      if (incident.resolvedAt !== null) return incident;
      return {
        ...incident,
        state: incident.state === 'muted' ? 'muted' : 'unknown',
        cleared: input.clearing.reason,
        outcome: creditedOutcome(incident.attempts, input.clearing.reason),
        resolvedAt: input.clearing.at,
        resolvedLine: input.line,
        updatedAt: input.clearing.at,
      };
    case 'progress':
      // Recovered: the clearing rule applied, and there was a progress marker since.
      if (incident.resolvedAt === null || incident.state !== 'unknown' || input.marker.at < incident.resolvedAt)
        return incident;
      return {
        ...incident,
        state: 'recovered',
        progressed: { at: input.marker.at, text: input.marker.text },
        updatedAt: input.marker.at,
      };
    case 'attempt':
      return attempted(incident, input.attempt);
    case 'delivery':
      return delivered(incident, input);
    case 'mute':
      return incident.state === 'muted' ? incident : { ...incident, state: 'muted', updatedAt: input.at };
    case 'unmute':
      return incident.state === 'muted' ? { ...incident, state: unmuted(incident), updatedAt: input.at } : incident;
    case 'not_stuck':
      if (incident.outcome === 'not_stuck') return incident;
      return {
        ...incident,
        state: 'ended',
        outcome: 'not_stuck',
        cleared: null,
        resolvedAt: incident.resolvedAt ?? input.at,
        resolvedLine: incident.resolvedLine ?? incident.alertLine,
        updatedAt: input.at,
      };
    case 'take_back':
      // Over for now; if its streak continues, the next finding opens it again.
      if (incident.outcome !== 'not_stuck') return incident;
      return { ...incident, state: 'unknown', outcome: null, updatedAt: input.at };
    case 'escalate':
      return isActive(incident.state) ? { ...incident, state: 'escalated', updatedAt: input.at } : incident;
    case 'succeeded':
      return succeeded(incident, input.at);
    case 'notified':
      return incident.notified ? incident : { ...incident, notified: true, updatedAt: input.at };
    case 'spilled': {
      const { line, file } = input;
      const others = (incident.spills ?? []).filter((one) => one.line !== line);
      return { ...incident, spills: [...others, { line, file }].slice(-SPILLS) };
    }
    case 'present':
      return incident.history ? { ...incident, history: false, updatedAt: input.at } : incident;
    case 'session_end':
      if (incident.resolvedAt !== null) return incident;
      return {
        ...incident,
        state: incident.state === 'muted' ? 'muted' : 'ended',
        cleared: 'session_end',
        outcome: null,
        resolvedAt: input.at,
        resolvedLine: input.line,
        updatedAt: input.at,
      };
  }
}

/** Returns the parts of a finding that are renewed each time it grows. A rule that describes the same streak more precisely may take it over. */
function countedParts(finding: Finding) {
  return {
    detector: finding.detector,
    rule: finding.rule,
    reason: finding.reason,
    exhaustion: finding.exhaustion,
    certainty: finding.certainty,
    confidence: finding.confidence,
    count: finding.count,
    subject: finding.subject,
    why: finding.why,
    suggestion: finding.suggestion,
    clears: finding.clears,
    evidence: finding.evidence,
    situations: finding.situations ?? [],
    moved: finding.moved ?? [],
    ...(finding.firstSample && { firstSample: finding.firstSample }),
    ...(finding.lastSample && { lastSample: finding.lastSample }),
    ...(finding.pattern && { pattern: finding.pattern }),
    ...(finding.tokensSinceFirst !== undefined && { tokensSinceFirst: finding.tokensSinceFirst }),
    ...(finding.context && { context: finding.context }),
  };
}

function counted(incident: Incident, finding: Finding): Incident {
  const level: Level = incident.level === 'stuck' || finding.level === 'stuck' ? 'stuck' : 'warn';
  const turnedStuck = finding.level === 'stuck' && incident.stuckAt === null;
  // A count from before another session freed it is not a return, although it may be read later.
  const isEarlier = incident.state === 'recovered' && incident.resolvedAt !== null && finding.at < incident.resolvedAt;
  const cameBack = incident.resolvedAt !== null && !isEarlier;
  return {
    ...incident,
    ...countedParts(finding),
    level,
    // A warning that continues after stuck keeps that level, and its confidence.
    ...(finding.level !== level && { confidence: incident.confidence }),
    state: cameBack && incident.state !== 'muted' ? (incident.attempts.length > 0 ? 'nudged' : 'open') : incident.state,
    stuckAt: turnedStuck ? finding.at : incident.stuckAt,
    stuckLine: turnedStuck ? finding.source.line : incident.stuckLine,
    ...(cameBack && {
      resolvedAt: null,
      resolvedLine: null,
      cleared: null,
      outcome: null,
      reopened: incident.reopened + 1,
    }),
    updatedAt: finding.at,
  };
}

/**
 * Adds an attempt. It may be recorded when the incident is already over because of it: the end of a silent process writes a line, and is followed by
 * the start of the next one, which is the attempt.
 */
function attempted(incident: Incident, attempt: RecoveryAttempt): Incident {
  const attempts = [...incident.attempts.filter((one) => one.message !== attempt.message), attempt];
  const state = incident.state === 'open' ? 'nudged' : incident.state;
  return { ...incident, attempts, state, outcome: outcomeWith(incident, attempts), updatedAt: attempt.at };
}

/** Returns the outcome by the attempt that is credited, if the incident is over and was not decided by a person. */
function outcomeWith(incident: Incident, attempts: readonly RecoveryAttempt[]): Incident['outcome'] {
  const isFinal = incident.resolvedAt === null || incident.outcome === 'not_stuck' || incident.outcome === 'user';
  return isFinal ? incident.outcome : creditedOutcome(attempts, incident.cleared);
}

function delivered(incident: Incident, input: Extract<IncidentInput, { type: 'delivery' }>): Incident {
  const known = incident.attempts.find((attempt) => attempt.message === input.message);
  if (!known || (known.state === input.state && known.outcome === input.outcome)) return incident;
  // Evidence of a message in the transcript outweighs the end of its time limit, which may be reported later.
  if (input.state === 'failed' && (known.state === 'seen' || known.state === 'acted')) return incident;
  const taken = input.state === 'taken' || input.state === 'seen' || input.state === 'acted';
  const updated: RecoveryAttempt = {
    ...known,
    state: input.state,
    ...(taken && known.takenAt === undefined && { takenAt: input.at }),
    ...(input.outcome && { outcome: input.outcome }),
  };
  const attempts = incident.attempts.map((attempt) => (attempt === known ? updated : attempt));
  // A nudge that was withdrawn or expired before it was taken leaves the incident as if it had not been sent.
  const reachedOrWaiting = attempts.some((attempt) => attempt.state !== 'withdrawn' && attempt.state !== 'expired');
  const state = incident.state === 'nudged' && !reachedOrWaiting ? 'open' : incident.state;
  const isFinal = incident.resolvedAt === null || incident.outcome === 'not_stuck';
  const outcome = isFinal ? incident.outcome : creditedOutcome(attempts, incident.cleared);
  return { ...incident, attempts, state, outcome, updatedAt: input.at };
}

/** Marks an incident as recovered once its successor makes progress, if it ended with its session or was cleared without progress. */
function succeeded(incident: Incident, at: number): Incident {
  if (incident.state === 'recovered' || incident.state === 'muted' || incident.outcome === 'not_stuck') return incident;
  return {
    ...incident,
    state: 'recovered',
    outcome: creditedOutcome(incident.attempts, null),
    resolvedAt: incident.resolvedAt ?? at,
    resolvedLine: incident.resolvedLine ?? incident.alertLine,
    updatedAt: at,
  };
}

function unmuted(incident: Incident): Incident['state'] {
  if (incident.resolvedAt !== null) return 'unknown';
  return incident.attempts.length > 0 ? 'nudged' : 'open';
}
