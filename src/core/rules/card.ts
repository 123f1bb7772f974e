import type {
  Certainty,
  DetectorId,
  Exhaustion,
  Notifies,
  Preset,
  ReasonCode,
  RecoveryAction,
  RuleId,
  RungKind,
  Situation,
} from '../model';

/** Counts at which a rule warns and reports stuck, in the unit named by its card. `stuck` is Infinity where it only warns. */
export interface Thresholds {
  readonly on: boolean;
  readonly warn: number;
  readonly stuck: number;
}

/** Limits of a shape for which a rule uses other numbers than for an ordinary step. A person does not set them. */
export interface Shape {
  readonly limits: Readonly<Record<Preset, Thresholds>>;
  /** Unit of the limits: `runs of one command`. */
  readonly counts: string;
}

/** Recovery for a finding when feedback alone did not help. */
export interface Strategy {
  readonly name: StrategyName;
  /** The second attempt; the first is always feedback, worded by recover/drafts. */
  readonly does: 'reassign' | 'start' | 'nudge' | 'stop' | 'wait';
  /** Rungs of the recovery ladder for the second attempt, the best first; the first one that the ladder contains is used. */
  readonly rungs: readonly RungKind[];
  /** True if the work in progress is saved before anything is restarted or stopped. */
  readonly savesWork: boolean;
  /** True if the first attempt needs no countdown, because it cannot lose anything. */
  readonly atOnce: boolean;
  /** Recommendation to a person if feedback did not help; null means to wait. */
  readonly action: RecoveryAction | null;
  /** True if it reads no messages while it hangs, so that feedback is not recommended first. */
  readonly skipsFeedback?: true;
  /** Reason, in one sentence for a person. */
  readonly why: string;
}

export type StrategyName =
  | 'reassign'
  | 'concrete_action'
  | 'capable_model'
  | 'fresh_start'
  | 'respawn_with_checkpoint'
  | 'format_reminder'
  | 'blocking_event'
  | 'patience_then_restart'
  | 'checkpoint_then_stop'
  | 'name_common_error'
  | 'search_in_result'
  | 'inspect_first'
  | 'report_gap'
  | 'quote_failed_attempts'
  | 'wait_for_service';

/** Part of a rule of the action family in the book of streaks (detect/streaks). */
export interface Streak {
  /** Several rules may see one streak: the one with the lowest rank speaks for it. */
  readonly rank: number;
  /** True if it only states what the steps have in common, not what repeats: any more specific rule speaks instead. */
  readonly vague?: true;
  /** True if it counts rounds or runs from the start at each step, rather than steps of one thing. */
  readonly recounts?: true;
  /** True if the quoted result is that of the failing step. */
  readonly quotesFailure?: true;
}

export type ToastButton =
  | 'Show Evidence'
  | 'Nudge'
  | 'Not Stuck'
  | 'Restart'
  | 'Save Checkpoint'
  | 'Show Gates'
  | 'Send to Agent';

/**
 * Words of a rule, as templates. `words/fill.ts` fills them: `{name}` is a value, `{count:# call|# calls}` one form for each
 * plural category of the language, with `#` for the number. The values are named in `words/incidents/rules.ts`.
 */
export interface RuleWords {
  /** The rule as a title: `Same call again`. */
  readonly name: string;
  /** Common property of equal steps, after `×6`: `same result`. */
  readonly pattern: string;
  /** The rule with its count, for rows: `same result 6 times`. */
  readonly short: string;
  /** The same where the counted time is not known. */
  readonly shortWithoutTime?: string;
  /** An incident in a list: `pytest -q: same result ×6`. */
  readonly label: string;
  /** The figure of the rule among the vital signs of a stuck agent. */
  readonly figure: { readonly label: string; readonly value: string; readonly note: string };
  /** The repeated thing, in the sentence about a recovering agent. Default: `Before that: {short}.` */
  readonly before?: string;
  /** The notification, after the title of the agent. Absent if this rule never notifies. */
  readonly toast?: {
    readonly text: string;
    /** The same where the time is not known. */
    readonly textWithoutTime?: string;
    readonly buttons: readonly ToastButton[];
  };
  /** The explanation, by situation; `main` where no other one fits. */
  readonly why?: Texts;
  /** Advice, by situation. */
  readonly suggestion?: Texts;
  /** Conditions that would clear it, each one a short clause. */
  readonly clears?: readonly string[];
  readonly nudge: NudgeWords;
}

/**
 * Words of this rule in a message to the agent. They name nothing from the transcript: the repeated call and its result are quoted in fences below
 * (recover/drafts/draft.ts).
 */
export interface NudgeWords {
  /** One concrete step, worded so that it does no harm if the rule was wrong. */
  readonly step: Texts;
  /**
   * The counted repeats: `{count}`, `{time}` since the first, and `{within}` for the same if it is long enough to mention. `{You}` and `{you}` name
   * the agent: in a prompt for another agent, the previous one.
   */
  readonly counted: Texts;
  /** Line above the quoted call. Where absent, it is not quoted. */
  readonly call?: string;
  /** Line above the quoted result, or errors. Where absent, none is quoted. */
  readonly result?: string;
  /** Line above the list of actions between the repeats. Where absent, they are not listed. */
  readonly between?: string;
  /** True if the different errors are quoted, each in one line, instead of the last result. */
  readonly quotesErrors?: true;
}

/** Sentences by situation; `main` where no other one fits. */
export type Texts = Readonly<Partial<Record<Situation, string>>> & { readonly main: string };

/** Returns the text of the first situation for which there is one. */
export function textFor(texts: Texts, situations: readonly Situation[]): string {
  const situation = situations.find((one) => texts[one] !== undefined);
  return (situation === undefined ? undefined : texts[situation]) ?? texts.main;
}

/** A rule within a detector that counts something else. Anything that it does not specify is taken from the card of its detector. */
export interface SubRule {
  /** Its own limits and their unit. Where absent, those of its detector. */
  readonly shape?: Shape;
  readonly streak?: Streak;
  readonly words: Partial<RuleWords> & Pick<RuleWords, 'name'>;
}

/** Everything known about one detector except how it finds things. Everything that names a rule reads it here. */
export interface RuleCard {
  readonly id: DetectorId;
  readonly reason: ReasonCode;
  /** Exhausted resource, where this is exhaustion rather than a loop. */
  readonly exhaustion: Exhaustion | null;
  readonly certainty: Certainty;
  /** Basis of a guess. */
  readonly guessedFrom?: 'time' | 'text';
  readonly thresholds: Readonly<Record<Preset, Thresholds>>;
  /** Unit of the count: `3 of 4`, `41 of 80 %`, `2 of 10 min`, `41k of 200k characters`. */
  readonly unit: 'times' | 'percent' | 'minutes' | 'characters';
  /** Unit of `warn` and `stuck`, for settings and docs: `steps in a row`. */
  readonly counts: string;
  /** Number of the newest steps or messages that are inspected. Absent if the rule has no window. */
  readonly window?: { readonly size: number; readonly of: 'steps' | 'messages' };
  /** Further shapes within the rule that have other limits, by name. */
  readonly shapes?: Readonly<Record<string, Shape>>;
  /** Name of `warn` in the settings, where the rule has several limits of one kind. */
  readonly warnIsCalled?: string;
  /** Further numbers that a person can set, by name, in the unit of `counts`. */
  readonly numbers?: Readonly<Record<string, Readonly<Record<Preset, number>>>>;
  readonly notifies: Notifies;
  /** Findings that are hints: marks of the agent rather than incidents. Absent if there are none. */
  readonly hints?: 'all' | 'guesses';
  /** Present only for rules of the action family. */
  readonly streak?: Streak;
  /**
   * True if it judges what surrounds the steps, not the steps: it adds to the incident of the same steps, and opens its own only where there is none.
   */
  readonly ofContext?: true;
  /** True if its evidence is calls that achieved nothing, which a restarted agent should avoid. */
  readonly showsFailedWays?: true;
  /** Set if this is a name for some findings of another detector: it runs, and is configured, as that one. */
  readonly foundBy?: DetectorId;
  /** True if it looks for what has never happened before, so that it needs the session from its start. */
  readonly needsWholeSession?: true;
  readonly strategy: Strategy;
  readonly words: RuleWords;
  /** Other words for an incident with exactly this subject. */
  readonly wordsForSubject?: { readonly subject: string; readonly words: Partial<RuleWords> };
  readonly rules?: Readonly<Partial<Record<RuleId, SubRule>>>;
}
