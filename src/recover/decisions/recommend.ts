import type { RecoveryAction } from '../../core/model';
import { strategyOf } from '../strategy';
import { madeAttempts, attemptResult } from '../attempts';
import { actionOf, decideClick } from './click';
import type { RecoveryFacts } from './decision';
import { proposedRung } from './ladder-view';
import { betterWay } from '../seen-before';

/**
 * Recommends an action to a person for an incident now: what helped before if the usual way did not; otherwise feedback first, then its rule's
 * strategy, then the next step of the ladder. Null if there is nothing to do except wait.
 */
export function recommended(facts: RecoveryFacts): RecoveryAction | null {
  const { incident } = facts;
  const strategy = strategyOf(incident);
  if (incident.resolvedAt !== null || strategy.action === null) return null;
  const last = madeAttempts(incident).at(-1);
  const result = last && attemptResult(incident, last);
  if (result === 'waiting' || result === 'watching') return null;
  const next = proposedRung(facts);
  const usual = last || strategy.skipsFeedback ? strategy.action : 'nudge';
  const isBlocked = incident.attempts.some(({ kind }) => kind === 'block');
  const wanted = [
    // A text below the result did not help; a message from us would be just another one.
    ...(incident.situations?.includes('reminded') && !isBlocked ? (['block'] as const) : []),
    betterWay(usual, facts.before),
    ...(last || strategy.skipsFeedback ? [] : (['nudge'] as const)),
    ...(last && strategy.action === 'nudge' ? [] : [strategy.action]),
    next && actionOf(next.kind),
  ];
  return wanted.find((action) => action && decideClick(facts, { action }).do !== 'nothing') ?? null;
}
