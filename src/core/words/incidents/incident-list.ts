import { ENDINGS, type Ending, type Level } from '../../model';
import { cutWords, whole } from '../format';
import { type IncidentFacts, endingWords, incidentDuration } from './description';
import { incidentLabel, ruleName } from './rules';

/** Longest call in a row of the list. */
const CALL = 24;

/** The task, and where it has none the call or the rule. */
export function incidentRowLabel(facts: IncidentFacts & { readonly title: string }): string {
  const title = facts.title.trim();
  return title === '' ? facts.subject || ruleName(facts.detector, facts.rule) : title;
}

/** `pytest -q ×24 · 3 min · freed by nudge`. What is open has no end yet. */
export function incidentRowDescription(facts: IncidentFacts, now: number): string {
  const what = facts.subject === '' ? ruleName(facts.detector, facts.rule) : facts.subject;
  // A rule about time, size or a share counts nothing that a ×n would say.
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

/** Periods of the filter, as a line of the search writes them. */
export const PERIODS = { '24h': 'Last 24 hours', '7d': 'Last 7 days', '30d': 'Last 30 days' } as const;

const ENDING_NAMES: Readonly<Record<Ending | 'open', string>> = {
  open: 'Open',
  nudge: 'Freed by nudge',
  restart: 'Freed by restart',
  block: 'Freed by blocking the call',
  gate: 'Freed by gate feedback',
  by_itself: 'Recovered on its own',
  user: 'You took over',
  not_stuck: 'Not stuck',
  stuck: 'Ended while stuck',
  session: 'Session ended',
  went_on: 'Stopped repeating',
  rule_off: 'Rule off',
  muted: 'Muted',
  unknown: 'Unknown',
};

/** The name of an ending, also of one that another version wrote. */
export function endingName(ending: string): string {
  return ending === 'open' || ENDINGS.some((one) => one === ending) ? ENDING_NAMES[ending as Ending | 'open'] : ending;
}

/** Above the list: what it is narrowed to, and how much of it there is. */
export function narrowedMessage(facts: {
  readonly search: string;
  /** Names of the chips. */
  readonly chips: readonly string[];
  readonly found: number;
  /** There may be more than are listed. */
  readonly isCut: boolean;
}): string {
  const to = [...(facts.search === '' ? [] : [`“${facts.search}”`]), ...facts.chips].join(' · ');
  if (facts.found === 0) return `Nothing found for ${to}.`;
  return facts.isCut ? `The first ${whole(facts.found)} for ${to}` : `${whole(facts.found)} for ${to}`;
}
