import type { LoopCandidate } from './candidate';
import { isVague, rankOf } from './loop';

/** Last rank of the rules that state what repeats; those after it see something else. */
const LAST_SHAPE = 6;

/** Number of steps that a candidate explains. */
export function explained({ count, period }: Pick<LoopCandidate, 'count' | 'period'>): number {
  return count * period;
}

/**
 * Returns the one rule that owns the streak of the newest step: its shape decides, before any limit is checked. It is the shape that explains most
 * steps, and among equals the first of: equal steps in a row, whole rounds, refused edits of one file, one error over different calls, equal steps
 * with others in between. Only the owner judges the streak, by its own limits. If it is below its warning, or only warns, a rule of another kind that
 * sees something more serious may speak: no effect, few results, going back, different failures.
 *
 * @param candidates all that end with the same step
 */
export function ownerOf(candidates: readonly LoopCandidate[]): LoopCandidate | undefined {
  const isShape = (one: LoopCandidate): boolean => !isVague(one) && rankOf(one) <= LAST_SHAPE;
  const [owner] = candidates.filter(isShape).sort((a, b) => explained(b) - explained(a) || rankOf(a) - rankOf(b));
  const [other] = candidates
    .filter((one) => !isShape(one) && one.level !== null)
    .sort((a, b) => Number(b.level === 'stuck') - Number(a.level === 'stuck') || rankOf(a) - rankOf(b));
  if (owner === undefined || owner.level === null) return other ?? owner;
  return other?.level === 'stuck' && owner.level === 'warn' ? other : owner;
}
