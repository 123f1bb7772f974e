/** Exhausted resource, where a detector separates exhaustion from a loop. */
export type Exhaustion = 'time' | 'tokens' | 'attempts';

/** `counted` patterns may notify; `guessed` ones (from time or text) only badge. */
export type Certainty = 'counted' | 'guessed';

export type Level = 'warn' | 'stuck';

export type Preset = 'eager' | 'balanced' | 'patient';

export const PRESETS: readonly Preset[] = ['eager', 'balanced', 'patient'];

/** When an alert of a detector may raise a notification. */
export type Notifies = 'at_stuck' | 'never' | 'first_block_and_stuck';

/** Thresholds of one detector after merging preset, user settings and agent overrides. */
export interface DetectorOptions {
  readonly on: boolean;
  /** Count at which the rule warns, in the unit of the detector: steps, laps, messages, repeats, percent, minutes or characters. */
  readonly warn: number;
  /** Count at which it reports stuck; `Infinity` if it never does. */
  readonly stuck: number;
  /** Window: how many of the last steps (messages for text) count. */
  readonly window: number;
  /** Further numbers of the detector by name; its card in `rules/` says what they mean. */
  readonly extra: Readonly<Record<string, number>>;
}
