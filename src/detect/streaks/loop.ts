import type { ClearingReason, DetectorId, Level, RuleId, Sample } from '../../model';
import { cardOf } from '../../rules';
import type { Streak } from '../../rules/card';
import type { PastStep } from '../session/detector';
import type { OccurrenceLog } from './evidence';
import { Hash } from '../../util/hash';

/** Which later steps belong to a streak, and so what would end it. */
export type Follows =
  /** Steps with one of these outcomes; a different result of one of the same calls ends it. */
  | { readonly kind: 'outcomes' }
  /** The same call failing, whatever its text; a success of it ends it. */
  | { readonly kind: 'failing_call'; readonly signature: number }
  /** Any call of a tool that fails with this error; a success of the tool ends it. */
  | { readonly kind: 'error'; readonly error: number; readonly tool: string }
  /** Any call that fails; a success ends it. */
  | { readonly kind: 'failures' };

/** What a rule of the action family counted: at its threshold or beyond. */
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
  /** How results were compared. */
  readonly equality: 'raw' | 'masked' | 'error' | 'failed';
  /** Steps of one lap; 1 where only one thing repeats. */
  readonly period: number;
}

/** A streak that is followed. */
export interface Loop {
  readonly key: string;
  speaker: LoopCandidate;
  level: Level;
  count: number;
  /** Outcomes that belong to it; calls whose different result ends it. */
  readonly outcomes: Set<number>;
  readonly signatures: Set<number>;
  log: OccurrenceLog;
  firstSample: Sample | undefined;
  lastSample: Sample | undefined;
  /** Signature of the call whose first and last result are compared. */
  compared: number;
  open: boolean;
  /** Steps in a row that belonged to it: reopening a pattern of several needs two. */
  backInARow: number;
  lastIndex: number;
  clearedIndex: number;
  /** A person's message cleared it: then only the rule itself opens it again. */
  byPerson: boolean;
  readonly seenBy: Set<string>;
}

/** Outcomes that one streak may have. */
const OUTCOMES = 40;

/** How the rule takes part in the book: its own card, or that of its detector. */
export function streakOf({ detector, rule }: LoopCandidate): Streak | undefined {
  const { rules, streak } = cardOf(detector);
  return (rule === null ? undefined : rules?.[rule]?.streak) ?? streak;
}

/** Which rule speaks for a streak that several see: the one that says most exactly what repeats. */
export function rankOf(candidate: LoopCandidate): number {
  return streakOf(candidate)?.rank ?? Number.POSITIVE_INFINITY;
}

export function nameOf({ detector, rule }: LoopCandidate): string {
  return `${detector}/${rule ?? ''}`;
}

/** The same streak of the same session has the same key, wherever reading began: it names the first record and what was done. */
export function keyOf(candidate: LoopCandidate, first: PastStep): string {
  const kind = candidate.follows.kind;
  const digest = new Hash().text(first.subject).text(kind).text(first.text).value().toString(36);
  return `loop-${digest}@${first.source.offset}`;
}

/** Says only what the steps have in common, not what repeats: any rule that says it speaks instead. */
export function isVague(candidate: LoopCandidate): boolean {
  return streakOf(candidate)?.vague === true;
}

/** Does the rule count steps of one thing, and not laps or runs that it counts anew each time? */
export function countsSteps(candidate: LoopCandidate): boolean {
  return candidate.period === 1 && streakOf(candidate)?.countsAnew !== true;
}

/** Is this the thing that the streak is named after, and not another that takes part in it? */
export function isPrimary({ speaker, log }: Loop, step: PastStep): boolean {
  return speaker.follows.kind !== 'outcomes' || step.outcome === log.firstStep?.outcome;
}

export function include(loop: Loop, steps: readonly PastStep[]): void {
  for (const step of steps) {
    if (loop.outcomes.size >= OUTCOMES) return;
    loop.outcomes.add(step.outcome);
    loop.signatures.add(step.signature);
  }
}

export function belongsTo(loop: Loop, step: PastStep): boolean {
  const { follows } = loop.speaker;
  switch (follows.kind) {
    case 'outcomes':
      return loop.outcomes.has(step.outcome);
    case 'failing_call':
      return step.failed && step.signature === follows.signature;
    case 'error':
      return step.failed && step.error === follows.error;
    case 'failures':
      return step.failed;
  }
}

export function ends(loop: Loop, step: PastStep): boolean {
  const { follows } = loop.speaker;
  switch (follows.kind) {
    case 'outcomes':
      return loop.signatures.has(step.signature);
    case 'failing_call':
      return step.signature === follows.signature;
    case 'error':
      return !step.failed && step.tool === follows.tool;
    case 'failures':
      return !step.failed;
  }
}

export function endReason(loop: Loop): ClearingReason {
  const { kind } = loop.speaker.follows;
  return kind === 'outcomes' || kind === 'failing_call' ? 'different_result' : 'success';
}

/** The same outcome is back. Failing in general is nobody's outcome: there the rule has to count anew. */
export function isBack(loop: Loop, step: PastStep): boolean {
  const { kind } = loop.speaker.follows;
  if (kind === 'error' || kind === 'failures' || !loop.outcomes.has(step.outcome)) return false;
  return loop.outcomes.size === 1 || loop.backInARow >= 2;
}
