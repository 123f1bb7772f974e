import type { ScannedSession } from '../../engine/scan';
import { type Evidence, type Incident, type Preset, repeatsIn } from '../../core/model';
import { signsInLine } from '../../base/util/showable';
import { shown } from '../find';
import type { Output } from '../output';

/** An alarm that would have been raised, as `backtest` lists it and `--explain` shows it (docs/command-line.md). */
export interface Alarm {
  readonly preset: Preset;
  readonly file: string;
  readonly incident: Incident;
}

/** Returns the alarms that a session raised at or after `since` (milliseconds since the epoch), in the order of their lines. */
export function alarmsOf(file: string, session: ScannedSession, preset: Preset, since: number): Alarm[] {
  return session.incidents
    .filter(({ openedAt }) => openedAt >= since)
    .map(({ firstSample: _first, lastSample: _last, ...incident }) => ({ preset, file, incident }));
}

/** Returns one alarm as `--json` prints it. `id` is the same in every run with the same options over the same transcript. */
export function alarmRecord({ preset, file, incident }: Alarm) {
  const { id, agent, session, detector, rule, level, certainty, count, why } = incident;
  const { firstLine, alertLine, stuckLine, resolvedLine } = incident;
  return {
    kind: 'alarm' as const,
    id,
    preset,
    file,
    agent,
    session,
    detector,
    rule,
    level,
    certainty,
    count,
    firstLine,
    alertLine,
    stuckLine,
    resolvedLine,
    lines: linesOf(incident),
    why,
  };
}

/** Returns the same record with all evidence behind it. */
export function explanationRecord(alarm: Alarm) {
  const { title, suggestion, clears, cleared, evidence } = alarm.incident;
  return {
    ...alarmRecord(alarm),
    kind: 'explanation' as const,
    title,
    suggestion,
    clears,
    cleared,
    evidence: evidence.map((row) => ({
      line: row.source.line,
      endLine: endOf(row),
      role: row.role,
      call: row.subject,
      result: row.text,
    })),
  };
}

/** Prints the alarms, each with its place, its rule and the reason. */
export function printAlarms(output: Output, alarms: readonly Alarm[], preset: Preset): void {
  output.line('');
  if (alarms.length === 0) {
    output.line(`No alarm with the thresholds of ${preset}.`);
    return;
  }
  const many = alarms.length === 1 ? '1 alarm' : `${alarms.length} alarms`;
  output.line(`${many} with the thresholds of ${preset} (--explain ID shows one with its evidence):`);
  for (const alarm of alarms) {
    printHead(output, alarm);
    output.line(`    ${signsInLine(alarm.incident.why)}`);
  }
}

/** Prints one alarm with its evidence: each call and its result, with their lines. */
export function printExplanation(output: Output, alarm: Alarm): void {
  const { incident } = alarm;
  printHead(output, alarm);
  output.line(`    ${signsInLine(incident.agentName)}: ${signsInLine(incident.title)}`);
  output.line(`    Why: ${signsInLine(incident.why)}`);
  output.line(`    Try: ${signsInLine(incident.suggestion)}`);
  for (const clause of incident.clears) output.line(`    Clears: ${signsInLine(clause)}`);
  output.line(`    ${ended(incident)}`);
  output.line('  Evidence');
  const places = incident.evidence.map((row) => place(row.source.line, endOf(row)));
  const wide = Math.max(...places.map((text) => text.length));
  for (const [index, row] of incident.evidence.entries()) {
    const between = row.role === 'between' ? '  (in between)' : '';
    output.line(`    ${(places[index] ?? '').padStart(wide)}  ${signsInLine(row.subject)}${between}`);
    if (row.text !== '') output.line(`    ${''.padStart(wide)}  → ${signsInLine(row.text)}`);
  }
}

function printHead(output: Output, { file, incident }: Alarm): void {
  const rule = incident.rule === null ? incident.detector : `${incident.detector}/${incident.rule}`;
  output.line(
    `  ${incident.id}  ${incident.level.padEnd(5)}  ${rule}  count ${incident.count}  ${shown(file, process.cwd())}:${lines(incident)}`,
  );
}

function ended({ alertLine, stuckLine, resolvedLine, cleared }: Incident): string {
  const stuck = stuckLine === null ? '' : `, stuck at line ${stuckLine}`;
  const end = resolvedLine === null ? 'still open at the end' : `cleared at line ${resolvedLine} (${cleared})`;
  return `Alarm at line ${alertLine}${stuck}, ${end}.`;
}

/** Returns the lines of the calls or messages that were counted, ascending. Lines in between are left out. */
function linesOf({ evidence }: Incident): number[] {
  return repeatsIn(evidence).map((row) => row.source.line);
}

/** Maximum number of lines listed, so that the evidence of one alarm fits on one line of a terminal. */
const LISTED = 6;

function lines(incident: Incident): string {
  const all = linesOf(incident);
  if (all.length <= LISTED) return all.join(',');
  return `${all.slice(0, LISTED - 1).join(',')},…,${all.at(-1)}`;
}

function endOf(row: Evidence): number {
  return row.end?.line ?? row.source.line;
}

function place(first: number, last: number): string {
  return first === last ? `${first}` : `${first}–${last}`;
}
