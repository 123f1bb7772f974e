import { cardOf } from '../core/rules';
import type { Strategy } from '../core/rules/card';
import type { Incident } from '../core/model';

/** Returns what is done when feedback alone did not help: as the first rule of context says that is stuck itself, else as the owner's card says. */
export function strategyOf({ detector, context }: Pick<Incident, 'detector' | 'context'>): Strategy {
  const chooser = context?.find(({ level }) => level === 'stuck');
  return cardOf(chooser?.detector ?? detector).strategy;
}
