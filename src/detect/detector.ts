import type {
  AgentEvent,
  AgentId,
  Clearing,
  DetectorId,
  DetectorOptions,
  Finding,
  NearMiss,
  ProgressMarker,
  ToolCallEvent,
  ToolResultEvent,
} from '../model';

/** Why repeats of a step are no alarm, or need more of them (PROTOCOLS.md section 5, "What resets, what does not"). */
export type Exemption = 'plan' | 'delegation' | 'question' | 'user_repeat' | 'paging' | 'sweep' | 'passing_check';

/** One call with its result, as detectors see it. */
export interface Step {
  /** 0-based, in order of the results. */
  readonly index: number;
  readonly call: ToolCallEvent;
  readonly result: ToolResultEvent;
  /** Time of the result, milliseconds since the epoch. */
  readonly at: number;
  /** Equal numbers are equal calls: tool and canonical arguments. */
  readonly signature: number;
  /** Equal numbers are equal outcomes: (signature, masked result, error flag). */
  readonly outcome: number;
  /** 1 for the first time this outcome was seen, 2 for its first repeat, ... in what is remembered of the session. */
  readonly occurrence: number;
  /** The masked error text as a number, shared across calls; 0 when the step did not fail. */
  readonly error: number;
  readonly failed: boolean;
  /** Malformed call: the tool never ran. */
  readonly malformed: boolean;
  /** Status checks and waits: compared by raw result, with higher limits. */
  readonly poll: boolean;
  readonly exemption: Exemption | null;
  /** Same value for steps of one parallel batch; equal steps of one batch are one piece of evidence. */
  readonly batch: string | null;
}

/** What the detectors of one session share. Read only for them. */
export interface DetectContext {
  readonly agent: AgentId;
  readonly session: string;
  /** The newest 256 steps, oldest first by `at(0)`; `last(0)` is the newest. */
  readonly steps: {
    readonly length: number;
    at(index: number): Step | undefined;
    last(back: number): Step | undefined;
  };
  readonly lastProgress: ProgressMarker | null;
  /** Tokens in the context window now, 0 when unknown. */
  readonly contextTokens: number;
  readonly contextWindow: number;
  /** All tokens the session used so far, 0 when unknown. */
  readonly totalTokens: number;
  /** Calls without a result yet, oldest first. */
  readonly pending: readonly ToolCallEvent[];
  readonly turnOpen: boolean;
  readonly showsRunningTool: boolean;
}

/** Where a detector reports. */
export interface DetectorSink {
  finding(finding: Finding): void;
  clearing(clearing: Clearing): void;
  /** The nearest a rule came since the last user message; replaces the one of the same detector and rule. */
  nearMiss(nearMiss: NearMiss): void;
}

/**
 * One rule family over one session. Created per session, told every event in order, never asked to look back.
 *
 * Cost per call is constant. No I/O, no clock: time comes with the event or the tick.
 */
export interface Detector {
  readonly id: DetectorId;
  /** Every event of the session, in file order, before the step that it may complete. */
  onEvent?(event: AgentEvent, context: DetectContext): void;
  /** A call got its result. */
  onStep?(step: Step, context: DetectContext): void;
  /** A progress marker was found in the step before. */
  onProgress?(marker: ProgressMarker, context: DetectContext): void;
  /** Time has passed; at most once a second, in `scan` at the moments a deadline falls due. */
  onTick?(now: number, context: DetectContext): void;
  /** The next time at which `onTick` could say something new; Infinity when only an event can. */
  deadline?(): number;
}

/** A detector as the list knows it: its id, its defaults for each preset, and how to make one. */
export interface DetectorDefinition {
  readonly id: DetectorId;
  create(options: DetectorOptions, sink: DetectorSink): Detector;
}
