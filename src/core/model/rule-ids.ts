// Written by `npm run generate` from the cards in src/core/rules. Do not edit.

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

/** A rule within a detector; null is the main rule of the detector. */
export type RuleId =
  | 'runs'
  | 'unread_rewrites'
  | 'no_better'
  | 'still_board'
  | 'dead_start'
  | 'few_distinct'
  | 'no_effect'
  | 'returns'
  | 'peers'
  | 'sent_back'
  | 'refused_edits'
  | 'refused_request'
  | 'same_error'
  | 'outage';
