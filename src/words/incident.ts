import type { ClearingReason, DetectorId, IncidentOutcome, IncidentState, RuleId } from '../model';
import { age } from './format';
import { incidentLabel } from './rules';
import type { StateLook } from './state';

export interface IncidentFacts {
  readonly state: IncidentState;
  readonly detector: DetectorId;
  readonly rule: RuleId | null;
  readonly subject: string;
  readonly count: number;
  readonly firstAt: number;
  readonly resolvedAt: number | null;
  readonly cleared: ClearingReason | null;
  readonly outcome: IncidentOutcome | null;
  /** Messages about it that reached the agent or still wait. */
  readonly attempts: number;
}

/** How many nudges one incident gets before it is the person's turn. */
export const NUDGES = 2;

/** Icon and tone of an incident. */
export function incidentLook(state: IncidentState): StateLook {
  switch (state) {
    case 'open':
    case 'nudged':
      return { icon: 'warning', tone: 'trouble' };
    case 'escalated':
      return { icon: 'bell-dot', tone: 'error' };
    case 'recovered':
      return { icon: 'pass', tone: 'good' };
    case 'muted':
      return { icon: 'bell-slash', tone: 'none' };
    case 'unknown':
      return { icon: 'question', tone: 'none' };
    case 'ended':
      return { icon: 'circle-slash', tone: 'none' };
  }
}

const OUTCOMES: Readonly<Record<IncidentOutcome, string>> = {
  nudge: 'nudge',
  restart: 'restart',
  block: 'blocked call',
  gate: 'gate',
  by_itself: 'by itself',
  user: 'you',
  not_stuck: 'not stuck',
};

/** `3 min`, `nudged 1 of 2`, `freed by nudge, 4 min`, `by itself, 2 min`. */
export function incidentDescription(facts: IncidentFacts, now: number): string {
  const lasted = age((facts.resolvedAt ?? now) - facts.firstAt);
  switch (facts.state) {
    case 'open':
      return lasted;
    case 'nudged':
      return `nudged ${facts.attempts} of ${Math.max(NUDGES, facts.attempts)}`;
    case 'escalated':
      return 'asks you';
    case 'recovered':
      return `${isSent(facts.outcome) ? 'freed by ' : ''}${OUTCOMES[facts.outcome ?? 'by_itself']}, ${lasted}`;
    case 'muted':
      return 'muted';
    case 'unknown':
      return 'unknown';
    case 'ended':
      return facts.outcome === 'not_stuck' ? 'not stuck' : 'session ended';
  }
}

/** The pill of a past incident: `Freed by nudge`. */
export function outcomePill(facts: Pick<IncidentFacts, 'state' | 'outcome'>): string {
  switch (facts.state) {
    case 'recovered':
      return facts.outcome === null || facts.outcome === 'by_itself'
        ? 'Recovered by itself'
        : `${isSent(facts.outcome) ? 'Freed' : 'Recovered'} by ${OUTCOMES[facts.outcome]}`;
    case 'escalated':
      return 'Asked you';
    case 'muted':
      return 'Muted';
    case 'open':
    case 'nudged':
      return 'Open';
    case 'unknown':
      return 'Unknown';
    case 'ended':
      return facts.outcome === 'not_stuck' ? 'Not stuck' : 'Session ended';
  }
}

/** Did something that was sent free it? */
function isSent(outcome: IncidentOutcome | null): boolean {
  return outcome === 'nudge' || outcome === 'restart' || outcome === 'block' || outcome === 'gate';
}

export function incidentTitle(facts: IncidentFacts, now: number): string {
  const time = age((facts.resolvedAt ?? now) - facts.firstAt);
  return incidentLabel(facts.detector, facts.rule, facts.subject, facts.count, time);
}
