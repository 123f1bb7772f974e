import { GROUPINGS } from './groups';
import { FRESH_OVERVIEW, type OverviewLocal } from './model';

/** Raised when what an older version stored can no longer be read. */
const VERSION = 1;

/** The reader's choices, for the editor to keep while the page is hidden. */
export function toOverviewState({ filter, grouping, folded, active }: OverviewLocal): unknown {
  return { version: VERSION, filter, grouping, folded: [...folded], active };
}

/** Null where another version stored it. */
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
