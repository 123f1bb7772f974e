import { type Incident, endingOf, isActive } from '../../core/model';
import type { EventFilter, IncidentFilter, Learning, StoreEvent } from '../types';

/**
 * Returns the incidents that match a filter, newest first by opening: this window's answer from memory if the catalogue cannot be queried. Same
 * conditions as `incidentsWhere` in SQL.
 */
export function filterIncidents(incidents: Iterable<Incident>, filter: IncidentFilter = {}): readonly Incident[] {
  const accepts = incidentTest(filter);
  const result: Incident[] = [];
  for (const incident of incidents) if (accepts(incident)) result.push(incident);
  result.sort((a, b) => b.openedAt - a.openedAt || (a.id < b.id ? 1 : -1));
  return filter.limit === undefined ? result : result.slice(0, filter.limit);
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
      (filter.incident === undefined || filter.incident === event.incident) &&
      (filter.since === undefined || event.t >= filter.since);
    if (isWanted) result.push(event);
  }
  result.sort((a, b) => a.t - b.t || (a.id < b.id ? -1 : 1));
  return filter.limit === undefined ? result : filter.limit <= 0 ? [] : result.slice(-filter.limit);
}

/** Returns the learnings that were not forgotten, pinned ones first, then the newest. */
export function shownLearnings(learnings: Iterable<Learning>): readonly Learning[] {
  const isPinned = ({ pinned }: Learning) => Number(pinned === true);
  return [...learnings]
    .filter(({ forgotten }) => forgotten !== true)
    .sort((a, b) => isPinned(b) - isPinned(a) || b.at - a.at || (a.id < b.id ? 1 : -1));
}
