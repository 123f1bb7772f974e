import type { DetectorId, Preset } from '../../core/model';

/** Changes of a rule for one kind of agent. */
export const RULE_CHANGES = ['on', 'off', 'less', 'more', 'reset'] as const;
export type RuleChange = (typeof RULE_CHANGES)[number];

/** Number of reports that a rule would have made with each preset, and of those at stuck. */
export type PastOfRule = readonly { readonly preset: Preset; readonly alarms: number; readonly stuck: number }[];

/** Reports that each preset would have made, and how far that has been read, in transcripts. */
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
  /** The newest incident of this rule in this session: `pytest -q: same result ×6`; empty where there is none. */
  readonly incident: string;
  /** That incident is open. */
  readonly isOpen: boolean;
  /** The nearest that it came in this session: `3 of 4`; empty where it was not close. */
  readonly reached: string;
  /** The call that came nearest. */
  readonly nearest: string;
  readonly heldBackBy: string;
  /** Verdicts of people on it in this folder. */
  readonly said: string;
  /** `Last 7 days: eager 6, balanced 3 (1 stuck), patient 0`; empty before any of it was read. */
  readonly past: string;
  /** This kind of agent has settings of its own for it. */
  readonly isOwn: boolean;
  readonly canBeLess: boolean;
  readonly canBeMore: boolean;
}

/** A message of the host to the page of rules. */
export interface RulesMessage {
  readonly type: 'rules';
  readonly session: string;
  readonly agentName: string;
  readonly title: string;
  readonly rows: readonly RuleRow[];
  /** `Read 12 of 40 transcripts of the last 7 days`. */
  readonly past: string;
  /** There are earlier transcripts than those that are read. */
  readonly hasMorePast: boolean;
  /** Why a change may not apply; empty where it does. */
  readonly notice: string;
}
