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

/** Largest number of messages with calls within which steps are compared. */
export const REMEMBERED_MESSAGES = 128;
/** Number of steps that `DetectContext.steps` remembers: those of 128 messages with four steps each. */
export const REMEMBERED_STEPS = 512;

/** State shared by the detectors of one session. They only read it. */
export interface DetectContext {
  readonly agent: AgentId;
  /** The newest 512 steps. */
  readonly steps: {
    readonly length: number;
    /** Returns an earlier step: `last(0)` is the newest, which is the current one in `onStep`. */
    last(back: number): PastStep | undefined;
    /** Returns a step by its index in the session, while it is remembered. */
    step(index: number): PastStep | undefined;
  };
  /** Number of steps so far in this session. */
  readonly stepCount: number;
  /** Number of steps before the newest prompt that added something: a step with this index or a higher one came after it. */
  readonly stepsAtUserMessage: number;
  /** The newest prompt of a person. */
  readonly prompt: Prompt;
  /** Number of the person's prompts so far, and of the steps before the newest prompt. */
  readonly prompts: number;
  readonly stepsAtPrompt: number;
  readonly lastProgress: ProgressMarker | null;
  /** Number of steps before the last progress marker; 0 without one. */
  readonly stepsAtProgress: number;
  /** The last step that said something new (-1 without one), and its time. */
  readonly lastNewStep: number;
  readonly lastNewAt: number;
  /** Time of the first event. */
  readonly startedAt: number;
  /** Time of the newest event. */
  readonly now: number;
  /** Tokens in the context window now; 0 if unknown. */
  readonly contextTokens: number;
  readonly contextWindow: number;
  /** All tokens that the session has used so far; 0 if unknown. */
  readonly totalTokens: number;
  /** Running calls, oldest first (`createStepAssembler`). */
  readonly pending: readonly ToolCallEvent[];
  /** Returns whether it is the person's move at this time (milliseconds since the epoch), so that nothing counts as silent, stalled or long. */
  isPersonsMove(at: number): boolean;
  readonly cwd: string | null;
  readonly showsRunningTool: boolean;
  readonly turnEnds: TurnEnds;
  /** False if the format does not record calls: the absence of calls then means nothing. */
  readonly holdsCalls: boolean;
}

/** Receiver of a detector's reports. */
export interface DetectorSink {
  finding(finding: Finding): void;
  clearing(clearing: Clearing): void;
  /** Reports how near a rule has come since the last user message; replaces an earlier report of the same detector and rule. */
  nearMiss(nearMiss: NearMiss): void;
  /**
   * Reports a repeat of steps that this rule counted up to its threshold or beyond. The loop book (loops.ts) decides which rule speaks for the
   * streak, makes the finding, follows it and clears it. For rules of the action family only; others use `finding`.
   */
  loop(candidate: LoopCandidate): void;
}

/**
 * One family of rules over one session. Created per session; receives every event in order, and never looks back.
 *
 * The cost per call is constant. No I/O, no clock: time comes with the event or the tick.
 */
export interface Detector {
  /** Types of the events that it receives; all where absent. See `hearing`. */
  readonly hears?: readonly AgentEvent['type'][];
  /** Takes the events of the session, in file order, before the step that they may complete. */
  onEvent?(event: AgentEvent, context: DetectContext): void;
  /** Takes a call with its result. */
  onStep?(step: Step, context: DetectContext): void;
  /** Takes a progress marker found in the previous step, or in the event (a finished plan item). */
  onProgress?(marker: ProgressMarker, context: DetectContext): void;
  /** Takes a run of the quality gates over work that the agent claims to be done. */
  onGates?(run: GateRun, context: DetectContext): void;
  /** Called when time has passed: at most once a second, and in `scan` whenever a deadline is reached. */
  onTick?(now: number, context: DetectContext): void;
  /** Returns its current count that no event has ended; null where it counts nothing. */
  lasting?(now: number): NearMiss | null;
  /** Called when the machine has slept until now: the gap is not a silence of the agent. */
  onWake?(at: number): void;
  /** Returns the next time at which `onTick` could report something new; Infinity if only an event can. */
  deadline?(): number;
}

/** An entry in the list of detectors: its id, and how to create it. Everything else about it is in its card (src/core/rules). */
export interface DetectorDefinition {
  readonly id: DetectorId;
  /** `options` is a live view: its numbers change when the settings do, so they must be read at every use, never copied. */
  create(options: DetectorOptions, sink: DetectorSink): Detector;
}
