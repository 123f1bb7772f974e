import { type Incident, type MessageKind, repeatsIn } from '../../core/model';
import type { HelpedBefore, Learning } from '../types';
import { patternOf } from './pattern';
import { searchWords } from './words';

const ENOUGH_ALIKE = 0.45;
export const MOST_SIMILAR = 20;

/** Returns the similarity of two situations, 0 to 1: the same rule, the same call, the same result. 0 for different rules. */
export function similarity(a: Incident, b: Incident): number {
  if (a.detector !== b.detector || a.rule !== b.rule) return 0;
  const sameCall = a.subject === b.subject ? 1 : overlap(searchWords(a.subject), searchWords(b.subject));
  const sameResult = overlap(searchWords(lastResult(a)), searchWords(lastResult(b)));
  return 0.25 + 0.4 * sameCall + 0.35 * sameResult;
}

/**
 * Counts the attempts in earlier incidents like this one, and how often each helped. An attempt helped if it was the last one before the incident
 * recovered; its result is not counted while the incident is open or if it is unknown.
 */
export function helpedBefore(
  incident: Incident,
  incidents: Iterable<Incident>,
  learningOf: (id: string) => Learning | null = () => null,
): HelpedBefore {
  const alike: { readonly incident: Incident; readonly score: number }[] = [];
  const pattern = patternOf(incident);
  for (const other of incidents) {
    if (other.id === incident.id || other.resolvedAt === null || other.detector !== incident.detector) continue;
    const score = patternOf(other) === pattern ? 1 : similarity(incident, other);
    if (score >= ENOUGH_ALIKE) alike.push({ incident: other, score });
  }
  alike.sort((a, b) => b.score - a.score || b.incident.openedAt - a.incident.openedAt);
  const similar = alike.slice(0, MOST_SIMILAR).map((one) => one.incident);

  const counts = new Map<MessageKind, { n: number; of: number }>();
  for (const other of similar) {
    const sent = other.attempts.filter(
      ({ state }) => state !== 'withdrawn' && state !== 'expired' && state !== 'failed',
    );
    sent.forEach((attempt, index) => {
      const isLast = index === sent.length - 1;
      if (isLast && other.state !== 'recovered' && other.state !== 'ended') return;
      const count = counts.get(attempt.kind) ?? { n: 0, of: 0 };
      counts.set(attempt.kind, { n: count.n + (isLast && other.state === 'recovered' ? 1 : 0), of: count.of + 1 });
    });
  }
  const tried = [...counts].map(([kind, recovered]) => ({ kind, recovered }));
  tried.sort(
    (a, b) => b.recovered.n / b.recovered.of - a.recovered.n / a.recovered.of || b.recovered.of - a.recovered.of,
  );
  return { similar, tried, noted: notedOf(similar, learningOf) };
}

/**
 * Returns the note for similar incidents. A note or pin of a person wins over derived content, which is only used for recovered
 * incidents.
 */
function notedOf(similar: readonly Incident[], learningOf: (id: string) => Learning | null): string {
  const learnings = similar.flatMap(({ id }) => learningOf(id) ?? []);
  const own =
    learnings.find(({ pinned }) => pinned === true) ?? learnings.find(({ editedAt }) => editedAt !== undefined);
  if (own) return own.content;
  const freed = similar.find(({ state, progressed }) => state === 'recovered' && progressed !== undefined);
  const cause = freed && learnings.find(({ id }) => id === freed.id)?.cause;
  return freed?.progressed && cause !== undefined ? `${cause}\nIt continued with: ${freed.progressed.text}` : '';
}

function lastResult(incident: Incident): string {
  return repeatsIn(incident.evidence).at(-1)?.text ?? '';
}

/** Returns the share of common words among all words. Two texts without words have nothing in common. */
function overlap(a: readonly string[], b: readonly string[]): number {
  const left = new Set(a);
  const right = new Set(b);
  if (left.size === 0 || right.size === 0) return 0;
  let shared = 0;
  for (const word of left) if (right.has(word)) shared++;
  return shared / (left.size + right.size - shared);
}
