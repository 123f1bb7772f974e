import { type AgentView, standingOf } from '../../core/model';

/**
 * Finished agents stand in the lists only when asked for, when they stopped before their work was done, or when they ended while this window
 * watched them; of a loop that starts agents only the last run does.
 */
export function isListed(view: AgentView, finishedShown: boolean): boolean {
  if (view.run?.isLast === false) return false;
  if (finishedShown || view.state.kind !== 'finished' || view.state.ended === 'died') return true;
  const endedWhileHere = !view.history && view.coverage.seen > 0;
  return endedWhileHere || standingOf(view) === 'needs_you';
}
