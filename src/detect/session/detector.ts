import { type PastStep, type Step } from '../steps/step';
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
  TurnEnds,
} from '../../core/model';
import type { GateRun } from './gate-run';
import type { Prompt } from './prompts';
import type { LoopCandidate } from '../streaks/candidate';

/** Messages with calls within which steps are compared at most. */
export const REMEMBERED_MESSAGES = 128;
/** Number of steps that `DetectContext.steps` remembers: those of 128 messages, where a message has four. */
export const REMEMBERED_STEPS = 512;

/** State shared by the detectors of one session. They only read it. */
export interface DetectContext {
  readonly agent: AgentId;
  readonly session: string;
  /** The newest 512 steps. */
  readonly steps: {
    readonly length: number;
    /** For looking back: `last(0)` is the newest, which is the current one in `onStep`. */
    last(back: number): PastStep | undefined;
    /** Returns a step by its index in the session, while it is remembered. */
    step(index: number): PastStep | undefined;
  };
  /** Steps so far in this session. */
  readonly stepCount: number;
  /** Steps that existed before the newest prompt that added something: a step with an index from here on came after it. */
  readonly stepsAtUserMessage: number;
  /** The newest prompt of a person. */
  readonly prompt: Prompt;
  /** Prompts of the person so far, and the steps that existed before the newest. */
  readonly prompts: number;
  readonly stepsAtPrompt: number;
  /** Steps that existed when the context was last compacted, 0 when it never was. */
  readonly stepsAtCompaction: number;
  readonly lastProgress: ProgressMarker | null;
  /** Steps that existed when the last progress marker was set, 0 without one. */
  readonly stepsAtProgress: number;
  /** The last step that said something new, -1 without one, and its time. */
  readonly lastNewStep: number;
  readonly lastNewAt: number;
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
  /** Whether it is the person's move at this time, milliseconds since the epoch, so that nothing is silent, stalled or long. */
  isPersonsMove(at: number): boolean;
  readonly cwd: string | null;
  readonly showsRunningTool: boolean;
  readonly turnEnds: TurnEnds;
  /** False where the format holds no calls: that none was made then means nothing. */
  readonly holdsCalls: boolean;
}

/** Receiver of a detector's reports. */
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
 * One rule family over one session. Created per session; receives every event in order, and never looks back.
 *
 * Cost per call is constant. No I/O, no clock: time comes with the event or the tick.
 */
export interface Detector {
  /** Types of the events that it receives; absent: all. See `hearing`. */
  readonly hears?: readonly AgentEvent['type'][];
  /** Events of the session, in file order, before the step that they may complete. */
  onEvent?(event: AgentEvent, context: DetectContext): void;
  /** A call got its result. */
  onStep?(step: Step, context: DetectContext): void;
  /** A progress marker was found in the step before, or in the event (a plan item done). */
  onProgress?(marker: ProgressMarker, context: DetectContext): void;
  /** Quality gates have run over what the agent claims to be done. */
  onGates?(run: GateRun, context: DetectContext): void;
  /** Time has passed; at most once a second, in `scan` at the moments a deadline falls due. */
  onTick?(now: number, context: DetectContext): void;
  /** What it counts at this moment and no event has ended; null where it counts nothing. */
  lasting?(now: number): NearMiss | null;
  /** The machine slept until now: the gap is no silence of the agent. */
  onWake?(at: number): void;
  /** The next time at which `onTick` could say something new; Infinity when only an event can. */
  deadline?(): number;
}

/** A detector as the list knows it: its id, and how to make one. All else about it stands in its card (src/core/rules). */
export interface DetectorDefinition {
  readonly id: DetectorId;
  /** `options` is a live view: its numbers change when the settings do, so they are read at every use, never copied. */
  create(options: DetectorOptions, sink: DetectorSink): Detector;
}
