import type { Level } from '../../model';
import { cutWords, whole } from '../format';
import { type IncidentFacts, endingWords, incidentDuration } from './description';
import { incidentLabel, ruleName } from './rules';

/** Longest call in a row of the list. */
const CALL = 24;

/** Returns the task, or else the call or the rule. */
export function incidentRowLabel(facts: IncidentFacts & { readonly title: string }): string {
  const title = facts.title.trim();
  return title === '' ? facts.subject || ruleName(facts.detector, facts.rule) : title;
}

/** Returns `pytest -q ×24 · 3 min · freed by nudge`. An open incident has no ending yet. */
export function incidentRowDescription(facts: IncidentFacts, now: number): string {
  const what = facts.subject === '' ? ruleName(facts.detector, facts.rule) : facts.subject;
  // A rule about time, size or a share has no count for a ×n.
  const isCounted = /×\d/.test(incidentLabel(facts.detector, facts.rule, facts.subject, facts.count));
  const repeated = isCounted ? `${cutWords(what, CALL)} ×${whole(facts.count)}` : cutWords(what, CALL);
  return [repeated, incidentDuration(facts, now), endingWords(facts)].filter((part) => part !== '').join(' · ');
}

/** Kinds of chips by which incidents are filtered, as headings of the list. */
export const CHIP_KINDS = {
  level: 'Severity',
  outcome: 'Outcome',
  rule: 'Rule',
  agent: 'Agent',
  folder: 'Folder',
  time: 'When',
} as const;

export const LEVEL_NAMES: Readonly<Record<Level, string>> = { stuck: 'Stuck', warn: 'Warning' };

/** Periods of the filter, as written in a line of the search. */
export const PERIODS = { '24h': 'Last 24 hours', '7d': 'Last 7 days', '30d': 'Last 30 days' } as const;

/** Says, above the list, how it is filtered and how many incidents match. */
export function narrowedMessage(facts: {
  readonly search: string;
  /** Names of the chips. */
  readonly chips: readonly string[];
  readonly found: number;
  /** True if there may be more than are listed. */
  readonly isCut: boolean;
}): string {
  const to = [...(facts.search === '' ? [] : [`“${facts.search}”`]), ...facts.chips].join(' · ');
  if (facts.found === 0) return `Nothing found for ${to}.`;
  return facts.isCut ? `The first ${whole(facts.found)} for ${to}` : `${whole(facts.found)} for ${to}`;
}
