/**
 * A basis to measure confidence: runs, each with the level of its gravest alert and whether it was stuck.
 *
 * @typedef {{ readonly level: 'warn' | 'stuck', readonly stuck: boolean }} Alerted
 */

/** @type {readonly ('warn' | 'stuck')[]} */
const LEVELS = ['warn', 'stuck'];
const BINS = 10;

/**
 * The share of runs that were stuck at each level; one half if no run has that level.
 *
 * @param {readonly Alerted[]} runs
 */
export function shares(runs) {
  return /** @type {Record<'warn' | 'stuck', number>} */ (
    Object.fromEntries(
      LEVELS.map((level) => {
        const at = runs.filter((run) => run.level === level);
        return [level, at.length === 0 ? 0.5 : at.filter(({ stuck }) => stuck).length / at.length];
      }),
    )
  );
}

/**
 * Expected calibration error in ten bins: how far the stated confidence is from the share that was right.
 *
 * @param {readonly { readonly said: number, readonly stuck: boolean }[]} runs
 */
export function calibrationError(runs) {
  const bins = Array.from({ length: BINS }, () => 0);
  for (const { said, stuck } of runs) {
    const bin = Math.min(BINS - 1, Math.floor(said * BINS));
    bins[bin] = (bins[bin] ?? 0) + said - Number(stuck);
  }
  return runs.length === 0 ? 0 : bins.reduce((sum, bin) => sum + Math.abs(bin), 0) / runs.length;
}

/**
 * The same if each run is given the shares of all runs except itself.
 *
 * @param {readonly Alerted[]} runs for which the error is computed
 * @param {readonly Alerted[]} all for which the shares are computed; includes `runs` themselves
 */
export function leaveOneOutError(runs, all = runs) {
  return calibrationError(
    runs.map((run) => ({ said: shares(all.filter((other) => other !== run))[run.level], stuck: run.stuck })),
  );
}

/**
 * True if the constants in the code are the measured shares, rounded to hundredths.
 *
 * @param {Readonly<Record<'warn' | 'stuck', number>>} constants
 * @param {Readonly<Record<'warn' | 'stuck', number>>} measured
 */
export function isMeasured(constants, measured) {
  return LEVELS.every((level) => Math.abs(constants[level] - measured[level]) <= 0.005 + Number.EPSILON);
}
