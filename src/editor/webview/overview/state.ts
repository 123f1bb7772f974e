import { GROUPINGS } from './groups';
import { FRESH_OVERVIEW, type OverviewLocal } from './model';

/** Raised when stored state of an older version can no longer be read. */
const VERSION = 1;

/** Returns the reader's choices, for the editor to keep while the page is hidden. */
export function toOverviewState({ filter, grouping, folded, active }: OverviewLocal): unknown {
  return { version: VERSION, filter, grouping, folded: [...folded], active };
}

/** Reads the stored choices; null if another version stored them. */
export function fromOverviewState(state: unknown): OverviewLocal | null {
  const stored = (state ?? {}) as Readonly<Record<string, unknown>>;
  if (stored['version'] !== VERSION) return null;
  const { filter, grouping, folded, active } = stored;
  const pairs = Array.isArray(folded) ? (folded as readonly unknown[]) : [];
  return {
    filter: typeof filter === 'string' ? filter : FRESH_OVERVIEW.filter,
    grouping: GROUPINGS.find((one) => one === grouping) ?? FRESH_OVERVIEW.grouping,
    folded: new Map(pairs.filter(isPair)),
    active: typeof active === 'string' ? active : null,
  };
}

function isPair(value: unknown): value is [string, boolean] {
  return Array.isArray(value) && typeof value[0] === 'string' && typeof value[1] === 'boolean';
}
