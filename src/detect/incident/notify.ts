import type { Incident } from '../../core/model';
import { cardOf } from '../../core/rules';

/** Reason why an incident does or does not notify. A decision to do nothing has a reason too. */
export type NotifyDecision =
  | 'notify'
  | 'already_notified'
  | 'history'
  | 'muted'
  | 'guessed'
  | 'never_for_this_rule'
  | 'not_stuck_yet'
  | 'over';

/** Decides whether an incident may notify now, by its own nature. Quiet hours, an open panel and other windows are known only to the editor. */
export function mayNotify(incident: Incident): NotifyDecision {
  if (incident.notified) return 'already_notified';
  if (incident.history) return 'history';
  if (incident.state === 'muted') return 'muted';
  if (incident.resolvedAt !== null) return 'over';
  const rule = cardOf(incident.detector).notifies;
  if (rule === 'never') return 'never_for_this_rule';
  if (incident.certainty === 'guessed') return 'guessed';
  if (incident.level === 'stuck' || rule === 'first_block_and_stuck') return 'notify';
  return 'not_stuck_yet';
}
