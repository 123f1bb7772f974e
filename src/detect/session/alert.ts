import type { Certainty, ClearingReason, Evidence, Finding, Level, RuleId, Sample, Source } from '../../core/model';
import type { RuleCard } from '../../core/rules/card';
import { REOPEN_STEPS } from '../../core/rules/common';
import { readable } from '../../base/util/cut';
import type { DetectContext, DetectorSink } from './detector';
import type { PastStep, Step } from '../steps/step';
import { copied } from '../../base/util/text';
import { LINE_LENGTH, headAndTail, snippetLine } from '../sayings/snippet';
import { CONFIDENCE } from '../streaks/confidence';

type AlertCard = Pick<RuleCard, 'id' | 'reason' | 'exhaustion' | 'certainty'>;

/** The facts of an alert that its rule provides. */
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
  /** Rule within the detector; its main rule where absent. */
  readonly rule?: RuleId;
  /** Certainty, where it differs from the card's. */
  readonly certainty?: Certainty;
  /** Tokens that the session had used at the first occurrence; 0 if unknown. */
  readonly tokensAtFirst?: number;
}

/** The alert of a rule outside the action family, which follows its streak itself: at most one is open at a time. */
export class Alert {
  /** Level of the open alert; null where there is none. It never falls while the alert is open. */
  private level: Level | null = null;
  private readonly name: string;
  private key = '';
  private clearedAt = -1;

  /**
   * @param card of the rule: its id, reason, certainty and exhausted resource
   * @param kind distinguishes alerts of one detector that may be open at the same time; part of the key
   * @param reopens false: each streak is a separate incident, however soon it follows the previous one
   */
  constructor(
    private readonly card: AlertCard,
    private readonly sink: DetectorSink,
    kind = '',
    private readonly reopens = true,
  ) {
    this.name = kind === '' ? card.id : `${card.id}-${kind}`;
  }

  get isOpen(): boolean {
    return this.level !== null;
  }

  /** Opens the alert, or reports its growth. */
  raise({ tokensAtFirst = 0, ...facts }: AlertFacts, context: DetectContext): void {
    const { id, reason, exhaustion, certainty } = this.card;
    if (this.level === null) {
      const isBack = this.reopens && this.clearedAt >= 0 && context.stepCount - this.clearedAt <= REOPEN_STEPS;
      // the place of the first record names the streak, regardless of where reading began
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

  /** Ends the alert; does nothing where none is open. `source`: the record that ended it. */
  clear(reason: ClearingReason, at: number, source: Source | null, context: DetectContext): void {
    if (this.level === null) return;
    this.level = null;
    this.clearedAt = context.stepCount;
    this.sink.clearing({ detector: this.card.id, key: this.key, reason, at, source });
  }
}

/** Returns a step as a row of evidence, with the rule's text about it. */
export function rowOf(step: RowStep, text = step.text): Omit<Evidence, 'role'> {
  const { source, end, at, index, subject } = step;
  return { source, end, at, step: index, subject, text };
}

/** Number of characters that are quoted of a result, from both ends. */
const QUOTED = 3072;

/** Returns the result of a step as quoted in an incident. */
export function quotedResult({ end: source, at, result }: Step): Sample {
  return { source, at, text: copied(headAndTail(readable(result.output), QUOTED)), ignored: [] };
}

type RowStep = Pick<PastStep, 'source' | 'end' | 'at' | 'index' | 'subject' | 'text'>;

/** Numbers of occurrences that an incident shows: the first 3 and the last 8 (docs/detectors.md). */
export const FIRST = 3;
export const LAST = 8;

/** Collects the evidence of a streak; the middle of a long one is counted and left out. */
export class EvidenceRows {
  private head: Evidence[] = [];
  private tail: Evidence[] = [];
  total = 0;

  get first(): Evidence | undefined {
    return this.head[0];
  }

  get last(): Evidence | undefined {
    return this.tail.at(-1) ?? this.head.at(-1);
  }

  /** Adds an occurrence, or something that happened between two, and returns the first occurrence. Its texts are copied, each to one line. */
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
    return this.head[0] ?? kept;
  }

  rows(): Evidence[] {
    return [...this.head, ...this.tail];
  }

  clear(): void {
    if (this.total === 0) return;
    this.head = [];
    this.tail = [];
    this.total = 0;
  }
}
