import { heightIndex, isPatternRepeat } from '../../panel-model';
import { type Geometry, endOf } from './window';

/** Pitch, in px, below which steps are joined into columns of 3 px: 2 bar, 1 gap. */
const COLUMNS_BELOW = 3;
export const COLUMN = 3;
export const COLUMN_BAR = 2;
/** Minimum depth of a column with one pattern repeat, so that no repeat vanishes. */
const LEAST_DEPTH = 4;

/** Content of a column of steps. */
export interface Column {
  /** Greatest height above the line: 0 none, 1 looked, 2 ran, 3 changed. */
  readonly above: number;
  /** Share of its steps that repeat within a pattern, 0..1. */
  readonly repeats: number;
}

/** Returns whether steps are joined. Placed by the clock, some are closer to each other than the pitch. */
export function isJoined({ pitch, clock }: Geometry): boolean {
  return pitch < (clock ? 2 * COLUMNS_BELOW : COLUMNS_BELOW);
}

/** Returns the columns of the visible steps, from the left edge on. `flags` starts at step `first` of the session. */
export function visibleColumns(flags: Uint8Array, first: number, geometry: Geometry): Column[] {
  const { clock, left, from, to } = geometry;
  const width = Math.min(geometry.width, endOf(geometry)) - left;
  const columns = Math.max(1, Math.floor(width / COLUMN));
  if (!clock) return columnsOf(flags, first, from, to, columns);
  let end = 0;
  return Array.from({ length: columns }, (_, column) => {
    const start = end;
    const until = column === columns - 1 ? Number.POSITIVE_INFINITY : left + (column + 1) * COLUMN;
    while (end < clock.x.length && (clock.x[end] ?? 0) < until) end++;
    return columnOf(flags, from + start - first, from + end - first);
  });
}

/**
 * Joins steps into columns.
 *
 * `flags` starts at step `first` of the session; the columns cover [from, to).
 */
export function columnsOf(flags: Uint8Array, first: number, from: number, to: number, columns: number): Column[] {
  const perColumn = (to - from) / columns;
  return Array.from({ length: columns }, (_, column) => {
    const start = from + Math.floor(column * perColumn);
    const end = Math.min(to, Math.max(start + 1, from + Math.floor((column + 1) * perColumn)));
    return columnOf(flags, start - first, end - first);
  });
}

/** Returns the column of flags [start, end). By the clock it is empty where nothing happened. */
function columnOf(flags: Uint8Array, start: number, end: number): Column {
  let above = 0;
  let repeats = 0;
  for (let index = start; index < end; index++) {
    const flag = flags[index] ?? 0;
    if (isPatternRepeat(flag)) repeats++;
    else above = Math.max(above, heightIndex(flag) + 1);
  }
  return { above, repeats: end > start ? repeats / (end - start) : 0 };
}

/** Returns the depth of a column's repeats below the line, at most `depth` px. */
export function columnDepth(column: Column, depth: number): number {
  return column.repeats === 0 ? 0 : LEAST_DEPTH + Math.round((depth - LEAST_DEPTH) * column.repeats);
}
