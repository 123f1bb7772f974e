import type { AgentId } from './agent-id';

import type { DetectorId, RuleId } from './rule-ids';

/** A limit that a person has raised: this rule reports this call only from this count on. */
export interface RaisedLimit {
  readonly detector: DetectorId;
  readonly rule: RuleId | null;
  /** `textDigest` of the call or message that the alarm was about. */
  readonly call: string;
  /** In the unit of the rule, like its counts. */
  readonly limit: number;
}

/** *Not Stuck*: a person's feedback on one alarm. */
export interface NotStuck extends RaisedLimit {
  /** Id of the incident. */
  readonly incident: string;
  readonly agent: AgentId;
  readonly session: string;
  /** Folder in which the agent was working. */
  readonly folder?: string;
  /** The call or message in one line, without secrets. */
  readonly subject: string;
  /** Count of the rule at that time. */
  readonly count: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** An entry of the event log: feedback on an alarm, or its withdrawal; `at` is the time of either. */
export interface FeedbackEntry extends NotStuck {
  readonly action: 'not_stuck' | 'taken_back';
}
