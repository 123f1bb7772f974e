import type { Finding, Incident, InContext } from '../../core/model';
import { CARDS, cardOf } from '../../core/rules';

/** An incident that stands, as the question "are these the same steps?" needs it. */
export interface Standing {
  readonly incident: Pick<Incident, 'firstAt'>;
  readonly number: number;
  /** What was found last under each key that was not cleared. */
  readonly open: ReadonlyMap<string, Finding>;
}

/** Returns whether its rule judges what surrounds the steps, and not the steps themselves. */
export function isOfContext({ detector }: Pick<Finding, 'detector'>): boolean {
  return cardOf(detector).ofContext === true;
}

/** Only a rule that can say stuck owns steps: silence, an outage or a large result is something else beside them. */
function ownsSteps({ detector }: Finding): boolean {
  return !isOfContext({ detector }) && cardOf(detector).notifies !== 'never';
}

/**
 * Returns the incident that is about the steps of a finding: for a rule of context any whose steps it surrounds, for a rule that owns steps
 * one that so far only rules of context speak for. Of several the newest.
 *
 * @param standing incidents that go on
 */
export function ofSameSteps<Entry extends Standing>(finding: Finding, standing: Iterable<Entry>): Entry | undefined {
  const isContext = isOfContext(finding);
  if (!isContext && !ownsSteps(finding)) return undefined;
  let found: Entry | undefined;
  for (const entry of standing) {
    const open = [...entry.open.values()];
    if (!open.some((one) => reaches(one, finding))) continue;
    const joins = isContext ? open.some((one) => isOfContext(one) || ownsSteps(one)) : open.every(isOfContext);
    if (joins && (found === undefined || entry.number > found.number)) found = entry;
  }
  return found;
}

/**
 * Returns whether the steps of an open finding reach those of another. A rule of context that can say stuck speaks for all steps until it is
 * cleared; one that only warns, of time and budgets, reports once, and what begins later is no part of it.
 */
function reaches(open: Finding, { firstAt }: Finding): boolean {
  return open.at >= firstAt || (isOfContext(open) && cardOf(open.detector).notifies !== 'never');
}

/**
 * Returns whether a finding brings back an incident that was cleared. What only surrounded the steps of others does so at stuck: a warning
 * would bring the level of those others back.
 *
 * @param keys of all findings that the incident had
 */
export function bringsBack(finding: Finding, keys: ReadonlySet<string>): boolean {
  return keys.size === 1 || !isOfContext(finding) || finding.level === 'stuck';
}

/**
 * Returns what an incident says after its newest finding: the words and the count of the rule that owns the steps, else of the first rule
 * of context in the table that is stuck, else of the first, and the highest level of all. Where only a rule of context says stuck, its sentence stands behind the owner's.
 *
 * @param open all findings of the incident that were not cleared, the newest included
 */
export function spoken(open: ReadonlyMap<string, Finding>, newest: Finding): Finding {
  if (open.size === 1) return newest;
  const all = [...open.values()].sort((a, b) => placeOf(a) - placeOf(b));
  const owner = isOfContext(newest) ? all.find((one) => !isOfContext(one)) : newest;
  const speaker = owner ?? all.find(({ level }) => level === 'stuck') ?? all[0] ?? newest;
  const others = all.filter((one) => one !== speaker && isOfContext(one));
  const context: InContext[] = others.map(({ detector, level }) => ({ detector, level }));
  const graver = speaker.level === 'warn' ? others.filter(({ level }) => level === 'stuck') : [];
  const { at, source } = newest;
  const { level, confidence } = graver[0] ?? speaker;
  return {
    ...speaker,
    at,
    source,
    level,
    confidence,
    why: [speaker, ...graver].map(({ why }) => why).join(' '),
    context,
  };
}

function placeOf({ detector }: Finding): number {
  return CARDS.findIndex(({ id }) => id === detector);
}
