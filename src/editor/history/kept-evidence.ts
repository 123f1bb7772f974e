import type { Incident, Source } from '../../core/model';
import type { IncidentStore } from '../../history/types';
import { type Excerpt, keptExcerpt } from '../../core/words';

/** Maximum number of incidents of one session that are searched. */
const MOST = 200;

/** Reads from the history the place of a transcript that is gone; null if no incident's evidence contains it. */
export async function keptExcerptOf(
  store: Pick<IncidentStore, 'current' | 'incidents'>,
  place: Source,
  session: string,
): Promise<Excerpt | null> {
  const current = store.current().filter((incident) => incident.session === session);
  return foundIn(current, place) ?? foundIn(await store.incidents({ session, limit: MOST }), place);
}

function foundIn(incidents: readonly Incident[], place: Source): Excerpt | null {
  for (const incident of incidents) {
    const kept = keptExcerpt(incident, place);
    if (kept) return kept;
  }
  return null;
}
