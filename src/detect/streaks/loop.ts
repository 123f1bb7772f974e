import { type LoopCandidate } from './candidate';
import type { ClearingReason, DetectorId, Level, Sample } from '../../core/model';
import { cardOf } from '../../core/rules';
import type { Streak } from '../../core/rules/card';
import { Hash } from '../../base/util/hash';
import type { PastStep } from '../steps/step';
import type { OccurrenceLog } from './evidence';

/** A streak that is being followed. */
export interface Loop {
  readonly key: string;
  speaker: LoopCandidate;
  level: Level;
  count: number;
  /** Outcomes that belong to it, and calls whose other sayings end it. */
  readonly outcomes: Set<number>;
  readonly signatures: Set<number>;
  log: OccurrenceLog;
  firstSample: Sample | undefined;
  lastSample: Sample | undefined;
  /** Signature of the call whose first and last results are compared. */
  compared: number;
  open: boolean;
  /** True if the rule that speaks for it was switched off by a person, so that nothing is reported. */
  silent: boolean;
  /** True if a person raised the limit of the rule that speaks for it, and the count is below: it is followed, but not reported. */
  held: boolean;
  /** True if a finding of it was sent that has not been cleared yet. */
  reported: boolean;
  /** Number of steps in a row that belonged to it: reopening a pattern of several outcomes needs two. */
  backInARow: number;
  /** True if a step since the newest occurrence went the other way; the next such step ends the streak. */
  passed: boolean;
  lastIndex: number;
  lastMessage: number;
  clearedMessage: number;
  /** True if a person's message cleared it: then only the rule itself can reopen it. */
  byPerson: boolean;
  readonly seenBy: Set<DetectorId>;
  /** Rules that spoke for it and were replaced since it opened. */
  readonly left: Set<string>;
}

/** Limit of the outcomes of one streak. */
const OUTCOMES = 40;

/** Returns the detector whose settings apply to a candidate: some only name findings of another one. */
export function settingsOf({ detector }: LoopCandidate): DetectorId {
  return cardOf(detector).foundBy ?? detector;
}

/** Returns the rule's entry for the book: from its own card, or from its detector's. */
export function bookRules({ detector, rule }: LoopCandidate): Streak | undefined {
  const { rules, streak } = cardOf(detector);
  return (rule === null ? undefined : rules?.[rule]?.streak) ?? streak;
}

/** Returns the place in the table of rules: the first of several that see one streak at once speaks for it. */
export function rankOf(candidate: LoopCandidate): number {
  return bookRules(candidate)?.rank ?? Number.POSITIVE_INFINITY;
}

/** Returns whether it only states what the steps have in common, not what repeats: any more specific rule speaks instead. */
export function isVague(candidate: LoopCandidate): boolean {
  return bookRules(candidate)?.vague === true && candidate.equality === 'failed';
}

/** Returns whether the rule counts steps of one thing, rather than rounds or runs that it counts from the start each time. */
export function countsSteps(candidate: LoopCandidate): boolean {
  return candidate.period === 1 && bookRules(candidate)?.recounts !== true;
}

/** Returns whether it is the same call; for an edit, even another edit of the same file. */
export function isSameCall(one: PastStep, other: PastStep): boolean {
  return one.signature === other.signature || (one.target !== 0 && one.target === other.target);
}

/** Identifies the rule of a candidate. */
export function ruleOf({ detector, rule }: Pick<LoopCandidate, 'detector' | 'rule'>): string {
  return `${detector}/${rule ?? ''}`;
}

/** Returns the key of a streak, which is the same in the same session wherever reading began: it consists of the first record and what was done. */
export function loopKey(candidate: LoopCandidate, first: PastStep): string {
  const kind = candidate.follows.kind;
  const digest = new Hash().text(first.subject).text(kind).text(first.text).value().toString(36);
  return `loop-${digest}@${first.source.offset}`;
}

/** Returns whether this is the call that names the streak, rather than another one in it. */
export function isPrimary({ speaker, log }: Loop, step: PastStep): boolean {
  return speaker.follows.kind !== 'outcomes' || step.outcome === log.firstStep?.outcome;
}

/** Returns the step whose result is compared with the last one: for an alternation with an error the failing one, otherwise the first. */
export function firstCompared(candidate: LoopCandidate): PastStep | undefined {
  const failing = bookRules(candidate)?.quotesFailure ? candidate.steps.find((step) => step.failed) : undefined;
  return failing ?? candidate.steps[0];
}

/** Returns whether its result is the last of those compared: for equal sayings the same call, for equal failures any of the failures. */
export function isCompared(loop: Loop, step: PastStep): boolean {
  return loop.speaker.follows.kind === 'outcomes' ? step.signature === loop.compared : belongsTo(loop, step);
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
    case 'effect':
      return step.tool === follows.tool && step.effect === follows.effect;
    case 'refused':
      return step.failed && step.file === follows.file;
    case 'returns':
      return step.file === follows.file && loop.signatures.has(step.signature);
    case 'rewrites':
      return !step.failed && step.kind === 'changed' && step.file === follows.file;
    case 'check':
      return step.check && step.signature === follows.signature && step.failing >= follows.best;
    case 'starts':
      return step.starts && step.program === follows.program;
  }
}

/** Returns the reason why a step outside the streak ends it; null where it does not. */
export function endedBy(loop: Loop, step: PastStep): ClearingReason | null {
  const { follows, steps } = loop.speaker;
  switch (follows.kind) {
    case 'outcomes':
      return outcomesEndedBy(loop, step, steps);
    case 'failing_call':
      return step.signature === follows.signature ? 'different_result' : null;
    case 'error':
      return !step.failed && follows.of.some((one) => isSameCall(one, step)) ? 'success' : null;
    case 'failures':
      return step.failed ? null : 'success';
    case 'effect':
      return step.tool === follows.tool && step.isNew ? 'different_result' : null;
    case 'refused':
      // One successful edit subtracts one refusal; the second ends the streak.
      if (step.failed || step.file !== follows.file) return null;
      if (loop.passed) return 'success';
      loop.passed = true;
      return null;
    case 'rewrites':
      return step.kind === 'changed' ? null : 'progress';
    case 'check':
      return step.check && step.signature === follows.signature ? 'different_result' : null;
    case 'returns':
      return step.edit !== null && step.file === follows.file ? 'different_result' : null;
    case 'starts':
      return follows.runs() ? 'progress' : null;
  }
}

function outcomesEndedBy(loop: Loop, step: PastStep, steps: readonly PastStep[]): ClearingReason | null {
  if (loop.signatures.has(step.signature)) {
    // Another failure clears nothing: only a success with another saying does.
    if (!step.crashed) return 'different_result';
  }
  // A rule that warns whatever is in between is not ended by anything in between.
  if (loop.speaker.limit === Number.POSITIVE_INFINITY) return null;
  if (steps.every(({ weight }) => weight === 'wait')) return step.isNew || step.changes ? 'progress' : null;
  if (steps.every(({ weight }) => weight === 'wait' || weight === 'look')) {
    return step.changes || step.check || (step.isNew && step.weight !== 'look') ? 'progress' : null;
  }
  return null;
}

/** Returns whether the same outcome is back. A failure in general is not a particular outcome: for that the rule has to count again. */
export function isBack(loop: Loop, step: PastStep): boolean {
  const { kind } = loop.speaker.follows;
  if (kind !== 'outcomes' && kind !== 'failing_call') return false;
  if (step.weight === 'wait' || step.weight === 'look' || !loop.outcomes.has(step.outcome)) return false;
  return loop.outcomes.size === 1 || loop.backInARow >= 2;
}
