import type { ScannedSession } from '../engine/scan';
import type { Incident, NearMiss } from '../core/model';
import { signsInLine } from '../base/util/showable';
import { type Output } from './output';
import { stateWords } from './scan-record';
import { heldBackWords, reachedWords } from '../core/words/incidents/near-miss';

/** Prints one session for a person: what was read and found, and with `why` what held the other rules back. */
export function printScanned(output: Output, file: string, session: ScannedSession, why: boolean): void {
  const skipped = session.skipped.length > 0 ? `, ${session.skipped.length} lines skipped` : '';
  const state = stateWords(session.state);
  output.line(
    `${file}  ${session.agentName}  ${session.seen} of ${session.callMarkers} steps seen${skipped}  ${state}`,
  );
  if (session.title !== session.agentName) output.line(`  ${signsInLine(session.title)}`);
  for (const incident of session.incidents) printIncident(output, incident.level, incident);
  for (const hint of session.hints) printIncident(output, 'hint', hint);
  for (const problem of session.skipped.slice(0, 5))
    output.line(`  line ${problem.line} skipped: ${signsInLine(problem.why)}`);
  if (why) printNearMisses(output, session);
}

function printIncident(output: Output, as: Incident['level'] | 'hint', incident: Incident): void {
  const end = incident.resolvedLine === null ? 'still open' : `cleared at line ${incident.resolvedLine}`;
  const stuck = incident.stuckLine === null ? '' : `, stuck at line ${incident.stuckLine}`;
  output.line(
    `  ${as.padEnd(5)} ${incident.detector}${incident.rule ? `/${incident.rule}` : ''}  warned at line ${incident.alertLine}${stuck}, ${end}  (${incident.certainty})`,
  );
  output.line(`        ${signsInLine(incident.why)}`);
}

const HEAD = ['Rule', 'Nearest', 'Reached', 'Why it did not fire'];
const WIDEST = 44;

/** Sorts the near misses, the one nearest to its limit first. */
function nearestFirst(nearMisses: readonly NearMiss[]): NearMiss[] {
  return [...nearMisses].sort((a, b) => b.reached / b.limit - a.reached / a.limit);
}

/** Prints the rules that reached 30 % of their limit without firing, the nearest first. */
function printNearMisses(output: Output, { nearMisses, incidents }: ScannedSession): void {
  if (nearMisses.length === 0) {
    output.line(incidents.length === 0 ? '  No rule came close.' : '  No other rule came close.');
    return;
  }
  const rows = nearestFirst(nearMisses).map((near) => [
    near.rule ? `${near.detector}/${near.rule}` : near.detector,
    cut(output.present?.(signsInLine(near.nearest)) ?? signsInLine(near.nearest)),
    reachedWords(near.detector, near.reached, near.limit),
    signsInLine(heldBackWords(near)),
  ]);
  const widths = HEAD.map((head, column) => Math.max(head.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]) =>
    cells.map((cell, column) => (column === HEAD.length - 1 ? cell : cell.padEnd(widths[column] ?? 0))).join('  ');
  output.line(incidents.length === 0 ? '  Rules that came close' : '  Other rules that came close');
  for (const row of [HEAD, ...rows]) output.line(`    ${line(row)}`.trimEnd());
}

function cut(text: string): string {
  return text.length <= WIDEST ? text : `${text.slice(0, WIDEST - 1)}…`;
}
