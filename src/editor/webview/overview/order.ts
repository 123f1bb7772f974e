import { type OverviewRow } from '../../panel-model';

/** A row changes its place only after it has stood otherwise for so long, milliseconds. */
const SETTLED_MS = 3_000;

interface Place {
  readonly standing: OverviewRow['standing'];
  /** Where it would stand, and since when. */
  readonly wanted: OverviewRow['standing'];
  readonly wantedAt: number;
}

/** The places of the rows on the page: what changes under the pointer is not what a person meant to click. */
export interface Order {
  /** Sessions in the order of the page. */
  readonly sessions: readonly string[];
  readonly places: ReadonlyMap<string, Place>;
  /** Number of rows that would stand elsewhere. */
  readonly waiting: number;
  /** When a row that settles has to be looked at again; infinite for none. */
  readonly dueAt: number;
}

export const NO_ORDER: Order = { sessions: [], places: new Map(), waiting: 0, dueAt: Number.POSITIVE_INFINITY };

/**
 * The order of the page after the host said how it is now.
 *
 * @param isHeld the pointer is over the list, or a row has the focus: no row moves
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

/** Rows that came while nothing may move are shown with the next order. */
function withoutFresh(places: Map<string, Place>, fresh: readonly string[]): Map<string, Place> {
  for (const session of fresh) places.delete(session);
  return places;
}
