import { repeatingAction } from '../../../src/core/rules/cards/repeating-action';

/** Repeats of one call at which an agent is stuck, for tests about what follows, whatever the number. */
export const STUCK_AT = repeatingAction.thresholds.balanced.stuck;
