import { type OverviewRow } from '../../panel-model';

/** A row changes its place only after its wanted place has differed for this long, milliseconds. */
const SETTLED_MS = 3_000;

interface Place {
  readonly standing: OverviewRow['standing'];
  /** The row's wanted place, and since when. */
  readonly wanted: OverviewRow['standing'];
  readonly wantedAt: number;
}

/** The places of the rows on the page. Rows stay in place for a while, since a click must not hit a row that has just moved under the pointer. */
export interface Order {
  /** Sessions in the order of the page. */
  readonly sessions: readonly string[];
  readonly places: ReadonlyMap<string, Place>;
  /** Number of rows that would be in another place. */
  readonly waiting: number;
  /** When a row that is settling has to be checked again; infinite for none. */
  readonly dueAt: number;
}

export const NO_ORDER: Order = { sessions: [], places: new Map(), waiting: 0, dueAt: Number.POSITIVE_INFINITY };

/**
 * Returns the order of the page after the host reported the current one.
 *
 * @param isHeld true if the pointer is over the list, or a row has the focus: no row moves then
 */
export function ordered(
  before: Order,
  rows: ReadonlyMap<string, OverviewRow>,
  wanted: readonly string[],
  isHeld: boolean,
  now: number,
): Order {
  const places = new Map<string, Place>();
  let dueAt = Number.POSITIVE_INFINITY;
  for (const session of wanted) {
    const row = rows.get(session);
    if (!row) continue;
    const old = before.places.get(session);
    const wantedAt = old?.wanted === row.standing ? old.wantedAt : now;
    const isSettled = !old || old.standing === row.standing || now - wantedAt >= SETTLED_MS;
    if (!isSettled) dueAt = Math.min(dueAt, wantedAt + SETTLED_MS);
    const standing = isSettled && !(isHeld && old) ? row.standing : (old?.standing ?? row.standing);
    places.set(session, { standing, wanted: row.standing, wantedAt });
  }
  const known = before.sessions.filter((session) => places.has(session));
  const fresh = wanted.filter((session) => places.has(session) && !before.places.has(session));
  if (isHeld && known.length > 0) {
    const kept = new Set(known);
    const goal = wanted.filter((session) => kept.has(session));
    const waiting = known.filter((session, index) => goal[index] !== session).length + fresh.length;
    return { sessions: known, places: withoutFresh(places, fresh), waiting, dueAt };
  }
  return { sessions: wanted.filter((session) => places.has(session)), places, waiting: 0, dueAt };
}

/** Removes rows that appeared while nothing may move; they are shown with the next order. */
function withoutFresh(places: Map<string, Place>, fresh: readonly string[]): Map<string, Place> {
  for (const session of fresh) places.delete(session);
  return places;
}
