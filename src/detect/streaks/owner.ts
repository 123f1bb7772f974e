import type { LoopCandidate } from './candidate';
import { isVague, rankOf } from './loop';

/** Rank up to which a rule says what repeats; those behind it see something else. */
const LAST_SHAPE = 6;

/** Number of steps that a candidate explains. */
export function explained({ count, period }: Pick<LoopCandidate, 'count' | 'period'>): number {
  return count * period;
}

/**
 * Returns the one rule that owns the streak of the newest step: its shape decides, before any limit is asked. The shape that explains most
 * steps, and of several the first of: equal steps in a row, whole rounds, refused edits of one file, one error over different calls, equal steps with others between.
 * The owner alone judges it by its own limits. Where it is below its warning, or warns, one that sees something graver of another kind may
 * speak: no effect, few results, going back, failures that differ.
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
