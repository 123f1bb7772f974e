import type { DetectorId, Level, RuleId } from '../../core/model';
import type { Prompt } from '../session/prompts';
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
  /** Edits of one file that are refused; one that goes through ends it. */
  | { readonly kind: 'refused'; readonly file: number }
  /** Edits of one file that go back. */
  | { readonly kind: 'returns'; readonly file: number }
  /** Writes of one file; any step that is no edit ends it. */
  | { readonly kind: 'rewrites'; readonly file: number }
  /** Runs of one check; fewer failures than its best end it. */
  | { readonly kind: 'check'; readonly signature: number; readonly best: number }
  /** Starts of one program. */
  | { readonly kind: 'starts'; readonly program: number; readonly runs: () => boolean }
  /** Calls of one tool that says the same whatever is put into it; something new from that tool ends it. */
  | { readonly kind: 'effect'; readonly effect: number; readonly tool: string };

/** Count of a rule of the action family: at its threshold or beyond. */
export interface LoopCandidate {
  readonly detector: DetectorId;
  readonly rule: RuleId | null;
  /** Null: below the warning. Its shape fits all the same, so it may own the streak. */
  readonly level: Level | null;
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

/** Repeats that prompts which add nothing ask for in one streak, at most. */
const ASKED = 2;

/**
 * Returns a candidate as the prompts in its streak let it stand: each prompt that added nothing ends no count and asks for one repeat more,
 * two at most, and where a person asked for many repeats they warn at most.
 */
export function asPrompted(candidate: LoopCandidate, { prompt }: { readonly prompt: Prompt }): LoopCandidate {
  const { steps, count, level } = candidate;
  const asked = Math.min((steps.at(-1)?.prompts ?? 0) - (steps[0]?.prompts ?? 0), ASKED);
  if (asked === 0 && !prompt.asksMany) return candidate;
  const warn = candidate.warn + asked;
  const limit = prompt.asksMany ? Number.POSITIVE_INFINITY : candidate.limit + asked;
  const stands = count < warn ? null : level === 'stuck' && count < limit ? 'warn' : level;
  return { ...candidate, warn, limit, level: stands };
}
