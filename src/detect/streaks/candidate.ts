import type { DetectorId, Level, RuleId } from '../../core/model';
import type { Prompt } from '../session/prompts';
import type { PastStep } from '../steps/step';

/** Selects the later steps that belong to a streak, and thus the steps that end it. */
export type Follows =
  /** Steps with one of these outcomes; another saying of one of the same calls ends it. */
  | { readonly kind: 'outcomes' }
  /** Failures of the same call, with any text; a success of it ends it. */
  | { readonly kind: 'failing_call'; readonly signature: number }
  /** Any call that fails with this error; a success of one of these calls ends it. */
  | { readonly kind: 'error'; readonly error: number; readonly of: readonly PastStep[] }
  /** Any call that fails; a success ends it. */
  | { readonly kind: 'failures' }
  /** Refused edits of one file; a successful one ends it. */
  | { readonly kind: 'refused'; readonly file: number }
  /** Edits of one file that go back to an earlier content. */
  | { readonly kind: 'returns'; readonly file: number }
  /** Writes of one file; any step other than an edit ends it. */
  | { readonly kind: 'rewrites'; readonly file: number }
  /** Runs of one check; fewer failures than its lowest number end it. */
  | { readonly kind: 'check'; readonly signature: number; readonly best: number }
  /** Starts of one program. */
  | { readonly kind: 'starts'; readonly program: number; readonly runs: () => boolean }
  /** Calls of one tool that says the same for any input; something new from that tool ends it. */
  | { readonly kind: 'effect'; readonly effect: number; readonly tool: string };

/** Count of a rule of the action family, at its threshold or beyond. */
export interface LoopCandidate {
  readonly detector: DetectorId;
  readonly rule: RuleId | null;
  /** Null below the warning. Its shape fits even so, so it may own the streak. */
  readonly level: Level | null;
  /** Number of steps or laps. */
  readonly count: number;
  /** The count at which the rule warns, and at which it reports stuck. */
  readonly warn: number;
  readonly limit: number;
  readonly follows: Follows;
  /** The steps that were counted, oldest first; the newest is the current one. */
  readonly steps: readonly PastStep[];
  /** What is equal: their sayings, the error that they name, or only that they failed. */
  readonly equality: 'said' | 'error' | 'failed';
  /** Number of steps of one lap; 1 where only one thing repeats. */
  readonly period: number;
}

/** Limit of the repeats in one streak that are attributed to prompts that add nothing. */
const MOST_EXTRA = 2;

/**
 * Returns a candidate adjusted to the prompts in its streak: a prompt that added nothing does not end the count but raises the limits by one repeat,
 * by two at most, and if a person requested many repeats, they only warn.
 */
export function asPrompted(candidate: LoopCandidate, { prompt }: { readonly prompt: Prompt }): LoopCandidate {
  const { steps, count, level } = candidate;
  const extra = Math.min((steps.at(-1)?.prompts ?? 0) - (steps[0]?.prompts ?? 0), MOST_EXTRA);
  if (extra === 0 && !prompt.asksMany) return candidate;
  const warn = candidate.warn + extra;
  const limit = prompt.asksMany ? Number.POSITIVE_INFINITY : candidate.limit + extra;
  const adjusted = count < warn ? null : level === 'stuck' && count < limit ? 'warn' : level;
  return { ...candidate, warn, limit, level: adjusted };
}
