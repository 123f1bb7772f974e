import type { ScannedSession } from '../../engine/scan';
import { DETECTOR_IDS, type DetectorId, type DetectorOptions, type Preset, type RuleId } from '../../core/model';
import type { Output } from '../output';

/** Counts of how often one rule fired. */
export interface Fired {
  readonly detector: DetectorId;
  readonly rule: RuleId | null;
  /** Incidents of any level. */
  incidents: number;
  /** Incidents that reached level stuck. */
  stuck: number;
  /** Sessions with at least one incident. */
  sessions: number;
}

export interface BacktestCount {
  readonly preset: Preset;
  readonly options: Readonly<Record<DetectorId, DetectorOptions>>;
  /** Results by name: `cycle`, `repeating_outcome/few_distinct`. */
  readonly fired: ReadonlyMap<string, Fired>;
}

/** Counts the incidents that a session raised at or after `since`. */
export function countFired(fired: Map<string, Fired>, session: ScannedSession, since: number): void {
  const here = new Set<string>();
  for (const { detector, rule, level, openedAt } of session.incidents) {
    if (openedAt < since) continue;
    const name = nameOf(detector, rule);
    const known = fired.get(name) ?? { detector, rule, incidents: 0, stuck: 0, sessions: 0 };
    fired.set(name, known);
    known.incidents++;
    if (level === 'stuck') known.stuck++;
    if (!here.has(name)) known.sessions++;
    here.add(name);
  }
}

/** Yields one record for each preset and rule, including detectors that never fired. */
export function* backtestRows(counts: readonly BacktestCount[], actions: number) {
  for (const { preset, options, fired } of counts) {
    for (const { detector, rule } of rulesOf(counts)) {
      const found = fired.get(nameOf(detector, rule));
      const { on, warn, stuck } = options[detector];
      yield {
        kind: 'backtest' as const,
        preset,
        detector,
        rule,
        on,
        warn,
        stuck: Number.isFinite(stuck) ? stuck : null,
        incidents: found?.incidents ?? 0,
        stuckIncidents: found?.stuck ?? 0,
        sessions: found?.sessions ?? 0,
        per500: actions === 0 ? 0 : Math.round(((found?.incidents ?? 0) * 500_000) / actions) / 1000,
      };
    }
  }
}

/**
 * Prints a table with one line for each rule: for each preset its thresholds, how often it fired, how often at level stuck, and in how many sessions.
 */
export function printBacktest(output: Output, counts: readonly BacktestCount[], actions: number): void {
  const rows = [...backtestRows(counts, actions)];
  const names = rulesOf(counts).map(({ detector, rule }) => nameOf(detector, rule));
  const wide = Math.max(...names.map((name) => name.length));
  const columns = counts.map(({ preset }) => {
    const cells = rows
      .filter((row) => row.preset === preset)
      .map((row) =>
        row.on
          ? [
              row.rule === null ? `${row.warn} / ${row.stuck ?? '–'}` : '',
              String(row.incidents),
              String(row.stuckIncidents),
              String(row.sessions),
            ]
          : ['off', '', '', ''],
      );
    const heads = [preset, 'fired', 'stuck', 'sessions'];
    const widths = heads.map((head, at) => Math.max(head.length, ...cells.map((cell) => cell[at]?.length ?? 0)));
    const line = (cell: readonly string[]) =>
      cell.map((text, at) => (at === 0 ? text.padEnd(widths[at] ?? 0) : text.padStart(widths[at] ?? 0))).join('  ');
    return { head: line(heads), lines: cells.map(line) };
  });
  output.line([''.padEnd(wide), ...columns.map(({ head }) => head)].join('    '));
  for (const [index, name] of names.entries())
    output.line([name.padEnd(wide), ...columns.map(({ lines }) => lines[index] ?? '')].join('    ').trimEnd());
}

/** Returns all detectors, each followed by those of its rules that fired. */
function rulesOf(counts: readonly BacktestCount[]): { detector: DetectorId; rule: RuleId | null }[] {
  return DETECTOR_IDS.flatMap((detector) => {
    const rules = new Set(
      counts.flatMap(({ fired }) =>
        [...fired.values()].filter((one) => one.detector === detector).map(({ rule }) => rule),
      ),
    );
    rules.delete(null);
    return [null, ...rules].map((rule) => ({ detector, rule }));
  });
}

function nameOf(detector: DetectorId, rule: RuleId | null): string {
  return rule === null ? detector : `${detector}/${rule}`;
}
