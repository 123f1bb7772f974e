import type { Incident } from '../../core/model';

/** Returns whether an incident is new or its state or level changed. Its count alone changes many times. */
export function isTurn(incident: Incident, before: Incident | null): boolean {
  return before === null || before.state !== incident.state || before.level !== incident.level;
}
