import type { DetectorId, Level, RuleId } from '../model';
import type { PastStep } from './detector';

/** Which later steps belong to a streak, and so what would end it. */
export type Follows =
  /** Steps with one of these outcomes; a different result of one of the same calls ends it. */
  | { readonly kind: 'outcomes'; readonly outcomes: readonly number[] }
  /** The same call failing, whatever its text; a success of it ends it. */
  | { readonly kind: 'failing_call'; readonly signature: number }
  /** Any call that fails with this error; a success of the tool ends it. */
  | { readonly kind: 'error'; readonly error: number; readonly tool: number }
  /** Any call that fails; a success ends it. */
  | { readonly kind: 'failures' };

/** What a rule of the action family counted: at its threshold or beyond. */
export interface LoopCandidate {
  readonly detector: DetectorId;
  readonly rule: RuleId | null;
  readonly level: Level;
  /** Steps or laps. */
  readonly count: number;
  /** The count at which the rule says stuck. */
  readonly limit: number;
  readonly follows: Follows;
  /** The steps that were counted, oldest first; the newest is the current one. */
  readonly steps: readonly PastStep[];
  /** How results were compared. */
  readonly equality: 'raw' | 'masked' | 'error' | 'failed';
  /** Steps of one lap; 1 where only one thing repeats. */
  readonly period: number;
}
