import type {
  Clearing,
  ClearingReason,
  DetectorId,
  DetectorOptions,
  Finding,
  Level,
  RuleId,
  Sample,
  Source,
} from '../model';
import { confidenceOf } from './confidence';
import type { DetectContext, PastStep } from './detector';
import { OccurrenceLog } from './evidence';
import { Hash } from './hash';
import { isForming } from './periods';
import { LINE_LENGTH, oneLine, shownResult } from './snippet';
import { REASONS, editsAmong, loopTexts } from './texts';

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
  /** How many of the last steps the count looks at, for the explanation; 0 where it looks at no number of steps. */
  readonly window: number;
}

/** A streak ends when it does not come back within so many steps (PROTOCOLS.md section 5, Clearing). */
const NOT_BACK_STEPS = 12;
/** Its outcome back within so many steps reopens it. */
const REOPEN_STEPS = 50;
/** Streaks that are followed at a time, open and cleared ones; one that is open is never given up for a new one. */
const FOLLOWED = 16;
/** Outcomes that one streak may have. */
const OUTCOMES = 40;
/** Steps whose share the pattern is measured over. */
const SHARE_STEPS = 20;

/**
 * Which rule speaks for a streak that several see: the one that says most exactly what repeats. Identical in a row, taking turns
 * with errors, a period, one outcome among others, few outcomes, then what only failing has in common.
 */
const RANK: Readonly<Record<string, number>> = {
  'repeating_action/': 0,
  'action_error_alternation/': 1,
  'cycle/': 2,
  'repeating_outcome/': 3,
  'repeating_outcome/few_distinct': 4,
  'repeating_outcome/argument_churn': 5,
  'consecutive_failures/same_error': 6,
  'repeating_outcome/known_outcomes': 7,
  'consecutive_failures/': 8,
};

/** Only explanations of repeated results speak of edits. */
const NO_EDITS = { edits: 0, editedFiles: [] };

interface Loop {
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

export interface LoopBookParts {
  readonly finding: (finding: Finding) => void;
  readonly clearing: (clearing: Clearing) => void;
  readonly sample: (step: number) => Sample | undefined;
  readonly options: (detector: DetectorId) => DetectorOptions | undefined;
}

/**
 * The streaks of one session. Rules of the action family offer what they counted; the book lets one of them speak, so that one loop
 * is one incident, follows the streak, and clears it by the common rule.
 */
export class LoopBook {
  private readonly loops: Loop[] = [];
  private readonly offered: LoopCandidate[] = [];

  constructor(private readonly parts: LoopBookParts) {}

  offer(candidate: LoopCandidate): void {
    this.offered.push(candidate);
  }

  /** After all rules saw a step: clears what it ends, takes up what was offered, tells of what grew. */
  settle(step: PastStep, context: DetectContext): void {
    if (this.loops.length === 0 && this.offered.length === 0) return;
    const touched = new Set<Loop>();
    for (let i = this.loops.length - 1; i >= 0; i--) {
      const loop = this.loops[i];
      if (loop) this.follow(loop, step, context, touched);
    }
    this.takeOffered(step, context, touched);
  }

  /** After all rules saw an event that is no step: an error that a harness reported can complete a round. */
  settleEvent(context: DetectContext): void {
    const newest = this.offered[0]?.steps.at(-1);
    if (newest) this.takeOffered(newest, context, new Set());
  }

  private takeOffered(step: PastStep, context: DetectContext, touched: Set<Loop>): void {
    if (this.offered.length > 0) {
      this.offered.sort((a, b) => rankOf(a) - rankOf(b));
      for (const candidate of this.offered) this.take(candidate, step, context, touched);
      this.offered.length = 0;
    }
    for (const loop of touched) if (loop.open) this.tell(loop, step, context);
  }

  /** A person wrote, or the session ended: all open streaks are cleared. */
  clearAll(reason: 'user_message' | 'session_end', at: number, source: Source, step: number): void {
    this.offered.length = 0;
    for (const loop of this.loops) {
      if (loop.open) this.clear(loop, reason, at, source, step);
      loop.byPerson = true;
    }
  }

  /** A rule was switched off: what it speaks for is cleared. */
  switchedOff(detector: DetectorId, at: number, step: number): void {
    for (let i = this.loops.length - 1; i >= 0; i--) {
      const loop = this.loops[i];
      if (loop?.speaker.detector !== detector) continue;
      if (loop.open) this.clear(loop, 'off', at, null, step);
      this.loops.splice(i, 1);
    }
  }

  private follow(loop: Loop, step: PastStep, context: DetectContext, touched: Set<Loop>): void {
    if (!loop.open && step.index - loop.clearedIndex > REOPEN_STEPS) {
      this.loops.splice(this.loops.indexOf(loop), 1);
      return;
    }
    if (!step.counted) {
      if (loop.open && step.index - loop.lastIndex >= NOT_BACK_STEPS) this.clearAt(loop, 'not_back', step);
      return;
    }
    const belongs = belongsTo(loop, step);
    loop.backInARow = belongs ? loop.backInARow + 1 : 0;
    if (loop.open) {
      if (belongs) this.append(loop, step, context, touched);
      else if (ends(loop, step)) this.clearAt(loop, endReason(loop), step);
      else if (step.index - loop.lastIndex >= NOT_BACK_STEPS) this.clearAt(loop, 'not_back', step);
    } else if (belongs && !loop.byPerson && isBack(loop, step)) {
      loop.open = true;
      this.append(loop, step, context, touched);
    }
  }

  private append(loop: Loop, step: PastStep, context: DetectContext, touched: Set<Loop>): void {
    loop.log.add(step, context);
    loop.lastIndex = step.index;
    // the comparison is of the first call with itself, also where several calls take turns
    if (step.signature === loop.compared) loop.lastSample = this.parts.sample(step.index) ?? loop.lastSample;
    if (countsSteps(loop.speaker) && isPrimary(loop, step)) loop.count++;
    touched.add(loop);
  }

  private take(candidate: LoopCandidate, step: PastStep, context: DetectContext, touched: Set<Loop>): void {
    const loop = this.relatedTo(candidate);
    if (!loop) {
      if (this.isHeldBack(candidate, context)) return;
      touched.add(this.open(candidate, step, context));
      return;
    }
    loop.seenBy.add(nameOf(candidate));
    // graver than what the speaker says, which has nothing to say of this step: the other one is right now
    const graver = candidate.level === 'stuck' && loop.level === 'warn' && !this.isOffered(loop.speaker);
    if (loop.open && rankOf(candidate) > rankOf(loop.speaker) && !graver) {
      // the streak has a better speaker already; what else takes part in it belongs to it from now on
      if (candidate.follows.kind === 'outcomes' && loop.speaker.follows.kind === 'outcomes')
        include(loop, candidate.steps);
      return;
    }
    const same = nameOf(candidate) === nameOf(loop.speaker);
    if (!loop.open || (!same && (graver || isVague(loop.speaker) || candidate.steps.length >= loop.log.total))) {
      this.handOver(loop, candidate, context);
    } else if (!same) {
      // it says more exactly what the newest steps are, but only a part of the streak
      include(loop, candidate.steps);
    } else {
      loop.speaker = candidate;
      // what came before the newest step was taken in when the streak was opened, and as it grew
      if (candidate.follows.kind === 'outcomes') include(loop, [step]);
      if (loop.log.last < step.index) loop.log.add(step, context);
      loop.count = countsSteps(candidate) ? Math.max(loop.count, candidate.count) : candidate.count;
    }
    if (candidate.level === 'stuck') loop.level = 'stuck';
    loop.open = true;
    loop.lastIndex = step.index;
    // the comparison is of the first call with itself, also where several calls take turns
    if (step.signature === loop.compared) loop.lastSample = this.parts.sample(step.index) ?? loop.lastSample;
    touched.add(loop);
  }

  private isOffered({ detector, rule }: LoopCandidate): boolean {
    return this.offered.some((one) => one.detector === detector && one.rule === rule);
  }

  /** The streak that a candidate is about: one that shares an outcome with it, or an open one that it is interleaved with. */
  private relatedTo(candidate: LoopCandidate): Loop | undefined {
    const newest = candidate.steps.at(-1);
    const first = candidate.steps[0];
    if (!newest || !first) return undefined;
    let interleaved: Loop | undefined;
    for (let i = this.loops.length - 1; i >= 0; i--) {
      const loop = this.loops[i];
      if (!loop) continue;
      if (
        loop.open ? candidate.steps.some((step) => loop.outcomes.has(step.outcome)) : loop.outcomes.has(newest.outcome)
      ) {
        return loop;
      }
      if (loop.open && loop.lastIndex > first.index) interleaved ??= loop;
    }
    return interleaved;
  }

  /** Two laps of a period are there and the third is on its way: the rule for periods will say it better in a moment. */
  private isHeldBack(candidate: LoopCandidate, context: DetectContext): boolean {
    if (candidate.level === 'stuck' || candidate.detector !== 'repeating_outcome') return false;
    const cycle = this.parts.options('cycle');
    return cycle?.on === true && isForming(context, cycle.warn);
  }

  private open(candidate: LoopCandidate, step: PastStep, context: DetectContext): Loop {
    const first = candidate.steps[0] ?? step;
    const loop: Loop = {
      key: keyOf(candidate, first),
      speaker: candidate,
      level: candidate.level,
      count: candidate.count,
      outcomes: new Set(),
      signatures: new Set(),
      log: new OccurrenceLog(),
      firstSample: undefined,
      lastSample: this.parts.sample(step.index),
      compared: step.signature,
      open: true,
      backInARow: 1,
      lastIndex: step.index,
      clearedIndex: -1,
      byPerson: false,
      seenBy: new Set([nameOf(candidate)]),
    };
    this.handOver(loop, candidate, context);
    this.loops.push(loop);
    if (this.loops.length > FOLLOWED) {
      const closed = this.loops.findIndex((one) => !one.open);
      this.loops.splice(Math.max(closed, 0), 1);
    }
    return loop;
  }

  /** From now on this rule speaks for the streak, with its own count and its own steps as evidence. */
  private handOver(loop: Loop, candidate: LoopCandidate, context: DetectContext): void {
    const first = candidate.steps[0];
    loop.speaker = candidate;
    loop.count = candidate.count;
    loop.log = new OccurrenceLog();
    for (const step of candidate.steps) loop.log.add(step, context);
    loop.byPerson = false;
    include(loop, candidate.steps);
    if (!first) return;
    loop.compared = first.signature;
    loop.firstSample = this.parts.sample(first.index) ?? loop.firstSample;
    const last = candidate.steps.findLast((step) => step.signature === first.signature) ?? first;
    loop.lastSample = this.parts.sample(last.index) ?? loop.lastSample;
  }

  private clearAt(loop: Loop, reason: ClearingReason, step: PastStep): void {
    this.clear(loop, reason, step.at, step.end, step.index);
  }

  private clear(loop: Loop, reason: ClearingReason, at: number, source: Source | null, step: number): void {
    loop.open = false;
    loop.clearedIndex = step;
    loop.backInARow = 0;
    this.parts.clearing({ detector: loop.speaker.detector, key: loop.key, reason, at, source });
  }

  private tell(loop: Loop, step: PastStep, context: DetectContext): void {
    const { speaker, log } = loop;
    const first = log.firstStep ?? step;
    const subject = speaker.follows.kind === 'outcomes' ? first : (log.lastStep ?? step);
    const meanwhile = stepsSince(first.index, context);
    const pattern = log.pattern();
    const texts = loopTexts({
      detector: speaker.detector,
      rule: speaker.rule,
      count: loop.count,
      subject: subject.subject,
      result: shownResult(telling(loop, step).text),
      failing: subject.failed,
      period: speaker.period,
      window: speaker.window,
      different:
        speaker.rule === 'few_distinct'
          ? new Set(speaker.steps.map((one) => one.outcome)).size
          : new Set(speaker.steps.map((one) => one.tool)).size,
      anyText: speaker.equality === 'failed',
      others: speaker.period > 1 ? pattern.slice(1, 3).map((one) => one.subject) : [],
      ...(speaker.detector === 'repeating_outcome' ? editsAmong(meanwhile) : NO_EDITS),
    });
    const tokens = first.tokens > 0 ? context.totalTokens - first.tokens : 0;
    this.parts.finding({
      detector: speaker.detector,
      rule: speaker.rule,
      reason: REASONS[speaker.detector] ?? 'repetition_loop',
      exhaustion: speaker.detector === 'consecutive_failures' ? 'attempts' : null,
      key: loop.key,
      level: loop.level,
      certainty: 'counted',
      confidence: this.confidence(loop, meanwhile, context),
      count: loop.count,
      limit: speaker.limit,
      at: step.at,
      source: step.end,
      firstAt: first.at,
      first: first.source,
      evidence: log.evidence(),
      subject: oneLine(subject.subject, LINE_LENGTH),
      ...texts,
      ...(loop.firstSample && { firstSample: loop.firstSample }),
      ...(loop.lastSample && { lastSample: loop.lastSample }),
      ...(pattern.length > 0 && { pattern }),
      ...(tokens > 0 && { tokensSinceFirst: tokens }),
    });
  }

  private confidence(loop: Loop, meanwhile: readonly PastStep[], context: DetectContext): number {
    const { speaker, log } = loop;
    let counted = 0;
    let belonging = 0;
    let fresh = 0;
    for (let at = meanwhile.length - 1; at >= 0 && counted < SHARE_STEPS; at--) {
      const one = meanwhile[at];
      if (!one?.counted) continue;
      counted++;
      if (loop.outcomes.has(one.outcome)) belonging++;
      if (one.isNew) fresh++;
    }
    const beyond = (loop.count - speaker.warn) / Math.max(1, speaker.limit - speaker.warn);
    return confidenceOf({
      equality: speaker.equality,
      beyond: loop.level === 'stuck' ? Math.max(1, beyond) : Math.max(0, beyond),
      explained: counted === 0 ? 1 : belonging / counted,
      failing: speaker.steps.filter((one) => one.failed).length / Math.max(1, speaker.steps.length),
      novelty: fresh / Math.max(1, counted),
      progressed: context.lastProgress !== null && context.stepsAtProgress > (log.firstStep?.index ?? 0) + 1,
      agreeing: loop.seenBy.size,
    });
  }
}

/** The step whose result is quoted: of an alternation the one that fails, else the newest of what the streak is named after. */
function telling({ speaker, log }: Loop, newest: PastStep): PastStep {
  if (speaker.detector === 'action_error_alternation') {
    return speaker.steps.findLast((step) => step.failed) ?? newest;
  }
  return speaker.follows.kind === 'outcomes' && speaker.period === 1 ? (log.firstStep ?? newest) : newest;
}

function rankOf(candidate: LoopCandidate): number {
  return RANK[nameOf(candidate)] ?? 9;
}

function nameOf({ detector, rule }: LoopCandidate): string {
  return `${detector}/${rule ?? ''}`;
}

/** The same streak of the same session has the same key, wherever reading began: it names the first record and what was done. */
function keyOf(candidate: LoopCandidate, first: PastStep): string {
  const kind = candidate.follows.kind;
  const digest = new Hash().text(first.subject).text(kind).text(first.text).value().toString(36);
  return `loop-${digest}@${first.source.offset}`;
}

/** Says only what the steps have in common, not what repeats: any rule that says it speaks instead. */
function isVague({ detector, rule }: LoopCandidate): boolean {
  return rule === 'known_outcomes' || detector === 'consecutive_failures';
}

/** Does the rule count steps of one thing, and not laps or runs that it counts anew each time? */
function countsSteps({ period, rule }: LoopCandidate): boolean {
  return period === 1 && rule !== 'known_outcomes' && rule !== 'few_distinct';
}

/** Is this the thing that the streak is named after, and not another that takes part in it? */
function isPrimary({ speaker, log }: Loop, step: PastStep): boolean {
  return speaker.follows.kind !== 'outcomes' || step.outcome === log.firstStep?.outcome;
}

function include(loop: Loop, steps: readonly PastStep[]): void {
  for (const step of steps) {
    if (loop.outcomes.size >= OUTCOMES) return;
    loop.outcomes.add(step.outcome);
    loop.signatures.add(step.signature);
  }
}

function belongsTo(loop: Loop, step: PastStep): boolean {
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

function ends(loop: Loop, step: PastStep): boolean {
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

function endReason(loop: Loop): ClearingReason {
  const { kind } = loop.speaker.follows;
  return kind === 'outcomes' || kind === 'failing_call' ? 'different_result' : 'success';
}

/** The same outcome is back. Failing in general is nobody's outcome: there the rule has to count anew. */
function isBack(loop: Loop, step: PastStep): boolean {
  const { kind } = loop.speaker.follows;
  if (kind === 'error' || kind === 'failures' || !loop.outcomes.has(step.outcome)) return false;
  return loop.outcomes.size === 1 || loop.backInARow >= 2;
}

function stepsSince(index: number, context: DetectContext): PastStep[] {
  const steps: PastStep[] = [];
  for (let at = Math.max(index, context.stepCount - context.steps.length); at < context.stepCount; at++) {
    const step = context.steps.step(at);
    if (step) steps.push(step);
  }
  return steps;
}
