import { age } from '../../../core/words';
import type { ClockPlaces, Cut, Geometry } from './window';

/** A longer wait is cut, and named: otherwise one night would press all steps together. */
const CUT_FROM_MS = 5 * 60_000;
/** Width of a cut wait, if half of the room is enough for all of them; px. */
const CUT_WIDTH = 24;
/** Minimum distance of two steps, so that a parallel batch is not one mark; px. All minimum distances together take at most half of the room. */
const LEAST = 3;
/** Maximum space before the first and after the last step, px. */
const MARGIN = 10;

/**
 * Places the steps that `geometry` shows by the clock, between its left edge and `end`, px.
 *
 * The distance of two steps grows with the time between them; waits over 5 min are cut to one width. `at` contains the times of all steps from step
 * `first` on, ms since the epoch. A step with an earlier time than the one before counts as at the same time.
 */
export function byClock(geometry: Geometry, at: Float64Array, first: number, end: number): Geometry {
  const { left, pitch } = geometry;
  const times = ascending(at.subarray(geometry.from - first, geometry.to - first));
  const count = times.length;
  if (count < 2) return geometry;
  const margin = Math.min(MARGIN, pitch / 2);
  const room = Math.max(1, end - left - 2 * margin);
  const least = Math.min(LEAST, room / (count - 1) / 2);
  let timed = 0;
  let long = 0;
  for (let i = 1; i < count; i++) {
    const wait = waitBefore(times, i);
    if (wait > CUT_FROM_MS) long++;
    else timed += wait;
  }
  const free = room - least * (count - 1);
  const cut = long === 0 ? 0 : Math.min(CUT_WIDTH, free / long / 2);
  const perMs = timed === 0 ? 0 : (free - cut * long) / timed;
  const x = new Float64Array(count);
  const cuts: Cut[] = [];
  x[0] = left + margin;
  for (let i = 1; i < count; i++) {
    const wait = waitBefore(times, i);
    const isCut = wait > CUT_FROM_MS;
    const before = x[i - 1] ?? 0;
    x[i] = before + least + (isCut ? cut : wait * perMs);
    if (isCut) cuts.push({ from: before, to: x[i] ?? 0, ms: wait });
  }
  const clock: ClockPlaces = { x, at: times, cuts, end: (x[count - 1] ?? 0) + margin };
  return { ...geometry, clock };
}

/** Returns the ms between a visible step and the one before it. */
function waitBefore(times: Float64Array, index: number): number {
  return (times[index] ?? 0) - (times[index - 1] ?? 0);
}

function ascending(at: Float64Array): Float64Array {
  const times = Float64Array.from(at);
  for (let i = 1; i < times.length; i++) times[i] = Math.max(times[i] ?? 0, times[i - 1] ?? 0);
  return times;
}

/** The words of a cut wait, over its middle. */
export interface CutName {
  readonly middle: number;
  readonly words: string;
}

/** Minimum space between the words of two cuts, px. */
const AIR = 8;

/** Returns labels of the cut waits that have room next to each other. */
export function nameCuts(cuts: readonly Cut[], measure: (text: string) => number): CutName[] {
  const names: CutName[] = [];
  let free = Number.NEGATIVE_INFINITY;
  for (const cut of cuts) {
    const words = age(cut.ms);
    const half = measure(words) / 2;
    const middle = (cut.from + cut.to) / 2;
    if (middle - half < free) continue;
    free = middle + half + AIR;
    names.push({ middle, words });
  }
  return names;
}
