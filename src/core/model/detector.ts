/** Exhausted resource, where a detector separates exhaustion from a loop. */
export type Exhaustion = 'time' | 'tokens' | 'attempts';

/** `counted` patterns may notify; `guessed` ones (from time or text) only badge. */
export type Certainty = 'counted' | 'guessed';

export type Level = 'warn' | 'stuck';

export type Preset = 'eager' | 'balanced' | 'patient';

export const PRESETS: readonly Preset[] = ['eager', 'balanced', 'patient'];

/** When an alert of a detector may raise a notification. */
export type Notifies = 'at_stuck' | 'never' | 'first_block_and_stuck';

/** Counts at which a rule warns and reports stuck. */
export interface Limits {
  readonly warn: number;
  /** `Infinity` where it warns at most. */
  readonly stuck: number;
}

/** Thresholds of one detector after merging preset, user settings and agent overrides. */
export interface DetectorOptions extends Limits {
  readonly on: boolean;
  /** Number of the newest steps or messages that count; 0 where the rule has no window. */
  readonly window: number;
  /** Preset whose limits hold for waits and for the further shapes of the rule. */
  readonly preset: Preset;
  /** Limits that a person set for an ordinary step: no other shape has lower ones. 0 where nobody set any. */
  readonly least: Limits;
  /** Further numbers that a person can set, by name; the card says in which unit. */
  readonly numbers: Readonly<Record<string, number>>;
  /** Budgets of a session, for `max_runtime`. */
  readonly budgets: Budgets;
}

/** Amounts that a session may use before Unstuck warns. A budget that is absent is none. */
export interface Budgets {
  /** Hours of active time. */
  readonly hours?: number;
  readonly calls?: number;
  readonly tokens?: number;
  /** US dollars. */
  readonly cost?: number;
}

export const BUDGETS = ['hours', 'calls', 'tokens', 'cost'] as const satisfies readonly (keyof Budgets)[];
