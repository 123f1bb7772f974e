import { clock, clockSeconds } from '../../../core/words';
import { type TimelineSteps, stepTimeOf } from './steps';
import { type Geometry, xOf } from './window';

/** A time under the line. */
export interface AxisLabel {
  /** Position of its tick. */
  readonly x: number;
  /** Middle of its text, moved in from the edges. */
  readonly middle: number;
  readonly text: string;
}

/** Minimum distance between the steps of two labels, px. */
const EVERY = 96;
/** Minimum space between two texts, px. */
const AIR = 16;
/** If the whole time is shorter, labels include the seconds: minutes alone would repeat themselves. */
const SECONDS_BELOW_MS = 600_000;

/** Lays out the times under the visible steps. No text appears twice, and no text touches another. */
export function layoutAxis(steps: TimelineSteps, geometry: Geometry, measure: (text: string) => number): AxisLabel[] {
  const { from, to } = geometry;
  if (to <= from) return [];
  const isShort = stepTimeOf(steps, to - 1) - stepTimeOf(steps, from) < SECONDS_BELOW_MS;
  const words = isShort ? clockSeconds : clock;
  const every = Math.max(1, Math.ceil(EVERY / geometry.pitch));
  // Placed by the clock, distances differ, so each label needs its own room.
  const isFar = (step: number, before: number) =>
    geometry.clock ? xOf(geometry, step) - before >= EVERY : (step - from) % every === 0;
  const labels: AxisLabel[] = [];
  let free = Number.NEGATIVE_INFINITY;
  for (let step = from; step < to; step++) {
    if (!isFar(step, labels.at(-1)?.x ?? Number.NEGATIVE_INFINITY) && step !== to - 1) continue;
    const text = words(stepTimeOf(steps, step));
    if (text === labels.at(-1)?.text) continue;
    const half = measure(text) / 2;
    const x = xOf(geometry, step);
    const middle = Math.min(Math.max(x, geometry.left + half), geometry.width - half);
    if (middle - half < free) continue;
    labels.push({ x, middle, text });
    free = middle + half + AIR;
  }
  return labels;
}
