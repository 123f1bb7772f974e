/** What ran out, where a detector tells exhaustion from a loop. */
export type Exhaustion = 'time' | 'tokens' | 'attempts';

/** `counted` patterns may notify; `guessed` ones (from time or text) only badge. */
export type Certainty = 'counted' | 'guessed';

export type Level = 'warn' | 'stuck';

export type Preset = 'eager' | 'balanced' | 'patient';

export const PRESETS: readonly Preset[] = ['eager', 'balanced', 'patient'];

/** When an alert of a detector may raise a notification. */
export type Notifies = 'at_stuck' | 'never' | 'first_block_and_stuck';

/** Thresholds of one detector after preset, user settings and agent overrides were joined. */
export interface DetectorOptions {
  readonly on: boolean;
  /** Count at which the rule warns, in the unit of the detector: steps, laps, messages, repeats, percent, minutes or characters. */
  readonly warn: number;
  /** Count at which it says stuck; `Infinity` where it never does. */
  readonly stuck: number;
  /** How many of the last steps (messages for text) are looked at. */
  readonly window: number;
  /** Further numbers of the detector by name; its card in `rules/` says what they mean. */
  readonly extra: Readonly<Record<string, number>>;
}
