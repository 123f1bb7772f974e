import { type Incident, endingOf } from '../../core/model';
import type { NewStoreEvent } from '../../history/types';

/** Rows of evidence in an event: the first and the last two. */
const ROWS = 3;

/**
 * The events that a change of an incident is worth: it was observed or grew graver, it is the person's turn, a message got further, it is
 * over. Their times are those of the incident, not of this window: who reads the same transcript writes the same events, and the log has
 * them once.
 *
 * @param before null for an incident that is new
 */
export function storyOf(incident: Incident, before: Incident | null): readonly NewStoreEvent[] {
  const { id, session, agent } = incident;
  const event = (type: NewStoreEvent['type'], t: number, data: NewStoreEvent['data']): NewStoreEvent => ({
    t,
    type,
    session,
    agent,
    incident: id,
    data,
  });
  const events: NewStoreEvent[] = [];
  const isGraver = before === null || before.level !== incident.level || before.reopened !== incident.reopened;
  if (isGraver) {
    const at = before === null ? incident.openedAt : incident.updatedAt;
    const isStuck = incident.level === 'stuck' && incident.stuckAt !== null && before?.level !== 'stuck';
    events.push(event('StuckObservation', isStuck ? (incident.stuckAt ?? at) : at, observationOf(incident)));
  }
  if (incident.state === 'escalated' && before?.state !== 'escalated') {
    const { detector, attempts, why } = incident;
    events.push(event('Escalation', incident.updatedAt, { heuristic: detector, attempts: attempts.length, why }));
  }
  for (const attempt of incident.attempts) {
    const known = before?.attempts.find(({ message }) => message === attempt.message);
    if (known?.state === attempt.state && known.outcome === attempt.outcome) continue;
    const { message, kind, state, automated, rung, outcome, at, takenAt } = attempt;
    const data = { message, kind, state, automated, attempt: attempt.attempt };
    const t = state === 'queued' ? at : (takenAt ?? incident.updatedAt);
    events.push(event('Delivery', t, { ...data, ...(rung && { rung }), ...(outcome && { outcome }) }));
  }
  const isOver = incident.resolvedAt !== null && (before === null || before.resolvedAt === null);
  const isBetterKnown = incident.resolvedAt !== null && before !== null && endingOf(before) !== endingOf(incident);
  if (incident.resolvedAt !== null && (isOver || isBetterKnown)) {
    const { detector, cleared, firstAt, resolvedAt, tokensSinceFirst, count } = incident;
    events.push(
      event('Resolution', resolvedAt, {
        heuristic: detector,
        outcome: endingOf(incident) ?? 'open',
        cleared,
        count,
        afterMs: Math.max(0, resolvedAt - firstAt),
        ...(tokensSinceFirst !== undefined && { tokens: tokensSinceFirst }),
      }),
    );
  }
  return events;
}

function observationOf(incident: Incident): NewStoreEvent['data'] {
  const { detector, rule, level, count, confidence, certainty, reason, why, suggestion, evidence } = incident;
  const counted = evidence.filter((row) => row.role !== 'between');
  const rows = counted.length <= ROWS ? counted : [...counted.slice(0, 1), ...counted.slice(1 - ROWS)];
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
