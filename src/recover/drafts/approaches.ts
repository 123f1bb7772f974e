import { type Evidence, type Incident, repeatsIn } from '../../core/model';
import { cardOf } from '../../core/rules';
import { plainLine } from '../quote';

const MOST = 8;
/** Longest call in backticks that the rule `context_pollution` recognises (detect/sayings/retry-notes.ts). */
const LONGEST = 200;

/** One way that did not work. */
export interface Approach {
  /** The call, as the transcript names it. */
  readonly call: string;
  readonly times: number;
}

/**
 * Lists the ways that did not work in an incident: the steps between the equal results, otherwise the calls that repeat themselves. Empty for a rule
 * with other evidence, such as a silence or a file that was not read.
 *
 * If something was tried in between, the repeating call is the check, and running it again is no mistake: listing it would make a fresh agent's first
 * look at the failure a failed approach.
 */
export function failedWays(incident: Incident): readonly Approach[] {
  if (cardOf(incident.detector).showsFailedWays !== true) return [];
  const between = incident.evidence.filter((row) => row.role === 'between');
  return grouped(between.length > 0 ? between : repeatsIn(incident.evidence));
}

/** Returns the same as one line each, for a task's list of what to avoid. */
export function avoidList(incident: Incident): readonly string[] {
  return failedWays(incident).map(avoidLine);
}

export function avoidLine({ call, times }: Approach): string {
  return `${quotedCall(call)}${times > 1 ? ` (${times} times)` : ''}`;
}

/** Puts a call in backticks, so that it stays a quotation and a repeat can be noticed. A long one is cut. */
function quotedCall(call: string): string {
  const text = plainLine(call);
  return `\`${text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text}\``;
}

/** Returns the last of the equal results in one line. */
export function lastResultLine(incident: Incident): string {
  const last = repeatsIn(incident.evidence).at(-1);
  return plainLine(last?.text ?? '');
}

function grouped(rows: readonly Evidence[]): readonly Approach[] {
  const times = new Map<string, number>();
  for (const row of rows) {
    const call = row.subject === '' ? row.text : row.subject;
    if (call !== '') times.set(call, (times.get(call) ?? 0) + 1);
  }
  return [...times].slice(-MOST).map(([call, count]) => ({ call, times: count }));
}
