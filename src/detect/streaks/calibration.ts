/**
 * What strength (confidence.ts) is worth: the share of right alerts among the findings of hand-labelled runs, in four bands of strength
 * with whole numbers as bounds, beside a prior that only knows that stronger is surer. Four rising numbers cannot learn the runs by heart.
 *
 * `npm run calibrate` fits them, measures them with each run left out once, and fails when these are no longer those of the fit. Over 28
 * alerts of 16 runs in the preset `eager` the error was 0.08 (every finding, each run by the fit of the others).
 *
 * | strength   | below 0 | 0 to 1 | 1 to 2 | 2 and more |
 * | confidence |    0.21 |   0.46 |   0.72 |       0.95 |
 */
export const BANDS = [Number.NEGATIVE_INFINITY, 0, 1, 2] as const;
export const CONFIDENCES = [0.21, 0.46, 0.72, 0.95] as const;

/**
 * How sure a guess is, from time or from text: of the silences in labelled runs none was of an agent that was stuck, and one run more
 * might have been (Laplace's rule over runs; the same command).
 */
export const GUESSED = 0.2;

/** Confidence of a counted alert whose evidence is so strong, 0.21 to 0.95. */
export function calibrated(strength: number): number {
  return CONFIDENCES[bandOf(strength)] ?? GUESSED;
}

/** Index of the band that a strength lies in. */
export function bandOf(strength: number): number {
  return BANDS.findLastIndex((from) => strength >= from);
}
