import type { AgentView } from '../../core/model';

/**
 * Finished agents stand in the lists only when asked for, when they died, or when they ended while this window watched them; of a loop that starts
 * agents only the last run does.
 */
export function isListed(view: AgentView, finishedShown: boolean): boolean {
  if (view.run?.isLast === false) return false;
  const endedWhileHere = !view.history && view.coverage.seen > 0;
  return finishedShown || view.state.kind !== 'finished' || view.state.ended === 'died' || endedWhileHere;
}
