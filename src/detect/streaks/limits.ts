import type { DetectorOptions, Level, Limits } from '../../core/model';
import { limitsOfWaits } from '../../core/rules/limits';
import type { PastStep, Weight } from '../steps/step';

/** Shortest duration of equal results of a wait before they count as stuck. Milliseconds. */
const SHORTEST_WAIT = 2 * 60_000;

/** Returns the limits. Waits need more equal results than other steps, and time (docs/detectors.md, "What weighs less"). */
export function limitsFor(weight: Weight, options: DetectorOptions): Limits {
  return weight === 'wait' ? limitsOfWaits(options) : options;
}

/**
 * Returns the level of a streak; null below the warning. Waits must also have lasted: at least two minutes, and at least the requested length times
 * the required number of equal results; half of that for a warning.
 *
 * @param steps the counted steps, oldest first
 */
export function levelOf(
  count: number,
  weight: Weight,
  steps: readonly PastStep[],
  options: DetectorOptions,
): Level | null {
  const { warn, stuck } = limitsFor(weight, options);
  if (count < warn) return null;
  if (weight !== 'wait') return count >= stuck ? 'stuck' : 'warn';
  const [first] = steps;
  const last = steps.at(-1);
  if (!first || !last) return null;
  const lasted = last.at - first.at;
  const requestedWait = Math.max(...steps.map((step) => step.requestedWait));
  const least = Math.max(SHORTEST_WAIT, requestedWait * stuck);
  if (count >= stuck && lasted >= least) return 'stuck';
  return lasted >= least / 2 ? 'warn' : null;
}
