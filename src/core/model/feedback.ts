import type { AgentId } from './agent-id';

import type { DetectorId, RuleId } from './rule-ids';

/** A limit that a person raised: an alarm of this rule about this call comes from this count on, and not before. */
export interface RaisedLimit {
  readonly detector: DetectorId;
  readonly rule: RuleId | null;
  /** `textDigest` of the call or message that the alarm was about. */
  readonly call: string;
  /** In the unit of the rule, as its counts are. */
  readonly limit: number;
}

/** *Not Stuck*: what a person said of one alarm. */
export interface NotStuck extends RaisedLimit {
  /** Id of the incident. */
  readonly incident: string;
  readonly agent: AgentId;
  readonly session: string;
  /** Folder in which the agent worked. */
  readonly folder?: string;
  /** The call or message in one line, without secrets. */
  readonly subject: string;
  /** Count of the rule at that time. */
  readonly count: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** An entry of the event log: what was said of an alarm, or that it was taken back; `at` is when. */
export interface FeedbackEntry extends NotStuck {
  readonly action: 'not_stuck' | 'taken_back';
}
