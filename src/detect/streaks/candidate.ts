import type { DetectorId, Level, RuleId } from '../../core/model';
import type { PastStep } from '../steps/step';

/** Selects the later steps that belong to a streak, and so the steps that would end it. */
export type Follows =
  /** Steps with one of these outcomes; another saying of one of the same calls ends it. */
  | { readonly kind: 'outcomes' }
  /** The same call failing, whatever its text; a success of it ends it. */
  | { readonly kind: 'failing_call'; readonly signature: number }
  /** Any call that fails with this error; a success of one of these calls ends it. */
  | { readonly kind: 'error'; readonly error: number; readonly of: readonly PastStep[] }
  /** Any call that fails; a success ends it. */
  | { readonly kind: 'failures' }
  /** Calls of one tool that says the same whatever is put into it; something new from that tool ends it. */
  | { readonly kind: 'effect'; readonly effect: number; readonly tool: string };

/** Count of a rule of the action family: at its threshold or beyond. */
export interface LoopCandidate {
  readonly detector: DetectorId;
  readonly rule: RuleId | null;
  readonly level: Level;
  /** Steps or laps. */
  readonly count: number;
  /** The count at which the rule warns, and at which it says stuck. */
  readonly warn: number;
  readonly limit: number;
  readonly follows: Follows;
  /** The steps that were counted, oldest first; the newest is the current one. */
  readonly steps: readonly PastStep[];
  /** Equal part: their sayings, the error that they name, or only that they failed. */
  readonly equality: 'said' | 'error' | 'failed';
  /** Steps of one lap; 1 where only one thing repeats. */
  readonly period: number;
}
