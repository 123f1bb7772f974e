import { type Incident, type MessageKind, type RecoveryAttempt, repeatsIn } from '../core/model';

/**
 * Result of an attempt: `waiting`: it was not taken yet; `watching`: it was taken, and the next steps decide; `recovered`, `failed`; `unknown`: the
 * incident was over and nothing shows why; `not_delivered`, `withdrawn`: it never reached the agent.
 */
export type AttemptResult = 'waiting' | 'watching' | 'recovered' | 'failed' | 'unknown' | 'not_delivered' | 'withdrawn';

export function attemptResult(incident: Incident, attempt: RecoveryAttempt): AttemptResult {
  switch (attempt.state) {
    case 'withdrawn':
      return 'withdrawn';
    case 'expired':
    case 'failed':
      return 'not_delivered';
    case 'queued':
      return 'waiting';
    case 'taken':
    case 'seen':
    case 'acted':
      break;
  }
  const reached = incident.attempts.filter((one) => one.takenAt !== undefined);
  if (reached.at(-1)?.message !== attempt.message) return 'failed';
  if (incident.resolvedAt !== null) return incident.state === 'recovered' ? 'recovered' : 'unknown';
  if (attempt.outcome === 'same') return 'failed';
  // The next calls were new, and then the problem came back.
  return attempt.outcome === 'changed' && countedSince(incident, attempt.takenAt ?? attempt.at) ? 'failed' : 'watching';
}

/** Returns the attempts that count: a message withdrawn before it was taken was never an attempt, nor was a restart without an agent. */
export function madeAttempts(incident: Incident): readonly RecoveryAttempt[] {
  return incident.attempts.filter(({ kind, state }) => state !== 'withdrawn' && !(isStart(kind) && state === 'failed'));
}

function isStart(kind: MessageKind): boolean {
  return kind === 'restart' || kind === 'escalate';
}

/** True if the rule counted further after this moment. A streak that stands still is frozen: it says nothing new about an agent. */
export function countedSince(incident: Incident, at: number): boolean {
  return lastCountedAt(incident) > at;
}

/** Returns when the rule last counted, milliseconds since the epoch. */
export function lastCountedAt(incident: Incident): number {
  let last = incident.stuckAt ?? incident.openedAt;
  for (const { at } of repeatsIn(incident.evidence)) if (at > last) last = at;
  return last;
}
