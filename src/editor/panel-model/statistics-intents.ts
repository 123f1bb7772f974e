import * as z from 'zod/mini';
import { RANGES } from './statistics';

/** The page has loaded, or another range was chosen: send the figures for these days. */
const intent = z.object({ type: z.enum(['ready', 'range']), days: z.literal([...RANGES]) });

/** A request of the reader of the statistics page. */
export type StatisticsIntent = Readonly<z.output<typeof intent>>;

/** Parses a request of the statistics page; null if it is not understood. */
export function parseStatisticsIntent(value: unknown): StatisticsIntent | null {
  const parsed = intent.safeParse(value);
  return parsed.success ? parsed.data : null;
}
