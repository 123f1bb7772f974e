import { fieldsOf } from '../base/util/json';

/** What Unstuck may stop in a folder without a click (`unstuck.recovery.brakes`). Both are off by default. */
export interface Brakes {
  /** The number of the equal call in a row that is blocked, once; null: none is. */
  readonly blockRepeat: number | null;
  /** An agent that has used a budget of `unstuck.budgets` is stopped, once its work is saved. */
  readonly stopAtBudget: boolean;
}

/** Below this number a repeat is often right: a first look, a second one after a change, a third for certainty. */
const LEAST_REPEAT = 4;
const MOST_REPEAT = 1000;
/** Reads the setting `unstuck.recovery.brakes`; anything but a number within its range brakes nothing. */
export function readBrakes(value: unknown): Brakes {
  const { blockRepeat, stopAtBudget } = fieldsOf(value);
  const isCount = typeof blockRepeat === 'number' && blockRepeat >= LEAST_REPEAT && blockRepeat <= MOST_REPEAT;
  return { blockRepeat: isCount ? Math.floor(blockRepeat) : null, stopAtBudget: stopAtBudget === true };
}

/** True if these brakes stop anything. */
export function canBrake({ blockRepeat, stopAtBudget }: Brakes): boolean {
  return blockRepeat !== null || stopAtBudget;
}
