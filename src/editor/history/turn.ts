import type { Incident } from '../../core/model';

/** Is the incident new, or did its state or level change? Its count alone changes many times. */
export function isTurn(incident: Incident, before: Incident | null): boolean {
  return before === null || before.state !== incident.state || before.level !== incident.level;
}
