import { cardOf } from '../core/rules';
import type { Strategy } from '../core/rules/card';
import type { Incident } from '../core/model';

/**
 * Returns the remedy for when feedback alone did not help: according to the first rule of context that is stuck itself, otherwise according to the
 * owner's card.
 */
export function strategyOf({ detector, context }: Pick<Incident, 'detector' | 'context'>): Strategy {
  const chooser = context?.find(({ level }) => level === 'stuck');
  return cardOf(chooser?.detector ?? detector).strategy;
}
