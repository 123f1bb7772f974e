import { whole } from '../../../base/util/counts';
import {
  type ClearingReason,
  ENDINGS,
  type DetectorId,
  type Ending,
  type IncidentOutcome,
  type IncidentState,
  type Level,
  type RuleId,
  endingOf,
} from '../../model';
import { age, capitalised } from '../format';
import { incidentLabel } from './rules';
import type { StateLook } from '../look';

export interface IncidentFacts {
  readonly state: IncidentState;
  readonly level: Level;
  readonly detector: DetectorId;
  readonly rule: RuleId | null;
  readonly subject: string;
  readonly count: number;
  readonly firstAt: number;
  readonly resolvedAt: number | null;
  readonly cleared: ClearingReason | null;
  readonly outcome: IncidentOutcome | null;
  /** Number of messages about it that reached the agent or are still waiting. */
  readonly attempts: number;
}

/** Number of nudges for one incident before it is the person's turn. */
const NUDGES = 2;

type End = Pick<IncidentFacts, 'state' | 'outcome' | 'cleared' | 'level'>;

/** Icon and tone of an incident. */
export function incidentLook(facts: End): StateLook {
  const ending = endingOf(facts);
  switch (ending) {
    case null:
      return facts.state === 'escalated' ? { icon: 'bell-dot', tone: 'error' } : { icon: 'warning', tone: 'trouble' };
    case 'nudge':
    case 'restart':
    case 'block':
    case 'gate':
      return { icon: 'pass', tone: 'good' };
    case 'by_itself':
    case 'went_on':
      return { icon: 'check', tone: 'none' };
    case 'user':
      return { icon: 'account', tone: 'none' };
    case 'not_stuck':
      return { icon: 'thumbsdown', tone: 'none' };
    case 'stuck':
      return { icon: 'error', tone: 'trouble' };
    case 'session':
      return { icon: 'circle-slash', tone: 'none' };
    case 'rule_off':
    case 'muted':
      return { icon: 'bell-slash', tone: 'none' };
    case 'unknown':
      return { icon: 'question', tone: 'none' };
  }
}

const ENDING_WORDS: Readonly<Record<Ending, string>> = {
  nudge: 'freed by nudge',
  restart: 'freed by restart',
  block: 'freed by blocking the call',
  gate: 'freed by gate feedback',
  by_itself: 'recovered on its own',
  user: 'you took over',
  not_stuck: 'not stuck',
  stuck: 'ended while stuck',
  session: 'session ended',
  went_on: 'stopped repeating',
  rule_off: 'rule off',
  muted: 'muted',
  unknown: 'unknown',
};

/** Returns the duration of an incident, up to now if it is open. */
export function incidentDuration(
  { resolvedAt, firstAt }: Pick<IncidentFacts, 'resolvedAt' | 'firstAt'>,
  now: number,
): string {
  return age((resolvedAt ?? now) - firstAt);
}

/** Describes its ending: `freed by nudge`, `ended while stuck`; for an open incident, whether it needs a person: `needs you`. */
export function endingWords(facts: End & Pick<IncidentFacts, 'attempts'>): string {
  const ending = endingOf(facts);
  if (ending !== null) return ENDING_WORDS[ending];
  if (facts.state === 'nudged') return `nudged ${whole(facts.attempts)} of ${whole(Math.max(NUDGES, facts.attempts))}`;
  return facts.state === 'escalated' ? 'needs you' : '';
}

/** Returns `3 min`, `nudged 1 of 2`, `freed by nudge, 4 min`, `session ended`. */
export function incidentDescription(facts: IncidentFacts, now: number): string {
  const words = endingWords(facts);
  if (facts.state === 'recovered') return `${words}, ${incidentDuration(facts, now)}`;
  return words === '' ? incidentDuration(facts, now) : words;
}

/** Text of the pill of a past incident: `Freed by nudge`. */
export function outcomePill(facts: End): string {
  const ending = endingOf(facts);
  return ending === null && facts.state === 'escalated' ? 'Needed you' : endingName(ending ?? 'open');
}

/** Returns the name of an ending, even of one written by another version: `Freed by nudge`. */
export function endingName(ending: string): string {
  const known = ENDINGS.find((one) => one === ending);
  if (known === undefined) return ending === 'open' ? 'Open' : ending;
  return capitalised(ENDING_WORDS[known]);
}

export function incidentTitle(facts: IncidentFacts, now: number): string {
  const time = incidentDuration(facts, now);
  return incidentLabel(facts.detector, facts.rule, facts.subject, facts.count, time);
}
