import { type Incident, endingOf, isActive } from '../../core/model';
import type { EventFilter, IncidentFilter, Learning, LearningFilter, StoreEvent } from '../types';

/**
 * Returns the incidents that match a filter, newest first by opening: this window's answer from memory if the catalogue cannot be queried. Same
 * conditions as `incidentsWhere` in SQL.
 */
export function filterIncidents(incidents: Iterable<Incident>, filter: IncidentFilter = {}): readonly Incident[] {
  const accepts = incidentTest(filter);
  const result: Incident[] = [];
  for (const incident of incidents) if (accepts(incident)) result.push(incident);
  result.sort((a, b) => b.openedAt - a.openedAt || (a.id < b.id ? 1 : -1));
  const offset = filter.offset ?? 0;
  return offset === 0 && filter.limit === undefined
    ? result
    : result.slice(offset, offset + (filter.limit ?? Infinity));
}

function incidentTest(filter: IncidentFilter): (incident: Incident) => boolean {
  const ids = filter.ids && new Set(filter.ids);
  return (incident) => {
    const { folder } = incident;
    const ending = endingOf(incident);
    return (
      (!ids || ids.has(incident.id)) &&
      (filter.active === undefined || filter.active === isActive(incident.state)) &&
      (!filter.levels || filter.levels.includes(incident.level)) &&
      (!filter.states || filter.states.includes(incident.state)) &&
      (!filter.endings || filter.endings.includes(ending ?? 'open')) &&
      (!filter.agents || filter.agents.includes(incident.agent)) &&
      (!filter.detectors || filter.detectors.includes(incident.detector)) &&
      (filter.session === undefined || filter.session === incident.session) &&
      (!filter.folders || filter.folders.some((one) => isInFolder(folder, one))) &&
      (filter.since === undefined || incident.openedAt >= filter.since) &&
      (filter.until === undefined || incident.openedAt < filter.until)
    );
  };
}

/** Compares paths of any system as text. */
function isInFolder(path: string | undefined, folder: string): boolean {
  return path !== undefined && `${path.replaceAll('\\', '/')}/`.startsWith(`${folder.replaceAll('\\', '/')}/`);
}

/** Returns the matching events, oldest first; with a limit, only the newest. */
export function filterEvents(events: Iterable<StoreEvent>, filter: EventFilter = {}): readonly StoreEvent[] {
  const result: StoreEvent[] = [];
  for (const event of events) {
    const isWanted =
      (filter.type === undefined || filter.type === event.type) &&
      (filter.session === undefined || filter.session === event.session) &&
      (filter.agent === undefined || filter.agent === event.agent) &&
      (filter.incident === undefined || filter.incident === event.incident) &&
      (filter.since === undefined || event.t >= filter.since) &&
      (filter.until === undefined || event.t < filter.until);
    if (isWanted) result.push(event);
  }
  result.sort((a, b) => a.t - b.t || (a.id < b.id ? -1 : 1));
  return filter.limit === undefined ? result : filter.limit <= 0 ? [] : result.slice(-filter.limit);
}

/** Returns the matching learnings, pinned ones first, then the newest. */
export function filterLearnings(learnings: Iterable<Learning>, filter: LearningFilter = {}): readonly Learning[] {
  const result: Learning[] = [];
  for (const learning of learnings) {
    if (learning.forgotten === true || (filter.agent !== undefined && filter.agent !== learning.agent)) continue;
    if (filter.tags?.some((tag) => !learning.tags.includes(tag))) continue;
    result.push(learning);
  }
  const isPinned = ({ pinned }: Learning) => Number(pinned === true);
  result.sort((a, b) => isPinned(b) - isPinned(a) || b.at - a.at || (a.id < b.id ? 1 : -1));
  return filter.limit === undefined ? result : result.slice(0, Math.max(0, filter.limit));
}
