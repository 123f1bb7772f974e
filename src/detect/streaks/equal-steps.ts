import { type DetectContext, REMEMBERED_MESSAGES } from '../session/detector';
import type { PastStep } from '../steps/step';

/**
 * Returns the steps of the same call with the same saying as the current one, oldest first, including the current one.
 *
 * The count starts again depending on the weight (docs/detectors.md, "What weighs less" and "What resets"): at a prompt that adds something, and
 * where another commit was checked out; where the same call succeeded with another saying; for a wait where any other step said something new or
 * changed something; for a change where another one was made; for a look where something was changed or checked, or a step other than a look said
 * something new; for a successful act where anything said something new, for a check where another check did: the exit code of `npm run build | tail`
 * is that of `tail`.
 */
export function equalSteps(step: PastStep, context: DetectContext, window: number): PastStep[] {
  const found: PastStep[] = [];
  const { steps, stepsAtUserMessage } = context;
  const most = step.weight === 'wait' ? REMEMBERED_MESSAGES : window;
  for (let back = 0; ; back++) {
    const past = steps.last(back);
    if (!past || past.index < stepsAtUserMessage || step.message - past.message >= most) break;
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
  // A failure in between clears nothing: a crash of the command says nothing new about its result.
  if (past.signature === step.signature && past.outcome > 0) return !past.crashed;
  if (past.movesHead) return true;
  switch (step.weight) {
    case 'wait':
      return past.isNew || past.changes;
    case 'change':
      // Repeating a change after another change is not a repeat.
      return past.changes;
    case 'look':
      return past.changes || past.check || (past.isNew && past.weight !== 'look');
    case 'plain':
      // Generating, installing or deploying again is not a repeat where anything has moved in the meantime: it succeeds with the same words each
      // time.
      return succeeded(step) && past.isNew && (!step.check || past.check);
  }
}

/** Returns the steps with the same saying among all that are remembered, whatever is in between. */
export function saidInAll(step: PastStep, { steps, stepsAtUserMessage }: DetectContext): PastStep[] {
  const found: PastStep[] = [];
  for (let back = 0; ; back++) {
    const past = steps.last(back);
    if (!past || past.index < stepsAtUserMessage || step.message - past.message >= REMEMBERED_MESSAGES) break;
    if (past.counted && past.outcome === step.outcome) found.push(past);
    // An act between checks that say something new each time is not a repeat, however frequent.
    else if (succeeded(step) && past.check && past.isNew) break;
  }
  return found.reverse();
}

/** True for an act or a check: it succeeded as far as is known, and does not only look, wait or change files. */
function succeeded({ weight, failed }: PastStep): boolean {
  return weight === 'plain' && !failed;
}
