import { DETECTOR_IDS, type DetectorId, type DetectorOptions, type Notifies, type Preset } from '../../model';

/** Thresholds of one detector in one preset, before the user's settings. */
interface Row {
  readonly on: boolean;
  readonly warn: number;
  readonly stuck: number;
}

interface Table {
  readonly presets: Readonly<Record<Preset, Row>>;
  readonly window: number;
  /** Further numbers: one value for all presets, or one each for eager, balanced and patient. */
  readonly extra: Readonly<Record<string, number | readonly [number, number, number]>>;
  readonly notifies: Notifies;
}

const NEVER = Number.POSITIVE_INFINITY;

function rows(eager: [number, number], balanced: [number, number], patient: [number, number]): Table['presets'] {
  const row = ([warn, stuck]: [number, number]): Row => ({ on: true, warn, stuck });
  return { eager: row(eager), balanced: row(balanced), patient: row(patient) };
}

/** A hint without a count: on in eager and balanced, off in patient, never more than a warning. */
const HINT: Table['presets'] = {
  eager: { on: true, warn: 1, stuck: NEVER },
  balanced: { on: true, warn: 1, stuck: NEVER },
  patient: { on: false, warn: 1, stuck: NEVER },
};

/** Equal results of a status check or wait before it counts (PROTOCOLS.md section 5: 10 / 20 over 2 minutes). */
const POLLS = { pollWarn: 10, pollStuck: 20, pollMinutes: 2 };

/**
 * PROTOCOLS.md section 5, the whole table. Units of `warn` and `stuck`: steps, laps (alternation, cycle), messages (monologue),
 * repeats (text_loop), percent (token_exhaustion), minutes (stall, max_runtime), characters (oversized_response).
 */
const TABLE: Readonly<Record<DetectorId, Table>> = {
  repeating_action: {
    presets: rows([2, 3], [3, 4], [5, 6]),
    window: 10,
    extra: POLLS,
    notifies: 'at_stuck',
  },
  repeating_outcome: {
    presets: rows([2, 3], [3, 4], [5, 6]),
    window: 20,
    extra: {
      ...POLLS,
      // known_outcomes: steps in a row whose outcome was known
      knownWarn: [4, 6, 9],
      knownStuck: [7, 10, 15],
      // few_distinct: runs of one call that brought back a known result of it, in turn with others
      fewWarn: [3, 3, 5],
      fewStuck: [4, 4, 6],
      // argument_churn: calls of one tool on one target that differ in other arguments and give one result
      churnWarn: [5, 6, 9],
      churnStuck: [8, 10, 15],
    },
    notifies: 'at_stuck',
  },
  action_error_alternation: {
    presets: rows([2, 2], [2, 3], [3, 4]),
    window: 12,
    extra: {},
    notifies: 'at_stuck',
  },
  cycle: {
    presets: rows([2, 3], [3, 4], [4, 6]),
    window: 128,
    extra: { longestPeriod: 32, ...POLLS },
    notifies: 'at_stuck',
  },
  monologue: { presets: rows([3, 4], [4, 5], [6, 8]), window: 8, extra: {}, notifies: 'at_stuck' },
  text_loop: {
    presets: rows([4, 6], [5, 8], [8, 12]),
    window: 8,
    // a period shorter than `shortPeriod` characters needs `shortRepeats` repeats; `tail` characters are looked at
    extra: { shortPeriod: 20, shortRepeats: 12, tail: 4096 },
    notifies: 'at_stuck',
  },
  condensation_loop: { presets: rows([1, 2], [1, 2], [2, 3]), window: 20, extra: {}, notifies: 'at_stuck' },
  token_exhaustion: { presets: rows([70, 85], [80, 90], [85, 95]), window: 10, extra: {}, notifies: 'at_stuck' },
  stall: {
    // minutes: `warn` while the model answers, `tool` for a pending call, `build` for a build or test, `asked` for a call that a
    // person may be asked about without a line that says so, and for sub-agents
    presets: rows([3, NEVER], [5, NEVER], [10, NEVER]),
    window: 1,
    extra: { tool: [5, 10, 20], build: [10, 20, 40], asked: [30, 60, 120] },
    notifies: 'never',
  },
  max_runtime: {
    // minutes of a session, minutes of a turn without progress, and limits that are off at 0
    presets: rows([120, NEVER], [240, NEVER], [480, NEVER]),
    window: 1,
    extra: { turn: [30, 30, 30], calls: 0, tokens: 0, cost: 0 },
    notifies: 'never',
  },
  consecutive_failures: { presets: rows([3, 4], [4, 5], [6, 8]), window: 20, extra: {}, notifies: 'at_stuck' },
  validation_failure: { presets: rows([2, 3], [2, 3], [4, 5]), window: 20, extra: {}, notifies: 'at_stuck' },
  oversized_response: {
    presets: rows([100_000, NEVER], [200_000, NEVER], [400_000, NEVER]),
    window: 1,
    extra: {},
    notifies: 'never',
  },
  gate_blocked: { presets: rows([1, 2], [1, 3], [2, 4]), window: 20, extra: {}, notifies: 'first_block_and_stuck' },
  premature_action: { presets: HINT, window: 20, extra: {}, notifies: 'never' },
  over_helpfulness: { presets: HINT, window: 20, extra: {}, notifies: 'never' },
  context_pollution: { presets: rows([1, 2], [1, 2], [2, 3]), window: 20, extra: {}, notifies: 'at_stuck' },
  rate_limited: { presets: rows([2, NEVER], [3, NEVER], [5, NEVER]), window: 20, extra: {}, notifies: 'never' },
};

const COLUMN: Readonly<Record<Preset, 0 | 1 | 2>> = { eager: 0, balanced: 1, patient: 2 };

function optionsOf({ presets, window, extra: further }: Table, preset: Preset): DetectorOptions {
  const extra: Record<string, number> = {};
  for (const [name, value] of Object.entries(further)) {
    extra[name] = typeof value === 'number' ? value : value[COLUMN[preset]];
  }
  const { on, warn, stuck } = presets[preset];
  return { on, warn, stuck, window, extra };
}

/** Made once: every session asks for all of them. */
const OPTIONS = Object.fromEntries(
  Object.entries(TABLE).map(([detector, table]) => [
    detector,
    { eager: optionsOf(table, 'eager'), balanced: optionsOf(table, 'balanced'), patient: optionsOf(table, 'patient') },
  ]),
) as Readonly<Record<DetectorId, Readonly<Record<Preset, DetectorOptions>>>>;

/** Options of one detector as a preset has them. */
export function presetOptions(detector: DetectorId, preset: Preset): DetectorOptions {
  return OPTIONS[detector][preset];
}

/** Whether and when an alert of this detector may raise a notification (PROTOCOLS.md section 5, last column). */
export function notifiesOf(detector: DetectorId): Notifies {
  return TABLE[detector].notifies;
}

/** The options of every detector in a preset. */
export function presetTable(preset: Preset): Record<DetectorId, DetectorOptions> {
  return Object.fromEntries(DETECTOR_IDS.map((id) => [id, presetOptions(id, preset)])) as Record<
    DetectorId,
    DetectorOptions
  >;
}
