import type { Preset } from '../model';
import type { Strategy, StrategyName, Thresholds, ToastButton } from './card';

const NEVER = Number.POSITIVE_INFINITY;

type Row = readonly [warn: number, stuck: number];

/** Thresholds of the three presets, each `[warn, stuck]`. */
export function counts(eager: Row, balanced: Row, patient: Row): Readonly<Record<Preset, Thresholds>> {
  const row = ([warn, stuck]: Row): Thresholds => ({ on: true, warn, stuck });
  return { eager: row(eager), balanced: row(balanced), patient: row(patient) };
}

/** Thresholds of a rule that only warns. */
export function warnings(eager: number, balanced: number, patient: number): Readonly<Record<Preset, Thresholds>> {
  return counts([eager, NEVER], [balanced, NEVER], [patient, NEVER]);
}

/** A hint without a count: on in eager and balanced, off in patient, never more than a warning. */
export const HINT: Readonly<Record<Preset, Thresholds>> = {
  ...warnings(1, 1, 1),
  patient: { on: false, warn: 1, stuck: NEVER },
};

/** A number that differs between the presets. */
export function each(eager: number, balanced: number, patient: number): Readonly<Record<Preset, number>> {
  return { eager, balanced, patient };
}

export const BUTTONS: readonly ToastButton[] = ['Nudge', 'Show Evidence', 'Not Stuck'];

/** Number of steps without a repeat after which an incident of a rule about single steps ends. */
export const NOT_BACK_STEPS = 12;
/** Number of messages of the agent without a repeat after which a streak ends. */
export const NOT_BACK_MESSAGES = 12;
/**
 * Number of steps, or of messages with calls, within which a returning streak is the same incident, without a second notification (docs/detectors.md,
 * "What the others share").
 */
export const REOPEN_STEPS = 50;
/** Condition that clears a streak, in the words that several rules share. */
export const NOT_BACK = `it does not come back within ${NOT_BACK_MESSAGES} messages of the agent`;
export const NOT_BACK_OF_SEVERAL = `they do not come back within ${NOT_BACK_MESSAGES} messages of the agent`;
export const ONE_NEW = 'one of them gets a new result';
export const OTHER_RESULT = '`{call}` gets a different result';
export const PERSON = 'you send a message, or the session ends';

/** Pieces of explanations. `{given}` in a card is the first one filled, or nothing. */
export const PIECES = {
  given: ' The result: {result}',
  unchanged: ': {result}',
  both: '{first} and {second}',
  more: '{named} and {left} more',
} as const;

const FRESH = ['fresh', 'next_model', 'top_model'] as const;
const MODEL = ['next_model', 'top_model', 'fresh'] as const;

type More = Partial<Pick<Strategy, 'savesWork' | 'atOnce' | 'action' | 'skipsFeedback'>>;

/** Strategy whose second attempt is another message. */
export function nudging(name: StrategyName, why: string, more: More = {}): Strategy {
  return { name, does: 'nudge', rungs: ['feedback'], savesWork: false, atOnce: false, action: 'nudge', ...more, why };
}

/** Strategy whose second attempt is a fresh agent. */
export function startingFresh(name: StrategyName, why: string, more: More = {}): Strategy {
  return { name, does: 'start', rungs: FRESH, savesWork: false, atOnce: false, action: 'fresh', ...more, why };
}

export const REASSIGN: Strategy = {
  name: 'reassign',
  does: 'reassign',
  rungs: MODEL,
  savesWork: false,
  atOnce: false,
  action: 'reassign',
  why: 'It repeats the same approach. Hand the task to another agent, with what to avoid.',
};

export const CAPABLE_MODEL: Strategy = {
  name: 'capable_model',
  does: 'start',
  rungs: MODEL,
  savesWork: false,
  atOnce: false,
  action: 'next_model',
  why: 'Its steps repeat in turn with no way out. Use a more capable model.',
};

export const CONCRETE_ACTION: Strategy = nudging(
  'concrete_action',
  'It talks without acting. Ask for one concrete action.',
);
