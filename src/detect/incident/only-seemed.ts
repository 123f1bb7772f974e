import type { Incident } from '../../core/model';

/** An incident that only seemed to be one, because the lines before were not known. */
export function onlySeemed(incident: Incident, now: number): Incident {
  return { ...incident, state: 'unknown', cleared: 'off', resolvedAt: now, updatedAt: now };
}
