import type { DetectorId, Preset } from '../../core/model';

/** Changes of a rule for one kind of agent. */
export const RULE_CHANGES = ['on', 'off', 'less', 'more', 'reset'] as const;
export type RuleChange = (typeof RULE_CHANGES)[number];

/** Number of alarms that a rule would have raised with each preset, and how many of them at level stuck. */
export type PastOfRule = readonly { readonly preset: Preset; readonly alarms: number; readonly stuck: number }[];

/** Alarms that each preset would have raised, and how many transcripts were read for that. */
export interface Past {
  readonly read: number;
  readonly all: number;
  readonly of: (rule: DetectorId) => PastOfRule;
}

/** One rule as the page of rules shows it. */
export interface RuleRow {
  readonly detector: DetectorId;
  readonly name: string;
  readonly on: boolean;
  /** `warns at 3, stuck at 4`. */
  readonly limits: string;
  /** Unit of the limits: `steps with the same result`. */
  readonly counts: string;
  /** The newest incident of this rule in this session: `pytest -q: same result ×6`; empty if there is none. */
  readonly incident: string;
  /** True if that incident is open. */
  readonly isOpen: boolean;
  /** Nearest that the rule came to its limit in this session: `3 of 4`; empty if it was not close. */
  readonly reached: string;
  /** The call with which it came nearest. */
  readonly nearest: string;
  readonly heldBackBy: string;
  /** Verdicts of people on it in this folder. */
  readonly said: string;
  /** `Last 7 days: eager 6, balanced 3 (1 stuck), patient 0`; empty until some of it was read. */
  readonly past: string;
  /** True if this kind of agent has its own settings for the rule. */
  readonly isOwn: boolean;
  readonly canBeLess: boolean;
  readonly canBeMore: boolean;
}

/** A message from the host to the page of rules. */
export interface RulesMessage {
  readonly session: string;
  readonly agentName: string;
  readonly title: string;
  readonly rows: readonly RuleRow[];
  /** `Read 12 of 40 transcripts of the last 7 days`. */
  readonly past: string;
  /** True if there are transcripts older than those that are read. */
  readonly hasMorePast: boolean;
  /** Why a change may not apply; empty if it does. */
  readonly notice: string;
}
