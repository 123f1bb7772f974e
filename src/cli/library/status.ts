import { presentableLine } from '../../base/util/redact';
import type { DetectorId, Evidence, Incident, Level, ReasonCode, RuleId } from '../../core/model';

/** What repeats. All texts are on one line and without secrets. */
interface Seen {
  /** 0 to 1. */
  readonly confidence: number;
  /** `record 3: pytest -q → 1 failed`, the oldest first; records count from 1. */
  readonly evidence: readonly string[];
  /** What to do, one sentence; '' where there is nothing. */
  readonly suggestion: string;
}

/** The state of one agent. */
export interface StuckStatus extends Seen {
  /** True at level `stuck` only. */
  readonly stuck: boolean;
  /** Null: nothing repeats. */
  readonly level: Level | null;
  readonly heuristic?: DetectorId;
}

/** What a listener is told of a streak that became stuck. */
export interface StuckContext extends Seen {
  readonly reason: ReasonCode;
  readonly rule: RuleId | null;
  /** In the unit of the rule: calls, messages, minutes, percent. */
  readonly count: number;
  /** What was counted, for a person. */
  readonly why: string;
}

export const NOT_STUCK: StuckStatus = { stuck: false, level: null, confidence: 0, evidence: [], suggestion: '' };

/** `mayBe`: false where the agent's turn is over, which repeats nothing. */
export function statusOf(incident: Incident | undefined, mayBe: boolean): StuckStatus {
  if (!incident) return NOT_STUCK;
  const { level, detector } = incident;
  return { stuck: mayBe && level === 'stuck', level, heuristic: detector, ...seenIn(incident) };
}

export function contextOf(incident: Incident): StuckContext {
  const { reason, rule, count, why } = incident;
  return { reason, rule, count, why: presentableLine(why), ...seenIn(incident) };
}

function seenIn({ confidence, evidence, suggestion }: Incident): Seen {
  return { confidence, evidence: evidence.map(row), suggestion: presentableLine(suggestion) };
}

function row({ source, subject, text }: Evidence): string {
  return presentableLine(`record ${source.line}: ${subject}${text === '' ? '' : ` → ${text}`}`);
}
