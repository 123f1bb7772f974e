/** Exhausted resource, where a detector separates exhaustion from a loop. */
export type Exhaustion = 'time' | 'tokens' | 'attempts';

/** `counted` patterns may notify; `guessed` ones (from time or text) only show a badge. */
export type Certainty = 'counted' | 'guessed';

export type Level = 'warn' | 'stuck';

export type Preset = 'eager' | 'balanced' | 'patient';

export const PRESETS: readonly Preset[] = ['eager', 'balanced', 'patient'];

/** When an alert of a detector may raise a notification. */
export type Notifies = 'at_stuck' | 'never' | 'first_block_and_stuck';

/** Counts at which a rule warns and reports stuck. */
export interface Limits {
  readonly warn: number;
  /** `Infinity` where it only warns. */
  readonly stuck: number;
}

/** Thresholds of one detector after merging preset, user settings and agent overrides. */
export interface DetectorOptions extends Limits {
  readonly on: boolean;
  /** Number of the newest steps or messages that count; 0 where the rule has no window. */
  readonly window: number;
  /** Preset whose limits apply to waits and to the further shapes of the rule. */
  readonly preset: Preset;
  /** Limits that a person has set for an ordinary step: no other shape has lower ones. 0 where none were set. */
  readonly least: Limits;
  /** Further numbers that a person can set, by name; the card gives their unit. */
  readonly numbers: Readonly<Record<string, number>>;
  /** Budgets of a session, for `max_runtime`. */
  readonly budgets: Budgets;
}

/** Amounts that a session may use before Unstuck warns. An absent budget is unlimited. */
export interface Budgets {
  /** Hours of active time. */
  readonly hours?: number;
  readonly calls?: number;
  readonly tokens?: number;
  /** US dollars. */
  readonly cost?: number;
}

export const BUDGETS = ['hours', 'calls', 'tokens', 'cost'] as const satisfies readonly (keyof Budgets)[];
