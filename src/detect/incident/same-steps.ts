import type { Finding, Incident, InContext } from '../../core/model';
import { CARDS, cardOf } from '../../core/rules';

/** Facts of an incident that decide whether another finding is about the same steps. */
export interface KnownIncident {
  readonly incident: Incident;
  /** Serial number: the newer of two incidents has the larger one. */
  readonly number: number;
  /** The newest finding under each key that has not been cleared. */
  readonly open: ReadonlyMap<string, Finding>;
  /** The newest finding, cleared or not. */
  readonly newest: Finding;
  /** Keys of all its findings. */
  readonly keys: ReadonlySet<string>;
}

/** Returns whether its rule judges what surrounds the steps, rather than the steps themselves. */
export function isOfContext({ detector }: Finding): boolean {
  return cardOf(detector).ofContext === true;
}

/** False for silence, an outage and a large result, which are separate from the steps: rules that never report stuck own no steps. */
function isOfSteps(finding: Finding): boolean {
  return isOfContext(finding) || cardOf(finding.detector).notifies !== 'never';
}

/**
 * Returns the incident about the steps of a finding: one whose own steps reach them, the newest if there are several.
 *
 * @param standing incidents that are open or can come back
 */
export function ofSameSteps<Entry extends KnownIncident>(
  finding: Finding,
  standing: Iterable<Entry>,
): Entry | undefined {
  if (!isOfSteps(finding)) return undefined;
  let found: Entry | undefined;
  for (const entry of standing) {
    if (found && found.number > entry.number) continue;
    const { incident, open, newest } = entry;
    const isSame =
      incident.resolvedAt === null
        ? [...open.values()].some((one) => isOfSteps(one) && reaches(one, finding))
        : reached(incident, newest, finding);
    if (isSame) found = entry;
  }
  return found;
}

/**
 * Returns whether the steps of an open finding reach those of another. A rule of context that can report stuck covers all steps until it is cleared;
 * one that only warns about time and budgets reports once, and whatever begins later is not part of it. Text repeated while a streak of something
 * else lasts belongs to that streak, and vice versa.
 */
function reaches(open: Finding, { firstAt, detector }: Finding): boolean {
  if (open.at >= firstAt || open.detector === 'text_loop') return true;
  return isOfContext(open) ? cardOf(open.detector).notifies !== 'never' : detector === 'text_loop';
}

/** Returns whether the steps of a cleared incident reach those of a finding: a longer pattern fits them now. */
function reached({ outcome, cleared, resolvedLine }: Incident, newest: Finding, finding: Finding): boolean {
  if (outcome === 'not_stuck' || isOfContext(finding) || isOfContext(newest) || !isOfSteps(newest)) return false;
  // The call that ended a repeated text may be the first of a streak.
  const isEndedByIt = cleared === 'tool_call' && (resolvedLine ?? 0) >= finding.first.line;
  return newest.at >= finding.firstAt || (newest.detector === 'text_loop' && isEndedByIt);
}

/** Returns whether an incident stays open after one of its findings was cleared; it does not if only warnings about the context remain. */
export function staysOpen({ open }: KnownIncident): boolean {
  return [...open.values()].some((one) => one.level === 'stuck' || !isOfContext(one));
}

/** Returns whether a finding brings back the incident to which it belonged. A warning does not bring back the *stuck* of its other findings. */
export function bringsBack({ level }: Finding, { incident, keys }: KnownIncident): boolean {
  return keys.size === 1 || level === 'stuck' || incident.level === 'warn';
}

/**
 * Returns what an incident says after its newest finding. One rule describes it: a rule of the steps before one of context, a more serious one before
 * the others, one that also names the other agent, then the one that described it so far. The level is the highest of all; if only a rule of context
 * says stuck, its sentence follows the first one.
 *
 * @param speaking key of the finding that described it so far
 */
export function describedFinding(open: ReadonlyMap<string, Finding>, newest: Finding, speaking: string): Finding {
  if (open.size === 1) return newest;
  const weight = (one: Finding): number =>
    (isOfContext(one) ? 0 : 8) +
    (one.level === 'stuck' ? 4 : 0) +
    (one.rule === 'peers' ? 2 : 0) +
    (one.key === speaking ? 1 : 0);
  const all = [...open.values()].sort((a, b) => weight(b) - weight(a) || placeOf(a) - placeOf(b));
  const [speaker = newest, ...others] = all;
  const around = others.filter(isOfContext).sort((a, b) => placeOf(a) - placeOf(b));
  const graver = speaker.level === 'warn' ? around.filter(({ level }) => level === 'stuck') : [];
  const context: InContext[] = around.map(({ detector, level }) => ({ detector, level }));
  const { level, confidence } = graver[0] ?? speaker;
  const why = [speaker, ...graver].map((one) => one.why).join(' ');
  const { at, source } = newest;
  return { ...speaker, at, source, level, confidence, why, ...(context.length > 0 && { context }) };
}

function placeOf({ detector }: Finding): number {
  return CARDS.findIndex(({ id }) => id === detector);
}
