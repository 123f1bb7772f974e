import type { DetectorId, RuleId } from '../../model';
import { cardOf } from '../../rules';
import { presetOptions } from '../../rules/options';
import { calibrated } from './calibration';

/** What an alert of the action family rests on. Shares are 0 to 1. The length of the run is no feature: it does not tell loops from hard work. */
export interface Features {
  /** How results were compared: as they are, masked, by their error line only, or only by having failed. */
  readonly equality: 'raw' | 'masked' | 'error' | 'failed';
  /** See `beyond`. */
  readonly beyond: number;
  /** Share of the steps since the first occurrence, at most 20, that belong to the pattern. */
  readonly explained: number;
  /** Share of failing steps among the occurrences. */
  readonly failing: number;
  /** Share of the last 20 steps whose outcome was new. */
  readonly novelty: number;
  /** Something progressed since the first occurrence. */
  readonly progressed: boolean;
  /** Rules that see the same streak. */
  readonly agreeing: number;
}

const EQUALITY = { raw: 0.9, masked: 0.7, error: 0, failed: -0.5 } as const;

/** Counts beyond this say nothing more: a loop of 60 rounds is not surer than one of 6. */
const MOST_BEYOND = 2;
const LEAST_BEYOND = -1;

/**
 * How strong the evidence of a loop is, on a scale without a unit: the features with weights set by hand, in the order of their
 * influence. Only the order of the results matters; what they are worth is fitted (calibration.ts).
 */
export function loopStrength(features: Features): number {
  return (
    0.3 +
    EQUALITY[features.equality] +
    0.8 * Math.min(Math.max(features.beyond, LEAST_BEYOND), MOST_BEYOND) +
    0.7 * features.explained +
    0.6 * features.failing -
    0.8 * features.novelty -
    (features.progressed ? 0.4 : 0) +
    0.2 * Math.min(features.agreeing - 1, 2)
  );
}

/** How sure an alert of the action family is that a careful reader would step in, 0 to 1. */
export function confidenceOf(features: Features): number {
  return calibrated(loopStrength(features));
}

/**
 * How sure a counted rule outside the action family is, 0 to 1. There are too few labelled runs of each of them for more features than
 * the count.
 */
export function countedConfidence(detector: DetectorId, count: number): number {
  const { warn, stuck } = presetOptions(detector, 'balanced');
  const limit = Number.isFinite(stuck) ? stuck : warn * 2;
  return calibrated(COUNTED + 0.8 * Math.min(Math.max(beyond(count, warn, limit), LEAST_BEYOND), MOST_BEYOND));
}

/** Strength of a counted rule at its warning: that of an equal result in a row, half of them failing. */
const COUNTED = 1;

/**
 * Count beyond the warning in units of the distance from warning to stuck: 0 at the warning, 1 at stuck, of the preset `balanced`. The
 * same streak is as sure in every preset: who asks to be told earlier is told of what is less sure.
 */
export function beyond(count: number, warn: number, stuck: number): number {
  return (count - warn) / Math.max(1, stuck - warn);
}

/** Where a rule of the action family warns and says stuck in the preset `balanced`. */
export function balancedLimits(
  detector: DetectorId,
  rule: RuleId | null,
  poll: boolean,
): { readonly warn: number; readonly stuck: number } {
  const { warn, stuck, extra } = presetOptions(detector, 'balanced');
  const limits = rule === null ? (poll ? POLL_LIMITS : undefined) : cardOf(detector).rules?.[rule]?.limits;
  return { warn: extra[limits?.warn ?? ''] ?? warn, stuck: extra[limits?.stuck ?? ''] ?? stuck };
}

const POLL_LIMITS = { warn: 'pollWarn', stuck: 'pollStuck' } as const;
