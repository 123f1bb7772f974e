import { DETECTOR_IDS, type Incident, endingOf } from '../../core/model';
import { cardOf } from '../../core/rules';
import type { Learning } from '../types';

/** Searched texts of a document: its rule, its call, its title, who and where, and everything else. */
export type SearchTexts = readonly [rule: string, call: string, title: string, place: string, text: string];

export function incidentTexts(incident: Incident): SearchTexts {
  const { evidence, detector, rule } = incident;
  const some = evidence.length <= 6 ? evidence : [...evidence.slice(0, 3), ...evidence.slice(-3)];
  const level = incident.level === 'stuck' ? 'stuck' : 'warning';
  const place = [incident.agentName, incident.agent, incident.model, incident.role, incident.folder, incident.session];
  return [
    `${level} ${detector} ${rule ?? ''} ${nameOf(detector)} ${incident.reason}`,
    incident.subject,
    incident.title,
    [...place, incident.file].filter((part) => part !== undefined).join('\n'),
    // Repeats are equal: each text is taken once.
    [
      ENDING_WORDS[endingOf(incident) ?? 'open'],
      incident.why,
      ...new Set(some.flatMap((one) => [one.subject, one.text])),
    ].join('\n'),
  ];
}

export function learningTexts(learning: Learning): SearchTexts {
  const { title, tags, agent, content, cause, sourceTask } = learning;
  return [tags.join(' '), title, sourceTask, agent, `learning ${cause ?? ''} ${content}`];
}

/** Returns the name of a rule. A record of another version may name one that this version does not have. */
function nameOf(detector: Incident['detector']): string {
  return DETECTOR_IDS.includes(detector) ? cardOf(detector).words.name : '';
}

/** Common words for each ending. */
const ENDING_WORDS: Readonly<Record<NonNullable<ReturnType<typeof endingOf>> | 'open', string>> = {
  open: 'open active',
  nudge: 'recovered freed by nudge',
  restart: 'recovered freed by restart',
  block: 'recovered freed by blocking the call refused blocked',
  gate: 'recovered freed by gate feedback',
  by_itself: 'recovered on its own',
  user: 'recovered by you user',
  not_stuck: 'false alarm',
  stuck: 'ended while stuck',
  session: 'session ended',
  went_on: 'stopped repeating',
  rule_off: 'rule off',
  muted: 'muted',
  unknown: 'unknown',
};
