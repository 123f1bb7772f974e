import type { DetectorOptions, Level, Limits } from '../../core/model';
import { limitsOfWaits } from '../../core/rules/limits';
import type { PastStep, Weight } from '../steps/step';

/** Milliseconds that equal results of a wait last at least before they say stuck. */
const SHORTEST_WAIT = 2 * 60_000;

/** Waits need more equal results than other steps, and time (docs/detectors.md, "What weighs less"). */
export function limitsFor(weight: Weight, options: DetectorOptions): Limits {
  return weight === 'wait' ? limitsOfWaits(options) : options;
}

/**
 * Returns the level of a streak, null below the warning. Waits must also have lasted: at least two minutes and as many times
 * the requested length as must be equal, half of that to warn.
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
  const asked = Math.max(...steps.map((step) => step.asked));
  const least = Math.max(SHORTEST_WAIT, asked * stuck);
  if (count >= stuck && lasted >= least) return 'stuck';
  return lasted >= least / 2 ? 'warn' : null;
}
