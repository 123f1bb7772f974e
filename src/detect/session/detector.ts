import type {
  AgentEvent,
  AgentId,
  Clearing,
  DetectorId,
  DetectorOptions,
  Finding,
  NearMiss,
  ProgressMarker,
  Source,
  ToolCallEvent,
  ToolKind,
  ToolResultEvent,
} from '../../model';
import type { GateRun } from './gate-run';
import type { LoopCandidate } from '../streaks/loop';

/** Why repeats of a step are no alarm, or need more of them. */
export type Exemption =
  | 'plan'
  | 'delegation'
  | 'question'
  | 'own_message'
  | 'denied'
  | 'image'
  | 'batch_repeat'
  | 'passing_check';

/** What a step says about itself once its records are gone, every text short and a copy. */
export interface StepFacts {
  /** 0-based, in order of the results. */
  readonly index: number;
  /** Time of the result, milliseconds since the epoch. */
  readonly at: number;
  /** Place of the call. */
  readonly source: Source;
  /** Place of the result. */
  readonly end: Source;
  readonly kind: ToolKind;
  /** Name of the tool. */
  readonly tool: string;
  readonly failed: boolean;
  /** Its outcome was not seen before. */
  readonly isNew: boolean;
  /** False: an exempt step, which neither counts nor breaks a streak. */
  readonly counted: boolean;
  /** Status checks and waits: compared by raw result, with higher limits. */
  readonly poll: boolean;
  /** Equal numbers are equal calls: tool and canonical arguments. */
  readonly signature: number;
  /** Equal numbers are equal outcomes: (signature, masked result, error flag); of polls the raw result. */
  readonly outcome: number;
  /** The masked error line as a number, shared across calls; 0 when the step did not fail. */
  readonly error: number;
  /** Equal numbers are equal results, whatever the call. */
  readonly resultToken: number;
  /** Equal numbers are calls about the same thing: a target, or the program of a command. 0: about nothing that is named. */
  readonly topic: number;
  /** All tokens the session had used by then, 0 when unknown. */
  readonly tokens: number;
  /** The call in one line, at most 200 characters: `pytest -q`. */
  readonly subject: string;
  /** What came of it in one line, at most 100 characters: `2 failed, 3 passed`. */
  readonly text: string;
}

/** What is kept of a step. Detectors keep these, never a `Step`: that would pin arguments and results of any size. */
export type PastStep = StepFacts;

/** A remembered step to look at: the next one that is asked for is the same object. */
export interface RememberedStep extends Omit<StepFacts, 'source' | 'end'> {
  /** This step as it can be kept. */
  kept(): PastStep;
}

/** One call with its result, as detectors see it. Valid during `onStep` only: keep `past`. */
export interface Step extends StepFacts {
  readonly past: PastStep;
  readonly call: ToolCallEvent;
  readonly result: ToolResultEvent;
  /** 1 for the first time this outcome was seen, 2 for its first repeat, ... in what is remembered of the session. */
  readonly occurrence: number;
  /** This call gave another outcome the last time. */
  readonly changed: boolean;
  /** Index of the last step with this outcome, -1 when it is new. */
  readonly previous: number;
  /** Malformed call: the tool never ran. */
  readonly malformed: boolean;
  /** Not null: no repeat rule counts this step, and it does not break a streak either. */
  readonly exemption: Exemption | null;
  /** Same value for steps of one parallel batch; equal steps of one batch are one piece of evidence. */
  readonly batch: string | null;
  /** The progress marker that this step set. */
  readonly progress: ProgressMarker | null;
}

/** How many steps `DetectContext.steps` remembers. */
export const REMEMBERED_STEPS = 128;

/** What the detectors of one session share. Read only for them. */
export interface DetectContext {
  readonly agent: AgentId;
  readonly session: string;
  /** The newest 128 steps. */
  readonly steps: {
    readonly length: number;
    /** `last(0)` is the newest, which is the current one in `onStep`. To be looked at only: see `RememberedStep`. */
    last(back: number): RememberedStep | undefined;
    /** By index of the step in its session, while it is remembered; to be kept. */
    step(index: number): PastStep | undefined;
  };
  /** Steps so far in this session. */
  readonly stepCount: number;
  /** Steps that existed before the newest message of a person: a step with an index from here on came after it. */
  readonly stepsAtUserMessage: number;
  /** Steps that existed when the context was last compacted, 0 when it never was. */
  readonly stepsAtCompaction: number;
  readonly lastProgress: ProgressMarker | null;
  /** Steps that existed when the last progress marker was set, 0 without one. */
  readonly stepsAtProgress: number;
  /** The last step whose outcome was new, -1 without one. */
  readonly lastNewStep: number;
  /** Time of the first event. */
  readonly startedAt: number;
  /** Time of the newest event. */
  readonly now: number;
  /** Tokens in the context window now, 0 when unknown. */
  readonly contextTokens: number;
  readonly contextWindow: number;
  /** All tokens the session used so far, 0 when unknown. */
  readonly totalTokens: number;
  /** Calls that run, oldest first (`createStepAssembler`). */
  readonly pending: readonly ToolCallEvent[];
  readonly turnOpen: boolean;
  readonly cwd: string | null;
  readonly showsRunningTool: boolean;
}

/** Where a detector reports. */
export interface DetectorSink {
  finding(finding: Finding): void;
  clearing(clearing: Clearing): void;
  /** The nearest a rule came since the last user message; replaces the one of the same detector and rule. */
  nearMiss(nearMiss: NearMiss): void;
  /**
   * A repeat of steps that this rule counted up to its threshold or beyond. The loop book (loops.ts) decides which rule speaks for
   * the streak, makes the finding, follows it and clears it. For rules of the action family only; others use `finding`.
   */
  loop(candidate: LoopCandidate): void;
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
  /** A progress marker was found in the step before, or in the event (a plan item done). */
  onProgress?(marker: ProgressMarker, context: DetectContext): void;
  /** Quality gates have run over what the agent claims to be done. */
  onGates?(run: GateRun, context: DetectContext): void;
  /** Time has passed; at most once a second, in `scan` at the moments a deadline falls due. */
  onTick?(now: number, context: DetectContext): void;
  /** The next time at which `onTick` could say something new; Infinity when only an event can. */
  deadline?(): number;
}

/** A detector as the list knows it: its id, and how to make one. All else about it stands in its card (src/rules). */
export interface DetectorDefinition {
  readonly id: DetectorId;
  /** `options` is a live view: its numbers change when the settings do, so they are read at every use, never copied. */
  create(options: DetectorOptions, sink: DetectorSink): Detector;
}
