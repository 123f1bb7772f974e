import { DETECTOR_IDS, type DetectorId, type FeedbackEntry, type RuleId } from '../../core/model';
import { cardOf } from '../../core/rules';
import type { StoreEvent } from '../types';

/** Lists the feedback on alarms, oldest first. Feedback that was given and withdrawn in the same millisecond counts as withdrawn. */
export function feedbackIn(events: Iterable<StoreEvent>): readonly FeedbackEntry[] {
  const found: FeedbackEntry[] = [];
  for (const event of events) {
    const entry = event.type === 'Feedback' ? feedbackOf(event) : null;
    if (entry) found.push(entry);
  }
  return found.sort((a, b) => a.at - b.at || Number(a.action === 'taken_back') - Number(b.action === 'taken_back'));
}

/** Returns null if the entry names a rule that this version does not have, or lacks what this version relies on. */
function feedbackOf({ t, session, agent, incident, data }: StoreEvent): FeedbackEntry | null {
  const { action, rule = null, call, subject, count, limit, folder } = data;
  const detector = DETECTOR_IDS.find((id) => id === data['detector']);
  if ((action !== 'not_stuck' && action !== 'taken_back') || !detector || !isRuleOf(detector, rule)) return null;
  if (incident === undefined || typeof call !== 'string' || typeof subject !== 'string') return null;
  if (typeof count !== 'number' || typeof limit !== 'number') return null;
  const where = typeof folder === 'string' ? { folder } : {};
  return { action, detector, rule, call, limit, incident, agent, session, ...where, subject, count, at: t };
}

function isRuleOf(detector: DetectorId, rule: unknown): rule is RuleId | null {
  return rule === null || (typeof rule === 'string' && Object.hasOwn(cardOf(detector).rules ?? {}, rule));
}
