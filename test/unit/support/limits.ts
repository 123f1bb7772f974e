import { repeatingAction } from '../../../src/core/rules/cards/repeating-action';

/** Repeats of one call at which a rule warns, and at which an agent is stuck, for tests about what follows, whatever the numbers. */
export const { warn: WARN_AT, stuck: STUCK_AT } = repeatingAction.thresholds.balanced;
