import type { Certainty, ClearingReason, Evidence, Finding, Level, RuleId, Sample, Source } from '../../core/model';
import type { RuleCard } from '../../core/rules/card';
import { readable } from '../../base/util/cut';
import type { DetectContext, DetectorSink } from './detector';
import type { PastStep, Step } from '../steps/step';
import { copied } from '../../base/util/text';
import { LINE_LENGTH, headAndTail, snippetLine } from '../sayings/snippet';
import { CONFIDENCE } from '../streaks/confidence';

type AlertCard = Pick<RuleCard, 'id' | 'reason' | 'exhaustion' | 'certainty'>;

/** Facts of an alert, from its rule. */
export interface AlertFacts
  extends Pick<
    Finding,
    | 'level'
    | 'count'
    | 'limit'
    | 'at'
    | 'source'
    | 'firstAt'
    | 'first'
    | 'evidence'
    | 'subject'
    | 'why'
    | 'suggestion'
    | 'clears'
    | 'situations'
    | 'firstSample'
    | 'lastSample'
  > {
  /** Rule within the detector; absent: its main rule. */
  readonly rule?: RuleId;
  /** Certainty, where it differs from the card's. */
  readonly certainty?: Certainty;
  /** Tokens the session had used at the first occurrence; 0 when unknown. */
  readonly tokensAtFirst?: number;
}

/** The alert of one rule that follows its streak itself: at most one is open at a time. */
export interface Alert {
  readonly isOpen: boolean;
  /** Level of the open alert, null when there is none. It never falls while the alert is open. */
  readonly level: Level | null;
  /** Opens the alert, or reports its growth. */
  raise(facts: AlertFacts, context: DetectContext): void;
  /** Ends it; does nothing when none is open. `source`: what ended it. */
  clear(reason: ClearingReason, at: number, source: Source | null, context: DetectContext): void;
}

/** Number of steps within which a returning streak is the same incident again (docs/detectors.md, "What the others share"). */
export const REOPEN_STEPS = 50;

/**
 * Creates the alert of a rule outside the action family.
 *
 * @param card of the rule: its id, reason, certainty and what ran out
 * @param kind sets apart the alerts of one detector that may be open beside each other; part of the key
 * @param reopens false: each streak is an incident of its own, however soon it follows the one before
 */
export function createAlert(card: AlertCard, sink: DetectorSink, kind = '', reopens = true): Alert {
  return new StreakAlert(card, sink, kind === '' ? card.id : `${card.id}-${kind}`, reopens);
}

class StreakAlert implements Alert {
  level: Level | null = null;
  private key = '';
  private clearedAt = -1;

  constructor(
    private readonly card: AlertCard,
    private readonly sink: DetectorSink,
    private readonly name: string,
    private readonly reopens: boolean,
  ) {}

  get isOpen(): boolean {
    return this.level !== null;
  }

  raise({ tokensAtFirst = 0, ...facts }: AlertFacts, context: DetectContext): void {
    const { id, reason, exhaustion, certainty } = this.card;
    if (this.level === null) {
      const isBack = this.reopens && this.clearedAt >= 0 && context.stepCount - this.clearedAt <= REOPEN_STEPS;
      // the place of the first record names the streak, wherever reading began
      if (!isBack || this.key === '') this.key = `${this.name}@${facts.first.offset}`;
    }
    this.level = this.level === 'stuck' ? 'stuck' : facts.level;
    const tokens = tokensAtFirst > 0 ? context.totalTokens - tokensAtFirst : 0;
    this.sink.finding({
      detector: id,
      rule: null,
      reason,
      exhaustion,
      key: this.key,
      certainty,
      ...facts,
      subject: snippetLine(facts.subject, LINE_LENGTH),
      level: this.level,
      confidence: CONFIDENCE[this.level],
      ...(tokens > 0 && { tokensSinceFirst: tokens }),
    });
  }

  clear(reason: ClearingReason, at: number, source: Source | null, context: DetectContext): void {
    if (this.level === null) return;
    this.level = null;
    this.clearedAt = context.stepCount;
    this.sink.clearing({ detector: this.card.id, key: this.key, reason, at, source });
  }
}

/** A step as a row of evidence, with what the rule has to say of it. */
export function rowOf(step: RowStep, text = step.text): Omit<Evidence, 'role'> {
  const { source, end, at, index, subject } = step;
  return { source, end, at, step: index, subject, text };
}

/** Characters of a result that is quoted, from both ends. */
const QUOTED = 3072;

/** Returns the result of a step as an incident quotes it. */
export function quotedResult({ end: source, at, result }: Step): Sample {
  return { source, at, text: copied(headAndTail(readable(result.output), QUOTED)), ignored: [] };
}

type RowStep = Pick<PastStep, 'source' | 'end' | 'at' | 'index' | 'subject' | 'text'>;

/** Occurrences that an incident shows: the first 3 and the last 8 (docs/detectors.md). */
const FIRST = 3;
const LAST = 8;

/** Evidence of a streak as it comes in; what lies in the middle of a long one is counted and left out. */
export class EvidenceRows {
  private start: Evidence | undefined = undefined;
  private head: Evidence[] = [];
  private tail: Evidence[] = [];
  total = 0;

  get first(): Evidence | undefined {
    return this.start;
  }

  get last(): Evidence | undefined {
    return this.tail.at(-1) ?? this.head.at(-1);
  }

  /** Adds an occurrence, or what lay between two of them, and returns the first one. Its texts are copied, each to one line. */
  add(row: Omit<Evidence, 'role'>, between = false): Evidence {
    const kept: Evidence = {
      ...row,
      role: between ? 'between' : this.total === 0 ? 'first' : 'repeat',
      subject: snippetLine(row.subject, LINE_LENGTH),
      text: snippetLine(row.text, LINE_LENGTH),
    };
    this.total++;
    if (this.head.length < FIRST) this.head.push(kept);
    else {
      this.tail.push(kept);
      if (this.tail.length > LAST) this.tail.shift();
    }
    return (this.start ??= kept);
  }

  rows(): Evidence[] {
    return [...this.head, ...this.tail];
  }

  clear(): void {
    if (this.total === 0) return;
    this.start = undefined;
    this.head = [];
    this.tail = [];
    this.total = 0;
  }
}
