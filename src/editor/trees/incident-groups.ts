import { type Incident, isActive } from '../../core/model';
import { readSearchLine } from '../../history';
import type { IncidentFilter } from '../../history/types';

export type IncidentGroup = 'Replay' | 'Today' | 'Yesterday' | 'This week' | 'Earlier';

/** Filter of the list: a line of the search, and chips that combine with it. */
export interface IncidentNarrowing {
  /** In the form that `readSearchLine` reads. */
  readonly text: string;
  readonly chips: readonly Chip[];
}

/** One value to narrow by. Chips of one kind are combined with "or", chips of different kinds with "and". */
export interface Chip {
  readonly kind: 'level' | 'outcome' | 'rule' | 'agent' | 'folder' | 'time';
  /** In the form of a search line: `stuck`, `nudge`, `cycle`, `codex`, a path, `7d`. */
  readonly value: string;
}

export const NOTHING_NARROWED: IncidentNarrowing = { text: '', chips: [] };

const DAY_MS = 86_400_000;
const WEEK_MS = 7 * DAY_MS;
/** Maximum number of incidents in the list. */
export const LISTED = 500;
/** Maximum number of search results. Those further down match less and less. */
export const FOUND = 100;

/**
 * Makes the query of a filter.
 * @param now milliseconds since the epoch
 */
export function questionOf({ text, chips }: IncidentNarrowing, now: number): { words: string; filter: IncidentFilter } {
  const line = [text, ...chips.map(partOf)].join(' ');
  const { words, filter } = readSearchLine(line, now);
  return { words, filter };
}

function partOf({ kind, value }: Chip): string {
  return kind === 'time' ? `since:${value}` : `${kind}:"${value}"`;
}

/**
 * Groups incidents that are over by the local day on which they were raised. Open incidents are shown only in the view *Agents*, unless their agent
 * is no longer there: its transcript may be gone.
 */
export function grouped(
  incidents: readonly Incident[],
  now: number,
  isListed: (incident: Incident) => boolean,
): Map<IncidentGroup, Incident[]> {
  const groups = new Map<IncidentGroup, Incident[]>();
  const today = new Date(now);
  const yesterday = new Date(today.getFullYear(), today.getMonth(), today.getDate() - 1).toDateString();
  for (const incident of incidents) {
    if (isActive(incident.state) && isListed(incident)) continue;
    const day = new Date(incident.openedAt).toDateString();
    const group =
      day === today.toDateString()
        ? 'Today'
        : day === yesterday
          ? 'Yesterday'
          : now - incident.openedAt < WEEK_MS
            ? 'This week'
            : 'Earlier';
    const list = groups.get(group);
    if (list) list.push(incident);
    else groups.set(group, [incident]);
  }
  return groups;
}
