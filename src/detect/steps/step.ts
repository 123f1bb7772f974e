import type { EditPair } from './edit-pair';
import type { ProgressMarker, Source, ToolCallEvent, ToolKind, ToolResultEvent } from '../../core/model';

/** Why a step counts for no rule of repeats, and breaks no streak either (docs/detectors.md, "What weighs less"). */
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
 * Weight of a repeat of a step (docs/detectors.md, "What weighs less"). `wait`: it only lets time pass, or polls something that
 * runs. `look`: it only reads. `change`: an edit or a command that changes files and succeeded. `plain`: everything else, and
 * all checks and failures.
 */
export type Weight = 'plain' | 'wait' | 'look' | 'change';

/** A step as it is kept: plain data, every text short and a copy. */
export interface PastStep {
  /** 0-based, in order of the results. */
  readonly index: number;
  readonly kind: ToolKind;
  /** Name of the tool. */
  readonly tool: string;
  readonly failed: boolean;
  /** It failed, or ended with an uncaught exception that the record does not flag: it clears no count. */
  readonly crashed: boolean;
  /** Tests, lint, build or types: its result says whether the work is right. */
  readonly check: boolean;
  readonly weight: Weight;
  /** A new saying: its call never said this before, and lately no other one said these very words. False where it says nothing. */
  readonly isNew: boolean;
  /** False: an exempt step, which neither counts nor breaks a streak. */
  readonly counted: boolean;
  /** Serial number of the message that made the call: steps of one message are one piece of evidence, and windows count messages. */
  readonly message: number;
  /** Prompts of the person before it. */
  readonly prompts: number;
  /** It changed something: an edit, a commit, a command that changes files. */
  readonly changes: boolean;
  /** It put another commit under the work tree: what was checked or read before is about other files. */
  readonly movesHead: boolean;
  /** File that an editing tool changes, or tried to; 0 for other steps. Equal numbers are equal paths. */
  readonly file: number;
  /** Text that an edit changes, as far as its arguments show. */
  readonly edit: EditPair | null;
  /** Failures that a check names or counts; -1 where it says none. */
  readonly failing: number;
  /** The harness put a reminder of its own below its result. */
  readonly isReminded: boolean;
  /** It puts a program into the background. */
  readonly starts: boolean;
  /** Equal numbers are equal calls: tool and canonical arguments. */
  readonly signature: number;
  /** Equal numbers are calls of one program, or of one tool where there is none. */
  readonly program: number;
  /** Equal numbers are calls of one program or tool on one target; 0 where the call names none. */
  readonly target: number;
  /** Equal numbers are equal outcomes: the same call said the same. Unique where it says nothing. */
  readonly outcome: number;
  /** Error that a failure names, as a number shared across calls; 0 when the step did not fail or names no error. */
  readonly error: number;
  /** Output of a tool that does not depend on its input: its text without its arguments. 0: nothing to compare (no-effect.ts). */
  readonly effect: number;
  /** Time of the result, milliseconds since the epoch. */
  readonly at: number;
  /** Place of the call. */
  readonly source: Source;
  /** Place of the result. */
  readonly end: Source;
  /** Requested length of a wait, milliseconds; 0 for other steps and where it is unknown. */
  readonly asked: number;
  /** Values that the failures of a check name, such as `-6` and `3`; empty without any. */
  readonly values: readonly string[];
  /** All tokens the session had used by then, 0 when unknown. */
  readonly tokens: number;
  /** The call in one line, at most 200 characters: `pytest -q`. */
  readonly subject: string;
  /** Result in one line, at most 100 characters: `2 failed, 3 passed`. */
  readonly text: string;
}

/**
 * One call with its result, as detectors see it. It is the object that is kept: its records are taken off it after `onStep`, so keep it as
 * a `PastStep`.
 */
export interface Step extends PastStep {
  readonly call: ToolCallEvent;
  readonly result: ToolResultEvent;
  /** 1 for the first time this outcome was seen, 2 for its first repeat, ... in what is remembered of the session. */
  readonly occurrence: number;
  /** This call said something else the last time. */
  readonly changed: boolean;
  /** An edit and a run in one call: it wrote content into a file before what it ran. */
  readonly editsFirst: boolean;
  /** Malformed call: the tool never ran. */
  readonly malformed: boolean;
  /** It failed for how it was called: a usage text, an unknown option. It is a malformed call of that program. */
  readonly misused: boolean;
  /** Not null: no repeat rule counts this step, and it does not break a streak either. */
  readonly exemption: Exemption | null;
  /** The progress marker that this step set. */
  readonly progress: ProgressMarker | null;
}
