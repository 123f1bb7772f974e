import { resolveOptions } from '../../../../src/detect/session/options';
import type { DetectorDefinition } from '../../../../src/detect/session/detector';
import { DETECTORS } from '../../../../src/detect/rules';
import { createSessionDetectors } from '../../../../src/detect/session/session-detectors';
import type {
  AgentEvent,
  Clearing,
  DetectorId,
  DetectorOptions,
  Finding,
  NearMiss,
  ProgressMarker,
} from '../../../../src/core/model';

/** One incident as the detectors report it, without the incident reducer: findings of one key up to its clearing, and when it is back. */
export interface ReportedIncident {
  readonly key: string;
  /** Detector that reported last, with its rule: `repeating_outcome`, `repeating_outcome/known_outcomes`. */
  name: string;
  readonly first: Finding;
  last: Finding;
  readonly warnLine: number;
  stuckLine: number | null;
  cleared: Clearing | null;
  reopened: number;
}

export interface RunResult {
  readonly incidents: ReportedIncident[];
  readonly findings: Finding[];
  readonly clearings: Clearing[];
  readonly nearMisses: Map<string, NearMiss>;
  readonly progress: ProgressMarker[];
  readonly steps: number;
}

const FAMILY: ReadonlySet<string> = new Set([
  'repeating_action',
  'repeating_outcome',
  'action_error_alternation',
  'cycle',
  'consecutive_failures',
]);
/** The detectors that count steps. */
const ACTION_FAMILY: readonly DetectorDefinition[] = DETECTORS.filter(({ id }) => FAMILY.has(id));

/** Runs the detectors of one session over events, as live; all of them unless some are named. */
export function run(
  events: readonly AgentEvent[],
  options: Readonly<Record<DetectorId, DetectorOptions>> = resolveOptions({ preset: 'balanced', detectors: {} }),
  definitions: readonly DetectorDefinition[] = DETECTORS,
): RunResult {
  const byKey = new Map<string, ReportedIncident>();
  const result: RunResult & { steps: number } = {
    incidents: [],
    findings: [],
    clearings: [],
    nearMisses: new Map(),
    progress: [],
    steps: 0,
  };
  const detectors = createSessionDetectors(
    { agent: 'generic', showsRunningTool: true, options },
    {
      finding(finding) {
        result.findings.push(finding);
        const name = finding.rule ? `${finding.detector}/${finding.rule}` : finding.detector;
        const known = byKey.get(finding.key);
        if (!known) {
          const one: ReportedIncident = {
            key: finding.key,
            name,
            first: finding,
            last: finding,
            warnLine: finding.source.line,
            stuckLine: finding.level === 'stuck' ? finding.source.line : null,
            cleared: null,
            reopened: 0,
          };
          byKey.set(finding.key, one);
          result.incidents.push(one);
          return;
        }
        if (known.cleared) known.reopened++;
        known.cleared = null;
        known.name = name;
        known.last = finding;
        if (finding.level === 'stuck') known.stuckLine ??= finding.source.line;
      },
      clearing(clearing) {
        result.clearings.push(clearing);
        const known = byKey.get(clearing.key);
        if (known) known.cleared = clearing;
      },
      nearMiss: (nearMiss) => void result.nearMisses.set(`${nearMiss.detector}/${nearMiss.rule ?? ''}`, nearMiss),
      step: () => void result.steps++,
      progress: (marker) => void result.progress.push(marker),
    },
    definitions,
  );
  for (const event of events) {
    for (let deadline = detectors.deadline(), ticks = 0; deadline <= event.at && ticks < 64; ticks++) {
      detectors.tick(deadline);
      const next = detectors.deadline();
      if (next <= deadline) break;
      deadline = next;
    }
    detectors.push(event);
  }
  return result;
}

/** Runs only the detectors that count steps. */
export function runFamily(
  events: readonly AgentEvent[],
  options: Readonly<Record<DetectorId, DetectorOptions>> = resolveOptions({ preset: 'balanced', detectors: {} }),
): RunResult {
  return run(events, options, ACTION_FAMILY);
}
