import type { DetectorOptions, Level } from '../../model';
import type { PastStep } from '../session/detector';

const MINUTE = 60_000;

/** Thresholds that a streak is measured by. */
export interface Thresholds {
  readonly warn: number;
  readonly stuck: number;
}

/** Status checks and waits need more equal results, and time (10 / 20 equal ones over 2 minutes). */
export function thresholdsFor(poll: boolean, options: DetectorOptions): Thresholds {
  return poll ? { warn: options.extra.pollWarn ?? 10, stuck: options.extra.pollStuck ?? 20 } : options;
}

/** The level of a streak, null below the warning. `first` and `last` are its ends: polls must also have lasted. */
export function levelOf(
  count: number,
  { warn, stuck }: Thresholds,
  first: Pick<PastStep, 'at'>,
  last: Pick<PastStep, 'at' | 'poll'>,
  options: DetectorOptions,
): Level | null {
  if (count < warn) return null;
  if (last.poll && last.at - first.at < (options.extra.pollMinutes ?? 2) * MINUTE) return null;
  return count >= stuck ? 'stuck' : 'warn';
}
