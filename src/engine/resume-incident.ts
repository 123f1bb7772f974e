import type { Incident } from '../core/model';
import type { Session } from './session/session';

/**
 * Carries over what a person or a recovery did to an incident before the window was reloaded, or in the previous run of a loop.
 *
 * @param id of the incident that was found again
 * @param stored what is known of it from before
 */
export function resumeIncident(session: Pick<Session, 'changeIncident'>, id: string, stored: Incident): void {
  for (const attempt of stored.attempts) session.changeIncident(id, { type: 'attempt', attempt });
  if (stored.notified) session.changeIncident(id, { type: 'notified', at: stored.updatedAt });
  if (stored.outcome === 'not_stuck') session.changeIncident(id, { type: 'not_stuck', at: stored.updatedAt });
  if (stored.state === 'muted') session.changeIncident(id, { type: 'mute', at: stored.updatedAt });
  if (stored.state === 'escalated') session.changeIncident(id, { type: 'escalate', at: stored.updatedAt });
  // What freed it is in the transcript of the session that took over, not in its own.
  const elsewhere = stored.state === 'recovered' && stored.cleared === null && stored.outcome === 'restart';
  if (elsewhere && stored.resolvedAt !== null) session.changeIncident(id, { type: 'succeeded', at: stored.resolvedAt });
}
