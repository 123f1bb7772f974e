/** What an alert rests on. Shares are 0 to 1. The length of the run is no feature: it does not tell loops from hard work. */
export interface Features {
  /** How results were compared: as they are, masked, by their error line only, or only by having failed. */
  readonly equality: 'raw' | 'masked' | 'error' | 'failed';
  /** Count beyond the warning, in units of the distance from warning to stuck. 0 at the warning, 1 at stuck. */
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

/** Never surer than this: nobody measured enough to say more. */
const HIGHEST = 0.95;
const LOWEST = 0.3;

const EQUALITY = { raw: 0.9, masked: 0.7, error: 0, failed: -0.5 } as const;

/**
 * How sure an alert of the action family is, 0.3 to 0.95.
 *
 * A logistic sum of the features with weights set by hand after the order of influence in notes/detectors.md section 7; they are
 * table values until labelled runs are enough to fit them.
 */
export function confidenceOf(features: Features): number {
  const sum =
    0.3 +
    EQUALITY[features.equality] +
    0.8 * Math.min(features.beyond, 2) +
    0.7 * features.explained +
    0.6 * features.failing -
    0.8 * features.novelty -
    (features.progressed ? 0.4 : 0) +
    0.2 * Math.min(features.agreeing - 1, 2);
  const value = 1 / (1 + Math.exp(-sum));
  return Math.round(Math.min(HIGHEST, Math.max(LOWEST, value)) * 100) / 100;
}
