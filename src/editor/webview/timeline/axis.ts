import { clock, clockSeconds } from '../../../core/words';
import { type TimelineSteps, stepTimeOf } from './steps';
import { type Geometry, xOf } from './window';

/** A time under the line. */
export interface AxisLabel {
  /** Where its tick stands. */
  readonly x: number;
  /** Middle of its text, moved in from the edges. */
  readonly middle: number;
  readonly text: string;
}

/** Least distance of two labels' steps, px. */
const EVERY = 96;
/** Least air between two texts, px. */
const AIR = 16;
/** A shorter time is told with its seconds: minutes alone would say the same again and again. */
const SECONDS_BELOW_MS = 600_000;

/** The times under the visible steps: no text twice, and none that meets another. */
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
