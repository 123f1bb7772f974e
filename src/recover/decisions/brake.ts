import { countedSince, madeAttempts } from '../attempts';
import { rungOf } from '../ladder';
import { type Decision, REASON_TEXTS, type RecoveryFacts } from './decision';

/** Calls that are blocked for one incident: after two failed attempts it is the person's turn. */
const MOST_BLOCKS = 2;

/**
 * Decides whether a brake stops the agent of an incident now; null if none does. Called only for an agent that may be sent a message and whose user
 * does not have the move.
 */
export function decideBrake(facts: RecoveryFacts): Decision | null {
  const { brakes, agent } = facts;
  const canStop = agent.takes.includes('stop') || agent.supervised;
  if (brakes.stopAtBudget && facts.isOverBudget && !facts.isStopSent && canStop)
    return { do: 'stop', reason: 'brake_budget', text: REASON_TEXTS.brake_budget, rung: null, savesWork: true };
  return blocksNext(facts)
    ? {
        do: 'block',
        reason: 'brake_repeat',
        text: REASON_TEXTS.brake_repeat,
        rung: rungOf(facts.ladder, 'feedback') ?? null,
      }
    : null;
}

/**
 * True if the next call would be the N-th in a row, and those before had the same result. Never for a wait or a look, and not a second time before
 * the call was counted again.
 */
function blocksNext({ incident, agent, brakes, callKnown, isNewestCall }: RecoveryFacts): boolean {
  if (brakes.blockRepeat === null || incident.count < brakes.blockRepeat - 1) return false;
  // Only this rule counts calls with nothing between them.
  if (incident.detector !== 'repeating_action' || incident.situations?.includes('waitsOrLooks')) return false;
  if (!callKnown || !isNewestCall || !agent.takes.includes('block')) return false;
  const made = madeAttempts(incident);
  const last = made.at(-1);
  if (last?.state === 'queued') return false;
  return made.length < MOST_BLOCKS && (!last || countedSince(incident, last.takenAt ?? last.at));
}
