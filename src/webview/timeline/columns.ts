import { heightIndex, isPatternRepeat } from '../../panel';

/** Below this pitch, in px, steps are joined into columns of 3 px: 2 bar, 1 gap. */
export const COLUMNS_BELOW = 3;
export const COLUMN = 3;
export const COLUMN_BAR = 2;
/** A column with one pattern repeat is this deep at least, so that no repeat vanishes. */
const LEAST_DEPTH = 4;

/** What a column of steps shows. */
export interface Column {
  /** Greatest height above the line: 0 none, 1 looked, 2 ran, 3 changed. */
  readonly above: number;
  /** Share of its steps that repeat within a pattern, 0..1. */
  readonly repeats: number;
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
    let above = 0;
    let repeats = 0;
    for (let step = start; step < end; step++) {
      const flag = flags[step - first] ?? 0;
      if (isPatternRepeat(flag)) repeats++;
      else above = Math.max(above, heightIndex(flag) + 1);
    }
    return { above, repeats: end > start ? repeats / (end - start) : 0 };
  });
}

/** Depth of a column's repeats below the line, of at most `depth` px. */
export function columnDepth(column: Column, depth: number): number {
  return column.repeats === 0 ? 0 : LEAST_DEPTH + Math.round((depth - LEAST_DEPTH) * column.repeats);
}
