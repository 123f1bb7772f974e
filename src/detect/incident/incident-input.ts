import {
  type Clearing,
  type DeliveryState,
  type Finding,
  type IncidentOutcome,
  type ProgressMarker,
  type RecoveryAttempt,
  recoveredBy,
} from '../../core/model';

/** Everything that can change an incident. */
export type IncidentInput =
  /** The count of the rule rose, or the streak came back after it was cleared. */
  | { readonly type: 'finding'; readonly finding: Finding }
  | { readonly type: 'clearing'; readonly clearing: Clearing; readonly line: number }
  | { readonly type: 'progress'; readonly marker: ProgressMarker }
  /** A message or command was written for the agent. */
  | { readonly type: 'attempt'; readonly attempt: RecoveryAttempt }
  | {
      readonly type: 'delivery';
      readonly message: string;
      readonly state: DeliveryState;
      readonly at: number;
      readonly outcome?: 'changed' | 'same';
    }
  | { readonly type: 'mute'; readonly at: number }
  | { readonly type: 'unmute'; readonly at: number }
  /** A person says that the agent is not stuck: the incident is over, even if the count rises. */
  | { readonly type: 'not_stuck'; readonly at: number }
  /** The person withdrew that. */
  | { readonly type: 'take_back'; readonly at: number }
  /** It is the person's turn. */
  | { readonly type: 'escalate'; readonly at: number }
  /** The session that took over after a restart has made progress. */
  | { readonly type: 'succeeded'; readonly at: number }
  | { readonly type: 'notified'; readonly at: number }
  /** The text of an oversized result was saved. */
  | { readonly type: 'spilled'; readonly line: number; readonly file: string }
  /** It began before the window opened and is still open. */
  | { readonly type: 'present'; readonly at: number }
  | { readonly type: 'session_end'; readonly at: number; readonly line: number };

/** Returns the kind of recovery that is credited: the last attempt that reached the agent. */
export function creditedOutcome(attempts: readonly RecoveryAttempt[], cleared: string | null): IncidentOutcome {
  const reached = attempts.filter((attempt) => attempt.takenAt !== undefined).at(-1);
  if (!reached) return cleared === 'user_message' ? 'user' : 'by_itself';
  return recoveredBy(reached.kind);
}
