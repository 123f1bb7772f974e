import type { Finding, Incident } from '../../core/model';

/**
 * A hook or a log may report the same step, with times some milliseconds apart. Two streaks of a rule are at least a call
 * apart.
 */
const APART_MS = 2_000;

/**
 * The incident that an earlier reading of the session made of this streak, where times and places differ a little from one reading to the
 * next; undefined where there is none. Of several at a time the one about the same call. Pure.
 *
 * @param kept incidents of the session that are stored and that this reading has not found yet
 */
export function sameStreak(kept: readonly Incident[], finding: Finding): Incident | undefined {
  const near = kept.filter(
    ({ detector, firstAt, openedAt }) =>
      detector === finding.detector &&
      Math.abs(firstAt - finding.firstAt) <= APART_MS &&
      Math.abs(openedAt - finding.at) <= APART_MS,
  );
  const same = near.find(({ subject }) => subject === finding.subject);
  return same ?? (near.length === 1 ? near[0] : undefined);
}

/** An incident that only seemed to be one, because the lines before were not known to the reading that made it. */
export function onlySeemed(incident: Incident, now: number): Incident {
  return { ...incident, state: 'unknown', cleared: 'off', resolvedAt: now, updatedAt: now };
}
