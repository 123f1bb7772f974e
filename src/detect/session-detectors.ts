import type {
  AgentEvent,
  AgentId,
  Clearing,
  DetectorId,
  DetectorOptions,
  Finding,
  NearMiss,
  ProgressMarker,
} from '../model';
import type { DetectContext, Step } from './detector';

export interface SessionDetectorsInput {
  readonly agent: AgentId;
  readonly session: string;
  /** False where the format does not show a tool that runs: silence then needs more patience. */
  readonly showsRunningTool: boolean;
  readonly options: Readonly<Record<DetectorId, DetectorOptions>>;
}

/** What the detectors of a session say, in the order in which it was found. */
export interface DetectSignals {
  finding(finding: Finding): void;
  clearing(clearing: Clearing): void;
  nearMiss(nearMiss: NearMiss): void;
  /** After the findings of the step. Valid during the call only. */
  step?(step: Step): void;
  progress?(marker: ProgressMarker): void;
}

/** All detectors over one session: events and time in, findings out. */
export interface SessionDetectors {
  push(event: AgentEvent): void;
  tick(now: number): void;
  /** The next time at which `tick` could say something new, milliseconds since the epoch; Infinity when only an event can. */
  deadline(): number;
  /** New thresholds from now on; counts stay. A detector that is switched off clears what it had open. */
  setOptions(options: Readonly<Record<DetectorId, DetectorOptions>>): void;
  readonly context: DetectContext;
}
