import type { Finding } from '../model';
import { cardOf } from './index';

/** Returns whether a finding is a hint: it marks the agent, in memory only, and is no incident. Everything else asks here. */
export function isHint({ detector, certainty }: Pick<Finding, 'detector' | 'certainty'>): boolean {
  const { hints } = cardOf(detector);
  return hints === 'all' || (hints === 'guesses' && certainty === 'guessed');
}
