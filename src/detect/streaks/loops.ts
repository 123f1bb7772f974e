import type {
  Clearing,
  ClearingReason,
  DetectorId,
  DetectorOptions,
  Finding,
  Level,
  NearMiss,
  Sample,
  Source,
} from '../../core/model';
import { NOT_BACK_MESSAGES, REOPEN_STEPS } from '../../core/rules/common';
import type { DetectContext } from '../session/detector';
import type { PastStep, Step } from '../steps/step';
import { OccurrenceLog } from './evidence';
import {
  type Loop,
  belongsTo,
  countsSteps,
  endedBy,
  firstCompared,
  include,
  isBack,
  isCompared,
  isPrimary,
  isVague,
  loopKey,
  rankOf,
  ruleOf,
  settingsOf,
} from './loop';
import { type LoopCandidate, asPrompted } from './candidate';
import { explained, ownerOf } from './owner';
import { findingOf } from './loop-finding';
import { type RaisedLimits, YOU_SAID } from './raised';

/** Limit of the streaks that are followed, open and cleared ones; an open one is never dropped for a new one. */
const FOLLOWED = 16;

export interface LoopBookParts {
  readonly finding: (finding: Finding) => void;
  readonly clearing: (clearing: Clearing) => void;
  readonly nearMiss: (nearMiss: NearMiss) => void;
  /** Limits that a person raised. */
  readonly raised: RaisedLimits;
  readonly sample: (step: number) => Sample | undefined;
  readonly options: (detector: DetectorId) => DetectorOptions | undefined;
}

/**
 * The streaks of one session. Rules of the action family offer their counts; the book chooses the rule that speaks for a streak, so that one loop is
 * one incident, follows the streak, and clears it by the common rule.
 */
export class LoopBook {
  private readonly loops: Loop[] = [];
  private readonly offered: LoopCandidate[] = [];

  constructor(private readonly parts: LoopBookParts) {}

  offer(candidate: LoopCandidate): void {
    this.offered.push(candidate);
  }

  /** Completes a step after all rules have seen it: clears the streaks that it ends, takes the offered ones, reports the growing ones. */
  settle(step: Step, context: DetectContext): void {
    if (this.loops.length === 0 && this.offered.length === 0) return;
    // Malformed calls belong to another rule; only rounds, and failures in general, may contain one.
    if (step.malformed || step.misused)
      this.offered.splice(0, Infinity, ...this.offered.filter((one) => isVague(one) || one.period > 1));
    const touched = new Set<Loop>();
    for (let i = this.loops.length - 1; i >= 0; i--) {
      const loop = this.loops[i];
      if (loop) this.follow(loop, step, context, touched);
    }
    this.takeOffered(step, context, touched);
  }

  /** Completes an event that is not a step, after all rules have seen it: an error reported by a harness can complete a round. */
  settleEvent(context: DetectContext): void {
    const newest = this.offered[0]?.steps.at(-1);
    if (newest) this.takeOffered(newest, context, new Set());
  }

  private takeOffered(step: PastStep, context: DetectContext, touched: Set<Loop>): void {
    if (this.offered.length > 0) {
      // All of them end with the same step, so one of them owns its streak.
      const owner = ownerOf(this.offered.map((one) => asPrompted(one, context)));
      if (owner && owner.level !== null) this.take(owner, owner.level, step, context, touched);
      this.offered.length = 0;
    }
    for (const loop of touched) if (loop.open && !loop.silent) this.report(loop, step, context);
  }

  private report(loop: Loop, step: PastStep, context: DetectContext): void {
    const raised = this.raisedFor(loop.speaker);
    loop.held = loop.count < raised;
    if (!loop.held) {
      loop.reported = true;
      this.parts.finding(findingOf(loop, step, context));
      return;
    }
    const { detector, rule } = loop.speaker;
    const { at, end: source, subject: nearest } = step;
    this.parts.nearMiss({
      detector,
      rule,
      nearest,
      reached: loop.count,
      limit: raised,
      heldBackBy: YOU_SAID,
      at,
      source,
    });
  }

  /** Applies changed limits: streaks that are no longer held are reported at once. */
  raisedChanged(context: DetectContext): void {
    for (const loop of this.loops) {
      if (!loop.open || loop.silent) continue;
      const wasHeld = loop.held;
      loop.held = loop.count < this.raisedFor(loop.speaker);
      const newest = context.steps.step(loop.lastIndex);
      if (wasHeld && !loop.held && newest) this.report(loop, newest, context);
    }
  }

  private raisedFor({ detector, rule, steps }: LoopCandidate): number {
    return this.parts.raised.limitFor(detector, rule, steps);
  }

  /** Clears all open streaks, after a person wrote or the session ended. */
  clearAll(reason: 'user_message' | 'session_end', at: number, source: Source, message: number): void {
    this.offered.length = 0;
    for (const loop of this.loops) {
      if (loop.open) this.clear(loop, reason, at, source, message);
      loop.byPerson = true;
    }
  }

  /** Clears the streaks of a rule that was switched off; they are no longer reported. */
  switchedOff(detector: DetectorId, at: number, message: number): void {
    for (const loop of this.loops) {
      if (settingsOf(loop.speaker) !== detector) continue;
      if (loop.open && !loop.silent) this.clear(loop, 'off', at, null, message);
      loop.silent = true;
    }
  }

  /** Forgets the silent streaks that a rule saw, after it was switched on again, so that they can be reported again. */
  switchedOn(detector: DetectorId): void {
    for (let i = this.loops.length - 1; i >= 0; i--) {
      const loop = this.loops[i];
      if (loop?.silent === true && loop.seenBy.has(detector)) this.loops.splice(i, 1);
    }
  }

  private follow(loop: Loop, step: PastStep, context: DetectContext, touched: Set<Loop>): void {
    if (!loop.open && step.message - loop.clearedMessage > REOPEN_STEPS) {
      this.loops.splice(this.loops.indexOf(loop), 1);
      return;
    }
    if (!step.counted) {
      if (loop.open && step.message - loop.lastMessage >= NOT_BACK_MESSAGES) this.clearAt(loop, 'not_back', step);
      return;
    }
    const belongs = belongsTo(loop, step);
    loop.backInARow = belongs ? loop.backInARow + 1 : 0;
    if (loop.open) {
      const reason = belongs ? null : endedBy(loop, step);
      if (belongs) this.append(loop, step, context, touched);
      else if (reason !== null) this.clearAt(loop, reason, step);
      else if (step.message - loop.lastMessage >= NOT_BACK_MESSAGES) this.clearAt(loop, 'not_back', step);
    } else if (belongs && !loop.byPerson && isBack(loop, step)) {
      loop.open = true;
      this.append(loop, step, context, touched);
    }
  }

  private append(loop: Loop, step: PastStep, context: DetectContext, touched: Set<Loop>): void {
    loop.log.add(step, context);
    loop.passed = false;
    loop.lastIndex = step.index;
    loop.lastMessage = step.message;
    this.sampleLast(loop, step);
    if (countsSteps(loop.speaker) && isPrimary(loop, step)) loop.count++;
    touched.add(loop);
  }

  private take(
    candidate: LoopCandidate,
    level: Level,
    step: PastStep,
    context: DetectContext,
    touched: Set<Loop>,
  ): void {
    const loop = this.relatedTo(candidate);
    const isOff = this.parts.options(settingsOf(candidate))?.on === false;
    if (!loop) {
      touched.add(this.open(candidate, level, step, context, isOff));
      return;
    }
    loop.seenBy.add(settingsOf(candidate));
    if (isOff && !loop.silent && (!loop.open || rankOf(candidate) < rankOf(loop.speaker))) {
      // The streak belongs to the rule that was switched off, so no other rule reports it.
      if (loop.open) this.clear(loop, 'off', step.at, null, step.message);
      loop.silent = true;
    }
    const same = ruleOf(candidate) === ruleOf(loop.speaker);
    if (!loop.open || (!same && !loop.held && this.isTakenOver(loop, candidate, level))) {
      if (loop.open) loop.left.add(ruleOf(loop.speaker));
      this.changeSpeaker(loop, candidate, context);
    } else if (!same) {
      // The streak already has a rule that speaks for it; the steps of the others belong to it from now on.
      if (candidate.follows.kind === 'outcomes' && loop.speaker.follows.kind === 'outcomes')
        include(loop, candidate.steps);
      return;
    } else {
      loop.speaker = candidate;
      // The steps before the newest one were included when the streak was opened, and as it grew.
      if (candidate.follows.kind === 'outcomes') include(loop, [step]);
      const newest = candidate.steps.at(-1) ?? step;
      if (loop.log.last < newest.index) loop.log.add(newest, context);
      loop.count = countsSteps(candidate) ? Math.max(loop.count, candidate.count) : candidate.count;
    }
    if (level === 'stuck') loop.level = 'stuck';
    loop.open = true;
    loop.lastIndex = step.index;
    loop.lastMessage = step.message;
    this.sampleLast(loop, step);
    touched.add(loop);
  }

  /** Returns whether another rule explains an open streak better: it is more serious, states what repeats, or explains more of the same steps. */
  private isTakenOver(loop: Loop, candidate: LoopCandidate, level: Level): boolean {
    if (level === 'stuck' && loop.level === 'warn') return true;
    // Otherwise two rules that explain the same steps would keep replacing each other.
    if (loop.left.has(ruleOf(candidate))) return false;
    if (isVague(candidate)) return false;
    if (isVague(loop.speaker)) return level === loop.level;
    const isSame = candidate.steps.some((step) => loop.outcomes.has(step.outcome));
    return isSame && explained(candidate) > loop.count * loop.speaker.period;
  }

  /** Returns the streak of a candidate: one that shares an outcome with it, or an open one with which it is interleaved. */
  private relatedTo(candidate: LoopCandidate): Loop | undefined {
    const newest = candidate.steps.at(-1);
    const first = candidate.steps[0];
    if (!newest || !first) return undefined;
    let interleaved: Loop | undefined;
    for (let i = this.loops.length - 1; i >= 0; i--) {
      const loop = this.loops[i];
      if (!loop) continue;
      if (loop.held && loop.open) {
        // A held streak concerns only its own calls: no other calls are kept quiet with them.
        if (candidate.steps.every((step) => loop.signatures.has(step.signature))) return loop;
        continue;
      }
      if (
        loop.open ? candidate.steps.some((step) => loop.outcomes.has(step.outcome)) : loop.outcomes.has(newest.outcome)
      ) {
        return loop;
      }
      if (loop.open && loop.lastIndex > first.index) interleaved ??= loop;
    }
    return interleaved;
  }

  private open(candidate: LoopCandidate, level: Level, step: PastStep, context: DetectContext, silent: boolean): Loop {
    const first = candidate.steps[0] ?? step;
    const loop: Loop = {
      key: loopKey(candidate, first),
      speaker: candidate,
      level,
      count: candidate.count,
      outcomes: new Set(),
      signatures: new Set(),
      log: new OccurrenceLog(),
      firstSample: undefined,
      lastSample: this.parts.sample(step.index),
      compared: step.signature,
      open: true,
      silent,
      held: candidate.count < this.raisedFor(candidate),
      reported: false,
      backInARow: 1,
      passed: false,
      lastIndex: step.index,
      lastMessage: step.message,
      clearedMessage: -1,
      byPerson: false,
      seenBy: new Set([settingsOf(candidate)]),
      left: new Set(),
    };
    this.changeSpeaker(loop, candidate, context);
    this.loops.push(loop);
    if (this.loops.length > FOLLOWED) {
      const closed = this.loops.findIndex((one) => !one.open);
      this.loops.splice(Math.max(closed, 0), 1);
    }
    return loop;
  }

  /** Makes this rule speak for the streak from now on, with its own count and its own steps as evidence. */
  private changeSpeaker(loop: Loop, candidate: LoopCandidate, context: DetectContext): void {
    loop.speaker = candidate;
    loop.count = candidate.count;
    loop.log = new OccurrenceLog();
    for (const step of candidate.steps) loop.log.add(step, context);
    loop.byPerson = false;
    include(loop, candidate.steps);
    const first = firstCompared(candidate);
    if (!first) return;
    loop.compared = first.signature;
    loop.firstSample = this.parts.sample(first.index) ?? loop.firstSample;
    const last = candidate.steps.findLast((step) => isCompared(loop, step)) ?? first;
    loop.lastSample = this.parts.sample(last.index) ?? loop.lastSample;
  }

  private sampleLast(loop: Loop, step: PastStep): void {
    if (isCompared(loop, step)) loop.lastSample = this.parts.sample(step.index) ?? loop.lastSample;
  }

  private clearAt(loop: Loop, reason: ClearingReason, step: PastStep): void {
    this.clear(loop, reason, step.at, step.end, step.message);
  }

  private clear(loop: Loop, reason: ClearingReason, at: number, source: Source | null, message: number): void {
    loop.open = false;
    loop.left.clear();
    loop.clearedMessage = message;
    loop.backInARow = 0;
    const { reported } = loop;
    loop.reported = false;
    if (reported) this.parts.clearing({ detector: loop.speaker.detector, key: loop.key, reason, at, source });
  }
}
