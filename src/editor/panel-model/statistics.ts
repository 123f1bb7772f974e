import type { StatisticsFacts } from '../../core/words';

/** Ranges of the statistics page, in days; 0 for everything that is kept. */
export const RANGES = [7, 30, 0] as const;
export type RangeDays = (typeof RANGES)[number];

/** A message from the host to the statistics page. */
export interface StatisticsMessage {
  readonly days: RangeDays;
  /** Null if the history could not be queried; `problem` says why. */
  readonly figures: StatisticsFacts | null;
  readonly problem: string;
}
