import { decideAutomatic } from './automatic';
import { type Choice, decideClick } from './click';
import type { AutomaticMode, Decision, RecoveryFacts } from './decision';

/** Origin of a recovery: a person who chose, or automatic mode. */
export type RecoveryBy =
  | { readonly by: 'click'; readonly choice: Choice }
  | { readonly by: 'automatic'; readonly automatic: AutomaticMode };

/** Decides the recovery for an incident now. Pure: equal inputs give equal decisions. */
export function decideRecovery(facts: RecoveryFacts, who: RecoveryBy): Decision {
  return who.by === 'click' ? decideClick(facts, who.choice) : decideAutomatic(facts, who.automatic);
}
