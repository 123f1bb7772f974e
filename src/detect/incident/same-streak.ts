import type { Finding, Incident } from '../../core/model';

/**
 * Limit of the difference between two reports of the same step, in milliseconds. A hook and a log may report it with slightly different times. Two
 * streaks of a rule are at least one call apart.
 */
const APART_MS = 2_000;

/**
 * Returns the incident that an earlier reading of the session made from this streak, where times and places differ a little between readings;
 * undefined where there is none. If there are several at that time, the one about the same call. Pure.
 *
 * @param kept stored incidents of the session that this reading has not found yet
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

/** Closes an incident that only seemed to be one, because the reading that made it did not know the lines before. */
export function onlySeemed(incident: Incident, now: number): Incident {
  return { ...incident, state: 'unknown', cleared: 'off', resolvedAt: now, updatedAt: now };
}
