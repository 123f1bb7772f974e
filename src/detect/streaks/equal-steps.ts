import { type DetectContext, REMEMBERED_STEPS } from '../session/detector';
import type { PastStep } from '../steps/step';

/**
 * Returns the steps of the same call with the same saying as the current one, oldest first, the current one included.
 *
 * The count starts again depending on the weight (docs/detectors.md, "What weighs less" and "What resets"): at a message of a
 * person always; where the same call succeeded with another saying; for a wait where any other step said something new or
 * changed something; for a change where another one was made; for a look where something was changed or checked, or a step that
 * is no look said something new.
 */
export function equalSteps(step: PastStep, context: DetectContext, window: number): PastStep[] {
  const found: PastStep[] = [];
  const { steps, stepsAtUserMessage } = context;
  const most = step.weight === 'wait' ? REMEMBERED_STEPS : Math.min(window, REMEMBERED_STEPS);
  for (let back = 0; back < most; back++) {
    const past = steps.last(back);
    if (!past || past.index < stepsAtUserMessage) break;
    if (past.outcome === step.outcome) {
      if (past.counted) found.push(past);
      continue;
    }
    if (begins(step, past)) break;
  }
  return found.reverse();
}

/** Returns whether the count of `step` starts again after `past`. */
function begins(step: PastStep, past: PastStep): boolean {
  // A failure in between clears nothing: that the command crashed says nothing new of its result.
  if (past.signature === step.signature && past.outcome > 0) return !past.crashed;
  if (step.weight === 'wait') return past.isNew || past.changes;
  // Changing again what was changed in between is no repeat.
  if (step.weight === 'change') return past.changes;
  if (step.weight !== 'look') return false;
  return past.changes || past.check || (past.isNew && past.weight !== 'look');
}

/** Returns the steps with the same saying among all that are remembered, whatever lies between. */
export function saidInAll(step: PastStep, { steps, stepsAtUserMessage }: DetectContext): PastStep[] {
  const found: PastStep[] = [];
  for (let back = 0; back < REMEMBERED_STEPS; back++) {
    const past = steps.last(back);
    if (!past || past.index < stepsAtUserMessage) break;
    if (past.counted && past.outcome === step.outcome) found.push(past);
  }
  return found.reverse();
}
