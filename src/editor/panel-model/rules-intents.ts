import * as z from 'zod/mini';
import { DETECTOR_IDS } from '../../core/model';
import { RULE_CHANGES } from './rules';

const intent = z.discriminatedUnion('type', [
  /** The page has loaded: send the rules. */
  z.object({ type: z.literal('ready') }),
  /** Change a rule for this kind of agent, in the person's own settings. */
  z.object({ type: z.literal('change'), detector: z.enum(DETECTOR_IDS), change: z.enum(RULE_CHANGES) }),
  /** Read all transcripts of this folder, not only those of the last days. */
  z.object({ type: z.literal('allHistory') }),
  /** Open all settings of the rules. */
  z.object({ type: z.literal('openSettings') }),
]);

/** A request of the reader of the page of rules. */
export type RulesIntent = Readonly<z.output<typeof intent>>;

/** Parses a request of the page of rules; null if it is not understood. */
export function parseRulesIntent(value: unknown): RulesIntent | null {
  const parsed = intent.safeParse(value);
  return parsed.success ? parsed.data : null;
}
