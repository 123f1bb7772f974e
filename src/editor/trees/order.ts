import { type AgentView, standingOf } from '../../core/model';

/**
 * Returns whether an agent is listed. Finished agents are listed only on request, if they stopped before their work was done, or if they ended while
 * this window watched them. Of a loop that starts agents only the last run is listed.
 */
export function isListed(view: AgentView, finishedShown: boolean): boolean {
  if (view.run?.isLast === false) return false;
  if (finishedShown || view.state.kind !== 'finished' || view.state.ended === 'died') return true;
  const endedWhileHere = !view.history && view.coverage.seen > 0;
  return endedWhileHere || standingOf(view) === 'needs_you';
}
