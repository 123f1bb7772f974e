import type { EditPair } from './edit-pair';
import type { ProgressMarker, Source, ToolCallEvent, ToolKind, ToolResultEvent } from '../../core/model';

/** Reason why a step does not count for any rule of repeats, and does not break a streak either (docs/detectors.md, "What weighs less"). */
export type Exemption =
  | 'plan'
  | 'question'
  | 'own_message'
  | 'denied'
  | 'interrupted'
  | 'batch_repeat'
  | 'passing_check'
  | 'asked'
  | 'sleep';

/**
 * Weight of a repeat of a step (docs/detectors.md, "What weighs less"). `wait`: it only lets time pass, or polls something running. `look`: it only
 * reads. `change`: an edit or a command that changes files and succeeded. `plain`: everything else, and all checks and failures.
 */
export type Weight = 'plain' | 'wait' | 'look' | 'change';

/** The remembered form of a step: plain data, with every text short and copied. */
export interface PastStep {
  /** 0-based, in order of the results. */
  readonly index: number;
  readonly kind: ToolKind;
  /** Name of the tool. */
  readonly tool: string;
  readonly failed: boolean;
  /** True if it failed, or ended with an uncaught exception that the record does not flag: it clears no count. */
  readonly crashed: boolean;
  /** True for tests, lint, build or types: the result shows whether the work is correct. */
  readonly check: boolean;
  readonly weight: Weight;
  /** True for a new saying: its call never said this before, and lately no other call said exactly this. False where it says nothing. */
  readonly isNew: boolean;
  /** False for an exempt step, which neither counts nor breaks a streak. */
  readonly counted: boolean;
  /** Serial number of the message that made the call: steps of one message are one piece of evidence, and windows count messages. */
  readonly message: number;
  /** Number of the person's prompts before it. */
  readonly prompts: number;
  /** True if it changed something: an edit, a commit, a command that changes files. */
  readonly changes: boolean;
  /** True if it checked out another commit: earlier checks and reads are then about other files. */
  readonly movesHead: boolean;
  /** File that an editing tool changed, or tried to change; 0 for other steps. Equal numbers mean equal paths. */
  readonly file: number;
  /** Text that an edit changes, as far as its arguments show it. */
  readonly edit: EditPair | null;
  /** Number of failures that a check names or counts; -1 where it shows no number, and for other steps. */
  readonly failing: number;
  /** True if the harness added its own reminder below its result. */
  readonly isReminded: boolean;
  /** True if it starts a program in the background. */
  readonly starts: boolean;
  /** Equal numbers mean equal calls: tool and canonical arguments. */
  readonly signature: number;
  /** Equal numbers mean calls of one program, or of one tool where there is no program. */
  readonly program: number;
  /** Equal numbers mean calls of one program or tool on one target; 0 where the call names none. */
  readonly target: number;
  /** Equal numbers mean equal outcomes: the same call with the same saying. Unique where it says nothing. */
  readonly outcome: number;
  /** Error that a failure names, as a number that is equal for equal errors, whatever the call; 0 if the step did not fail or names no error. */
  readonly error: number;
  /** Output of a tool that does not depend on its input: its text without its arguments. 0 where there is nothing to compare (no-effect.ts). */
  readonly effect: number;
  /** Time of the result, in milliseconds since the epoch. */
  readonly at: number;
  /** Place of the call. */
  readonly source: Source;
  /** Place of the result. */
  readonly end: Source;
  /** Requested length of a wait, in milliseconds; 0 for other steps and where it is unknown. */
  readonly requestedWait: number;
  /** Values in the failures of a check, such as `-6` and `3`; empty where there are none. */
  readonly values: readonly string[];
  /** All tokens that the session had used by then; 0 if unknown. */
  readonly tokens: number;
  /** The call in one line, at most 200 characters: `pytest -q`. */
  readonly subject: string;
  /** Result in one line, at most 100 characters: `2 failed, 3 passed`. */
  readonly text: string;
}

/**
 * One call with its result, as detectors receive it. The object itself is remembered: its records are removed after `onStep`, so keep it as a
 * `PastStep`.
 */
export interface Step extends PastStep {
  readonly call: ToolCallEvent;
  readonly result: ToolResultEvent;
  /** 1 for the first time this outcome was seen, 2 for its first repeat, ... within the remembered part of the session. */
  readonly occurrence: number;
  /** True if this call said something else the last time. */
  readonly changed: boolean;
  /** True for an edit and a run in one call: it wrote content into a file before it ran something. */
  readonly editsFirst: boolean;
  /** True for a malformed call: the tool never ran. */
  readonly malformed: boolean;
  /** True if it failed because of how it was called: a usage text, an unknown option. It counts as a malformed call of that program. */
  readonly misused: boolean;
  /** If not null, no repeat rule counts this step, and it does not break a streak either. */
  readonly exemption: Exemption | null;
  /** The progress marker that this step set. */
  readonly progress: ProgressMarker | null;
}
