import { asNumber, asRecord, type JsonRecord } from '../shared';
import type { Teller } from '../shared/teller';

export interface Usage {
  /** `event_msg/token_count`. */
  counted(payload: JsonRecord): void;
  /** The next count is of the request that sums the context up: it fills a window of its own. */
  summing(): void;
  /** Tokens in the context window, as far as they were told. */
  readonly contextTokens: number | undefined;
}

/**
 * `last_token_usage.total_tokens` fills `model_context_window`; `total_token_usage` is the sum of the session and only grows. Each
 * count is written up to three times (at the end of a turn, at the begin of the next): what did not grow adds nothing.
 */
export function createUsage(teller: Teller): Usage {
  let total: number | undefined;
  let context: number | undefined;
  let ofSummary = false;
  return {
    summing() {
      ofSummary = true;
    },
    get contextTokens() {
      return context;
    },
    counted(payload) {
      const info = asRecord(payload['info']);
      const last = asRecord(info?.['last_token_usage']);
      const nextTotal = asNumber(asRecord(info?.['total_token_usage'])?.['total_tokens']);
      const nextContext = ofSummary ? context : asNumber(last?.['total_tokens']);
      ofSummary = false;
      const grew = nextTotal !== undefined && (total === undefined || nextTotal > total);
      if (!info || (!grew && nextContext === context)) return teller.tell({ type: 'other', name: 'token_count' });
      const input = grew ? asNumber(last?.['input_tokens']) : undefined;
      const output = grew ? asNumber(last?.['output_tokens']) : undefined;
      const window = asNumber(info['model_context_window']);
      const before = context;
      total = nextTotal ?? total;
      context = nextContext ?? context;
      teller.tell({
        type: 'usage',
        ...(nextContext !== undefined && nextContext !== before && { contextTokens: nextContext }),
        ...(window !== undefined && window > 0 && { contextWindow: window }),
        ...(input !== undefined && { inputTokens: input }),
        ...(output !== undefined && { outputTokens: output }),
        ...(nextTotal !== undefined && { totalTokens: nextTotal }),
      });
    },
  };
}
