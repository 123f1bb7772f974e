import { type DeliveryState, type Incident, type Level, endingOf, repeatsIn } from '../../core/model';
import { identityTime } from '../../history/prepare';
import type { NewStoreEvent } from '../../history/types';

/** Rows of evidence in an event: the first and the last two. */
const ROWS = 3;

/** The place of states that end a message. */
const END = 4;

/** The states that are reported, in the order for states of the same moment: what was seen, how far a message got, whose turn it is, the end. */
const PLACES = {
  warn: 0,
  stuck: 0,
  queued: 1,
  taken: 2,
  seen: 3,
  acted: END,
  withdrawn: END,
  expired: END,
  failed: END,
  escalated: 5,
  resolved: 6,
} as const satisfies Readonly<Record<Level | DeliveryState | 'escalated' | 'resolved', number>>;

/**
 * Returns the events that a change of an incident is worth: it was observed or became more serious, it is the person's turn, a message got further,
 * it is over. Each state that was entered is one event, which is replaced when more is known of it. Their times are those of the incident, not of
 * this window: every window that reads the same transcript writes the same events, and the log has them once.
 *
 * @param before null for a new incident
 */
export function storyOf(incident: Incident, before: Incident | null): readonly NewStoreEvent[] {
  const { id, session, agent } = incident;
  const { openedAt, reopened } = incident;
  const since = identityTime(incident);
  /** `message`: a message to the agent stays the same one in every cycle in which something is learnt about it. */
  const event = (
    type: NewStoreEvent['type'],
    t: number,
    data: NewStoreEvent['data'],
    state: keyof typeof PLACES,
    message?: string,
  ): NewStoreEvent => {
    const cycle = message === undefined ? reopened : 0;
    // A message ends once: an apparent failure gives way to what its transcript shows later.
    const what = PLACES[state] === END ? 'end' : state;
    const identity = { since, cycle, place: PLACES[state], words: [id, what, message ?? reopened] };
    return { identity, t, type, session, agent, incident: id, data };
  };
  // A delivery that is reported late has an earlier time.
  const knownAt = Math.max(incident.updatedAt, before?.updatedAt ?? 0);
  const events: NewStoreEvent[] = [];
  const isGraver = before === null || before.level !== incident.level || before.reopened !== reopened;
  if (isGraver) {
    const at = before === null ? openedAt : incident.updatedAt;
    const isStuck = incident.level === 'stuck' && incident.stuckAt !== null && before?.level !== 'stuck';
    const t = isStuck ? (incident.stuckAt ?? at) : at;
    events.push(event('StuckObservation', t, observationOf(incident), incident.level));
  }
  if (incident.state === 'escalated' && before?.state !== 'escalated') {
    const { detector, attempts, why } = incident;
    const data = { heuristic: detector, attempts: attempts.length, why };
    events.push(event('Escalation', incident.updatedAt, data, 'escalated'));
  }
  for (const attempt of incident.attempts) {
    const known = before?.attempts.find(({ message }) => message === attempt.message);
    if (known?.state === attempt.state && known.outcome === attempt.outcome) continue;
    const { message, kind, state, automated, rung, outcome, at, takenAt } = attempt;
    const t = state === 'queued' ? at : Math.max(at, state === 'taken' ? (takenAt ?? knownAt) : knownAt);
    const more = { ...(rung && { rung }), ...(outcome && { outcome }), knownAt };
    const data = { message, kind, state, automated, attempt: attempt.attempt, ...more };
    events.push(event('Delivery', t, data, state, message));
  }
  const isOver = incident.resolvedAt !== null && (before === null || before.resolvedAt === null);
  const isBetterKnown = incident.resolvedAt !== null && before !== null && endingOf(before) !== endingOf(incident);
  if (incident.resolvedAt !== null && (isOver || isBetterKnown)) {
    const { detector, cleared, firstAt, resolvedAt, tokensSinceFirst, count } = incident;
    const data = {
      heuristic: detector,
      outcome: endingOf(incident) ?? 'open',
      cleared,
      count,
      afterMs: Math.max(0, resolvedAt - firstAt),
      ...(tokensSinceFirst !== undefined && { tokens: tokensSinceFirst }),
      knownAt,
    };
    events.push(event('Resolution', resolvedAt, data, 'resolved'));
  }
  return events;
}

function observationOf(incident: Incident): NewStoreEvent['data'] {
  const { detector, rule, level, count, confidence, certainty, reason, why, suggestion, evidence } = incident;
  const repeats = repeatsIn(evidence);
  const rows = repeats.length <= ROWS ? repeats : [...repeats.slice(0, 1), ...repeats.slice(1 - ROWS)];
  return {
    heuristic: detector,
    rule,
    level,
    count,
    confidence,
    certainty,
    reason,
    why,
    evidence: rows.map(({ source, subject, text }) => ({ line: source.line, call: subject, text })),
    suggestion,
  };
}
