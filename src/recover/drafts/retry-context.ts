import type { Incident, RungKind } from '../../core/model';
import { type Approach, avoidLine, failedWays, lastResultLine } from './approaches';
import { type AttemptResult, attemptResult } from '../attempts';
import { rungKindOf } from '../ladder';
import { fencedLines } from '../quote';

/** One earlier attempt to free an agent, with the resulting feedback. */
export interface PriorAttempt {
  readonly session: string;
  readonly model?: string;
  readonly rung: RungKind;
  readonly at: number;
  readonly result: AttemptResult;
  /** The verification feedback: the result that did not change. */
  readonly feedback: string;
}

const MOST_ATTEMPTS = 8;
const MOST_WAYS = 10;

/**
 * Returns all attempts of these incidents that reached an agent, oldest first.
 *
 * @param incidents of a session, of the sessions it was forked from or started for, and of those that resulted from it
 */
export function priorAttempts(incidents: readonly Incident[]): readonly PriorAttempt[] {
  return incidents
    .flatMap((incident) =>
      incident.attempts
        .filter((attempt) => attempt.takenAt !== undefined)
        .map(
          (attempt): PriorAttempt => ({
            session: incident.session,
            ...(incident.model !== undefined && { model: incident.model }),
            rung: rungKindOf(attempt),
            at: attempt.at,
            result: attemptResult(incident, attempt),
            feedback: lastResultLine(incident),
          }),
        ),
    )
    .sort((a, b) => a.at - b.at);
}

/** Returns the ways that failed in these incidents, without duplicates, newest last. */
export function failedWaysOf(incidents: readonly Incident[]): readonly Approach[] {
  const ways = new Map<string, Approach>();
  for (const incident of incidents) {
    for (const way of failedWays(incident)) {
      ways.delete(way.call);
      ways.set(way.call, way);
    }
  }
  return [...ways.values()].slice(-MOST_WAYS);
}

/**
 * Describes the earlier attempts and the failed ways in words. `detect/retry-notes` recognises the ways in a text for an agent, so that another try
 * is noticed (rule `context_pollution`): hence "Previous attempts", "Avoid:" and the calls in backticks. After this, nothing that did not fail may be
 * in backticks.
 */
export function retryContext(prior: readonly PriorAttempt[], ways: readonly Approach[], session: string): string {
  const shown = prior.filter((attempt) => attempt.result !== 'recovered').slice(-MOST_ATTEMPTS);
  const lines: string[] = [];
  if (shown.length > 0) {
    const all = shown.every((attempt) => attempt.result === 'failed');
    lines.push(all ? 'Previous attempts (all failed):' : 'Previous attempts:');
    for (const [index, attempt] of shown.entries()) lines.push(`- ${attemptLine(attempt, index + 1, session)}`);
    const given = shown.flatMap((attempt, index) => givenLine(attempt, index + 1));
    if (given.length > 0) lines.push('Their results:', fencedLines(given));
  }
  if (ways.length > 0)
    lines.push(
      'Avoid: these approaches were tried and did not change the result.',
      ...ways.map((way) => `- ${avoidLine(way)}`),
    );
  if (lines.length === 0) return '';
  return [...lines, 'Take a different approach.'].join('\n');
}

const WHAT: Readonly<Record<RungKind, string>> = {
  as_is: 'as it was',
  feedback: 'a message with feedback',
  fresh: 'fresh context',
  next_model: 'another model, fresh context',
  top_model: 'the top model with more thinking',
  ask: 'a person was asked',
};

const CAME: Readonly<Record<AttemptResult, string>> = {
  waiting: 'not taken yet',
  watching: 'the next results were new, then the problem came back',
  recovered: 'it helped',
  failed: 'the result stayed the same',
  unknown: 'outcome unknown',
  not_delivered: 'it was not delivered',
  withdrawn: 'it was withdrawn',
};

function attemptLine(attempt: PriorAttempt, number: number, session: string): string {
  const where = attempt.session === session ? '' : ', in an earlier session';
  return `Attempt ${number}${where}: ${WHAT[attempt.rung]}; ${CAME[attempt.result]}`;
}

/** Returns lines for a fence: the name of a model comes from the transcript, as the result does. */
function givenLine({ model, feedback }: PriorAttempt, number: number): readonly string[] {
  const name = model === undefined ? '' : ` with ${model}`;
  return name === '' && feedback === '' ? [] : [`Attempt ${number}${name}${feedback === '' ? '' : `: ${feedback}`}`];
}
