import { type DetectorId, type Incident, endingOf } from '../../core/model';
import type { Confidence, Learning, RecallHit } from '../types';
import { errorLineOf, namesError } from './pattern';

/**
 * Derives the learning from an incident: what repeated, on what task, what was tried and whether it helped. Undefined while the incident is open, for
 * one that a person muted or called not stuck, and for one that only warned and cleared on its own: no cycle took place.
 */
export function learningOf(incident: Incident): Learning | undefined {
  const { state } = incident;
  if (state !== 'recovered' && state !== 'ended' && state !== 'unknown') return undefined;
  if (incident.resolvedAt === null || incident.outcome === 'not_stuck') return undefined;
  if (incident.level !== 'stuck' && incident.attempts.length === 0) return undefined;

  const task = taskType(`${incident.title} ${incident.subject}`);
  const tried = triedLast(incident);
  const heuristic = incident.rule ? `${incident.detector} (${incident.rule})` : incident.detector;
  return {
    id: incident.id,
    at: incident.resolvedAt,
    session: incident.session,
    agent: incident.agent,
    category: 'debugging',
    title: `Agent stuck: ${incident.detector} on ${task}`,
    content: [
      `${incident.agentName} got stuck due to ${heuristic}`,
      incident.title === '' ? '' : ` while working on “${incident.title}”`,
      `. ${action(incident)} ${result(incident)} Root cause: ${causeOf(incident)}`,
    ].join(''),
    confidence: confidence(incident),
    sourceTask: incident.title === '' ? incident.session : incident.title,
    tags: [
      ...new Set(
        ['stuck', incident.detector, incident.role, incident.model, task].filter(
          (tag) => tag !== undefined && tag !== '',
        ),
      ),
    ] as string[],
    state,
    tried,
    cause: causeOf(incident),
  };
}

/** Task types by the words of the request; the first match counts. */
const TASK_TYPES: readonly (readonly [type: string, words: RegExp])[] = [
  ['review', /\b(?:review|audit|critique)\b/i],
  ['testing', /\b(?:tests?|pytest|jest|vitest|spec|coverage|unittest)\b/i],
  ['bug fix', /\b(?:fix|bug|error|broken|crash|fail(?:s|ed|ing|ure)?|regression|issue)\b/i],
  ['refactoring', /\b(?:refactor|rename|restructure|clean ?up|extract|simplify|migrate|migration)\b/i],
  ['build', /\b(?:build|compile|bundle|webpack|esbuild|make|cmake|gradle|ci|pipeline|deploy|docker|release)\b/i],
  ['dependencies', /\b(?:dependenc(?:y|ies)|upgrade|install|package|npm|pip|cargo|version)\b/i],
  ['documentation', /\b(?:docs?|readme|document(?:ation)?|comment|changelog)\b/i],
  ['research', /\b(?:find|search|explain|investigate|analy[sz]e|understand|why|research|explore)\b/i],
  ['feature', /\b(?:add|implement|create|support|feature|write|introduce|build)\b/i],
];

/** Returns the kind of task, by the words of its title: `testing`, `bug fix`, `feature`, … and `general` if none fits. */
export function taskType(title: string): string {
  return TASK_TYPES.find(([, words]) => words.test(title))?.[0] ?? 'general';
}

function triedLast(incident: Incident): Learning['tried'] {
  const last = incident.attempts.filter((attempt) => attempt.state !== 'withdrawn').at(-1);
  if (last && (last.takenAt !== undefined || incident.outcome !== 'user')) return last.kind;
  return incident.outcome === 'user' ? 'user' : 'by_itself';
}

function action(incident: Incident): string {
  const tried = incident.attempts.filter((attempt) => attempt.state !== 'withdrawn');
  if (tried.length === 0) return incident.outcome === 'user' ? 'A person stepped in.' : 'Nothing was sent to it.';
  const kinds = tried.map(
    (attempt) => `${attempt.kind} (${attempt.outcome ? `acted, ${attempt.outcome}` : attempt.state})`,
  );
  return `Recovery: ${kinds.join(', then ')}.`;
}

function result(incident: Incident): string {
  const minutes = Math.max(1, Math.round(((incident.resolvedAt ?? incident.updatedAt) - incident.firstAt) / 60_000));
  switch (incident.state) {
    case 'recovered':
      return `It recovered ${incident.outcome === 'by_itself' ? 'on its own ' : ''}${minutes} min after the first of the equal results.`;
    case 'ended':
      return `The session ended ${minutes} min after the first of the equal results without recovery.`;
    case 'unknown':
      return unexplained(incident);
    case 'open':
    case 'nudged':
    case 'escalated':
    case 'muted':
      return 'The pattern stopped. It is not known whether this helped.';
  }
}

/** Describes a pattern that stopped without progress after it. */
function unexplained(incident: Incident): string {
  switch (endingOf(incident)) {
    case 'stuck':
    case 'session':
      return 'The session ended before it recovered.';
    case 'user':
      return 'A person wrote to it.';
    case 'rule_off':
      return 'The rule was switched off.';
    default:
      return 'The pattern stopped. It is not known whether this helped.';
  }
}

/** Rules whose incidents are about one call that returned the same each time. For the others the rule itself best describes what happened. */
const SAY_THE_SAME: ReadonlySet<DetectorId> = new Set(['repeating_action', 'repeating_outcome']);

/** Words why it was stuck, as a person would say it: what was called, and how it failed or what it returned each time. */
function causeOf(incident: Incident): string {
  const line = errorLineOf(incident);
  const why = incident.why.trim().replace(/[.…]$/, '');
  if (!SAY_THE_SAME.has(incident.detector) || line === '' || incident.subject === '')
    return `${why === '' ? incident.subject : why}.`;
  const kept = namesError(line) ? 'kept failing' : 'kept returning the same';
  return `“${incident.subject}” ${kept}: ${line.replace(/[.…]$/, '')}.`;
}

function confidence(incident: Incident): Confidence {
  if (incident.state !== 'recovered') return 'low';
  if (incident.certainty === 'guessed') return 'low';
  return incident.attempts.some((attempt) => attempt.outcome === 'changed') ? 'high' : 'medium';
}

/**
 * Returns the content of a learning for comparison: a reader would take two equal ones for one. A person's text differs from
 * derived text.
 */
function saying({ cause, content, editedAt, title }: Learning): string {
  return (editedAt === undefined ? (cause ?? title) : content).trim().toLowerCase();
}

/** Keeps only the first of results whose learnings say the same; it names the others. */
export function withoutEqualLearnings(hits: readonly RecallHit[]): readonly RecallHit[] {
  const equal = new Map<string, string[]>();
  for (const hit of hits) {
    if (hit.kind === 'incident') continue;
    const said = saying(hit.learning);
    equal.set(said, [...(equal.get(said) ?? []), hit.id]);
  }
  return hits.flatMap((hit) => {
    if (hit.kind === 'incident') return hit;
    const [first, ...same] = equal.get(saying(hit.learning)) ?? [];
    if (hit.id !== first) return [];
    return same.length > 0 ? { ...hit, same } : hit;
  });
}
