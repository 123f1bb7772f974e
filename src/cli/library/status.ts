import { presentableLine } from '../../base/util/redact';
import type { DetectorId, Evidence, Incident, Level, ReasonCode, RuleId } from '../../core/model';

/** The repetition that was seen. All texts are single lines without secrets. */
interface Seen {
  /** 0 to 1. */
  readonly confidence: number;
  /** `record 3: pytest -q → 1 failed`, oldest first. Records count from 1. */
  readonly evidence: readonly string[];
  /** Suggestion in one sentence; '' if there is none. */
  readonly suggestion: string;
}

/** The state of one agent. */
export interface StuckStatus extends Seen {
  /** True at level `stuck` only. */
  readonly stuck: boolean;
  /** Null if nothing repeats. */
  readonly level: Level | null;
  readonly heuristic?: DetectorId;
}

/** The facts that a listener receives about a streak that became stuck. */
export interface StuckContext extends Seen {
  readonly reason: ReasonCode;
  readonly rule: RuleId | null;
  /** In the unit of the rule: calls, messages, minutes, percent. */
  readonly count: number;
  /** The count in words for a person. */
  readonly why: string;
}

export const NOT_STUCK: StuckStatus = { stuck: false, level: null, confidence: 0, evidence: [], suggestion: '' };

/** Returns the status of an agent. `mayBe` is false if the agent's turn is over, since it then repeats nothing. */
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
