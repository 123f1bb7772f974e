import type { Incident } from '../../core/model';

/**
 * Folds the silences of one session into one: a healthy session of five hours has sixty, and a single one tells no one anything. The result has the
 * id and the beginning of the first, and the place, the evidence and the end of the last. An open silence, one about which a message was sent and one
 * that a person has commented on stay separate.
 *
 * @param incidents of one session, in any order
 */
export function foldSilences(incidents: readonly Incident[]): readonly Incident[] {
  const silences = incidents.filter(isFolded).toSorted((a, b) => a.openedAt - b.openedAt || (a.id < b.id ? -1 : 1));
  const [first] = silences;
  const last = silences.at(-1);
  if (!first || !last || silences.length === 1) return incidents;
  const folded: Incident = {
    ...last,
    id: first.id,
    key: first.key,
    subject: `${silences.length} silences`,
    why: `The agent was silent ${silences.length} times in this session. The last time: ${last.why}`,
    firstAt: first.firstAt,
    openedAt: first.openedAt,
    firstLine: first.firstLine,
    alertLine: first.alertLine,
    // Each further silence is news about the same incident.
    reopened: silences.length - 1,
  };
  return [...incidents.filter((incident) => !isFolded(incident)), folded];
}

/** True if this incident is one of the silences that are folded into one. */
export function isFolded({ detector, level, attempts, state, outcome, resolvedAt }: Incident): boolean {
  return (
    detector === 'stall' &&
    level === 'warn' &&
    attempts.length === 0 &&
    resolvedAt !== null &&
    state !== 'muted' &&
    outcome !== 'not_stuck'
  );
}
