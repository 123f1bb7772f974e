import { type Incident, repeatsIn } from '../../core/model';
import { ruleWords } from '../../core/rules';
import type { TimelinePattern } from './timeline';

/** Returns the patterns of an incident for the timeline. A pattern that lists no steps uses those of its evidence. */
export function patternsOf(incident: Incident): TimelinePattern[] {
  const base = { group: incident.id, words: ruleWords(incident.detector, incident.rule).pattern };
  if (incident.pattern && incident.pattern.length > 0) {
    const single = incident.pattern.length === 1;
    return incident.pattern.map(({ letter, subject, steps }) => ({
      ...base,
      letter: letter || 'A',
      subject,
      steps,
      count: single ? Math.max(incident.count, steps.length) : steps.length,
    }));
  }
  const steps = repeatsIn(incident.evidence).flatMap(({ step }) => (step === undefined ? [] : [step]));
  return steps.length < 2
    ? []
    : [{ ...base, letter: 'A', subject: incident.subject, steps, count: Math.max(incident.count, steps.length) }];
}
