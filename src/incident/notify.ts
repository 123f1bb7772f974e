import type { DetectorId, Incident, Notifies } from '../model';

/** Which alerts may show a notification (PROTOCOLS.md section 5, column "notifies"). */
export const NOTIFIES: Readonly<Record<DetectorId, Notifies>> = {
  repeating_action: 'at_stuck',
  repeating_outcome: 'at_stuck',
  action_error_alternation: 'at_stuck',
  cycle: 'at_stuck',
  monologue: 'at_stuck',
  text_loop: 'at_stuck',
  condensation_loop: 'at_stuck',
  token_exhaustion: 'at_stuck',
  stall: 'never',
  max_runtime: 'never',
  consecutive_failures: 'at_stuck',
  validation_failure: 'at_stuck',
  oversized_response: 'never',
  gate_blocked: 'first_block_and_stuck',
  premature_action: 'never',
  over_helpfulness: 'never',
  context_pollution: 'at_stuck',
  rate_limited: 'never',
};

/** Why an incident is or is not told to the person. Deciding to do nothing has a reason too. */
export type NotifyDecision =
  | 'notify'
  | 'already_notified'
  | 'history'
  | 'muted'
  | 'guessed'
  | 'never_for_this_rule'
  | 'not_stuck_yet'
  | 'over';

/**
 * Whether an incident may notify now, by its own nature. Quiet hours, an open panel and other windows are the editor's to know.
 */
export function mayNotify(incident: Incident): NotifyDecision {
  if (incident.notified) return 'already_notified';
  if (incident.history) return 'history';
  if (incident.state === 'muted') return 'muted';
  if (incident.resolvedAt !== null) return 'over';
  const rule = NOTIFIES[incident.detector];
  if (rule === 'never') return 'never_for_this_rule';
  if (incident.certainty === 'guessed') return 'guessed';
  if (incident.level === 'stuck' || rule === 'first_block_and_stuck') return 'notify';
  return 'not_stuck_yet';
}
