import type { DetectorId, RungKind } from '../model';

/** What is done about one kind of finding when feedback alone did not help (PRODUCT.md R2). */
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

export interface Strategy {
  readonly name: StrategyName;
  /** What the second attempt is; the first is always feedback, worded by recover/draft. */
  readonly does: 'reassign' | 'start' | 'nudge' | 'stop' | 'wait';
  /** The rungs that it takes then, the best first; the first that the ladder has counts. */
  readonly rungs: readonly RungKind[];
  /** The work in progress is saved before anything is started again or stopped. */
  readonly savesWork: boolean;
  /** The first attempt needs no countdown: nothing can be lost by it. */
  readonly atOnce: boolean;
  /** Why, in one sentence for a person. */
  readonly why: string;
}

const FRESH: readonly RungKind[] = ['fresh', 'next_model', 'top_model'];
const MODEL: readonly RungKind[] = ['next_model', 'top_model', 'fresh'];
const SAME: readonly RungKind[] = ['feedback'];

function strategy(
  name: StrategyName,
  does: Strategy['does'],
  rungs: readonly RungKind[],
  why: string,
  more: Partial<Pick<Strategy, 'savesWork' | 'atOnce'>> = {},
): Strategy {
  return { name, does, rungs, why, savesWork: false, atOnce: false, ...more };
}

const REASSIGN = strategy(
  'reassign',
  'reassign',
  MODEL,
  'The same way again and again: another agent takes the task, with what to avoid.',
);
const CAPABLE = strategy(
  'capable_model',
  'start',
  MODEL,
  'Steps that take turns have no way out in sight: a more capable model.',
);
const CONCRETE = strategy('concrete_action', 'nudge', SAME, 'It talks and does not act: one concrete action.');

const TABLE: Readonly<Record<DetectorId, Strategy>> = {
  repeating_action: REASSIGN,
  repeating_outcome: REASSIGN,
  action_error_alternation: CAPABLE,
  cycle: CAPABLE,
  monologue: CONCRETE,
  text_loop: CONCRETE,
  condensation_loop: strategy(
    'fresh_start',
    'start',
    FRESH,
    'Condensing leads back to what failed: a fresh start with a summary.',
  ),
  token_exhaustion: strategy(
    'respawn_with_checkpoint',
    'start',
    FRESH,
    'The context is nearly full: the work is saved, and a fresh agent goes on with it.',
    { savesWork: true },
  ),
  stall: strategy(
    'patience_then_restart',
    'start',
    FRESH,
    'Silence has no feedback: patience by what is pending, then a restart.',
  ),
  max_runtime: strategy(
    'checkpoint_then_stop',
    'stop',
    ['ask'],
    'It has run for long: the work is saved, then you are asked.',
    {
      savesWork: true,
    },
  ),
  consecutive_failures: strategy(
    'name_common_error',
    'nudge',
    SAME,
    'Many failures with one cause: name the common error.',
  ),
  validation_failure: strategy(
    'format_reminder',
    'nudge',
    SAME,
    'Malformed calls: a reminder of the format, at once.',
    {
      atOnce: true,
    },
  ),
  oversized_response: strategy(
    'search_in_result',
    'nudge',
    SAME,
    'A result too large to read: its path, to be searched.',
  ),
  gate_blocked: strategy('blocking_event', 'nudge', SAME, 'A gate fails: its blocking event says what is wrong.'),
  premature_action: strategy('inspect_first', 'nudge', SAME, 'It changed what it had not read: inspect first.'),
  over_helpfulness: strategy('report_gap', 'nudge', SAME, 'Something was missing: report the gap, do not substitute.'),
  context_pollution: strategy(
    'quote_failed_attempts',
    'nudge',
    SAME,
    'It tries again what failed: the failed attempts, quoted.',
  ),
  rate_limited: strategy('wait_for_service', 'wait', [], 'The service refuses requests: nothing in the work is wrong.'),
};

/** The strategy for a detector's findings. */
export function strategyFor(detector: DetectorId): Strategy {
  return TABLE[detector];
}
