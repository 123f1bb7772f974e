import { type Incident, isActive } from '../../model';
import type { IncidentFilter } from '../../store/types';

export type IncidentGroup = 'Active' | 'Today' | 'This week' | 'Older';

/** What the list is narrowed to. */
export interface IncidentNarrowing {
  /** Every word must occur. */
  readonly text: string;
  readonly agent?: string;
  readonly state?: 'active' | 'recovered' | 'other';
}

const WEEK_MS = 7 * 86_400_000;
/** Incidents that the list holds at most. */
const LISTED = 500;

/** What the store is asked for. */
export function filterOf({ text, agent, state }: IncidentNarrowing): IncidentFilter {
  return {
    limit: LISTED,
    ...(text !== '' && { text }),
    ...(agent !== undefined && { agents: [agent] }),
    ...(state === 'active' && { active: true }),
    ...(state === 'recovered' && { states: ['recovered'] as const }),
    ...(state === 'other' && { states: ['muted', 'ended', 'unknown', 'escalated'] as const }),
  };
}

/** Groups by when an incident was raised; what is open stands first whatever its day. Local days. */
export function grouped(incidents: readonly Incident[], now: number): Map<IncidentGroup, Incident[]> {
  const groups = new Map<IncidentGroup, Incident[]>();
  const today = new Date(now).toDateString();
  for (const incident of incidents) {
    const group: IncidentGroup = isActive(incident.state)
      ? 'Active'
      : new Date(incident.openedAt).toDateString() === today
        ? 'Today'
        : now - incident.openedAt < WEEK_MS
          ? 'This week'
          : 'Older';
    const list = groups.get(group);
    if (list) list.push(incident);
    else groups.set(group, [incident]);
  }
  return groups;
}
