/** Ids of the detectors (PROTOCOLS.md section 5). */
export const DETECTOR_IDS = [
  'repeating_action',
  'repeating_outcome',
  'action_error_alternation',
  'cycle',
  'monologue',
  'text_loop',
  'condensation_loop',
  'token_exhaustion',
  'stall',
  'max_runtime',
  'consecutive_failures',
  'validation_failure',
  'oversized_response',
  'gate_blocked',
  'premature_action',
  'over_helpfulness',
  'context_pollution',
  'rate_limited',
] as const;

export type DetectorId = (typeof DETECTOR_IDS)[number];

export type ReasonCode =
  | 'repetition_loop'
  | 'alternation_loop'
  | 'cycle_loop'
  | 'no_action'
  | 'text_loop'
  | 'condensation_loop'
  | 'token_exhaustion'
  | 'stall'
  | 'max_runtime'
  | 'consecutive_failures'
  | 'validation_failure'
  | 'oversized_response'
  | 'gate_blocked'
  | 'premature_action'
  | 'over_helpfulness'
  | 'retry_pollution'
  | 'outage';

/** What ran out, where a detector tells exhaustion from a loop. */
export type Exhaustion = 'time' | 'tokens' | 'attempts';

/** A rule within a detector; null is the detector's main rule. */
export type RuleId = 'known_outcomes' | 'few_distinct' | 'argument_churn' | 'same_error' | 'peers' | 'outage';

/** `counted` patterns may notify; `guessed` ones (from time or text) only badge. */
export type Certainty = 'counted' | 'guessed';

export type Level = 'warn' | 'stuck';

export type Preset = 'eager' | 'balanced' | 'patient';

export const PRESETS: readonly Preset[] = ['eager', 'balanced', 'patient'];

/** How an alert of this detector may show itself (PROTOCOLS.md section 5, column "notifies"). */
export type Notifies = 'at_stuck' | 'never' | 'first_block_and_stuck';

/** Thresholds of one detector after preset, user settings and agent overrides were joined. */
export interface DetectorOptions {
  readonly on: boolean;
  /** Count at which the rule warns, in the unit of the detector: steps, laps, messages, repeats, percent, minutes or characters (defaults.ts). */
  readonly warn: number;
  /** Count at which it says stuck; `Infinity` where it never does. */
  readonly stuck: number;
  /** How many of the last steps (messages for text) are looked at. */
  readonly window: number;
  /** Further numbers of the detector by name, documented with its defaults. */
  readonly extra: Readonly<Record<string, number>>;
}
