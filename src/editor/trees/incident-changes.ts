import type { Incident } from '../../core/model';
import type { IncidentGroup } from './incident-groups';

/** Groups in the order of the list, with their incidents. */
export type GroupedIncidents = ReadonlyMap<IncidentGroup, readonly Incident[]>;

/** Rows of the list that no longer look as they were drawn. */
export interface IncidentChanges {
  /**
   * True if an incident moved between groups, or a group appeared or disappeared: VS Code must forget all rows before it draws them in another place.
   */
  readonly all: boolean;
  /** The only group in which an incident appeared or disappeared. */
  readonly group: IncidentGroup | null;
  /**
   * Ids of incidents that stayed in their place but whose row looks different. Rows that were never drawn, such as those of a closed group, are left
   * out.
   */
  readonly rows: readonly string[];
}

/**
 * Compares the list with how it was drawn. VS Code keeps something of each row that it draws until the view is closed, so a count that rises by one
 * must not draw hundreds of rows. Pure.
 *
 * @param looks how each row looked when it was drawn, by the id of its incident
 */
export function changesOf(
  drawn: GroupedIncidents,
  now: GroupedIncidents,
  looks: ReadonlyMap<string, string>,
  lookOf: (incident: Incident) => string,
): IncidentChanges {
  const same = [...drawn.keys()].join() === [...now.keys()].join();
  const differing = [...now].filter(([group, incidents]) => idsOf(incidents) !== idsOf(drawn.get(group) ?? []));
  const [only] = differing;
  if (!same || differing.length > 1) return { all: true, group: null, rows: [] };
  const rows = [...now.values()].flat().filter((incident) => {
    const look = looks.get(incident.id);
    return look !== undefined && look !== lookOf(incident);
  });
  return { all: false, group: only?.[0] ?? null, rows: rows.map(({ id }) => id) };
}

function idsOf(incidents: readonly Incident[]): string {
  return incidents.map(({ id }) => id).join(' ');
}
