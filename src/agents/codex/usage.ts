import { asNumber, asRecord, type JsonRecord } from '../shared/decode';
import type { RecordEmitter } from '../shared/conversation';

/**
 * Token counts of a thread. `last_token_usage.total_tokens` fills `model_context_window`; `total_token_usage` is the sum of the session and only
 * grows. Each count is written up to three times (at the end of a turn, at the beginning of the next): a count that did not grow adds nothing.
 */
export class Usage {
  private total: number | undefined = undefined;
  private context: number | undefined = undefined;
  private ofSummary = false;

  constructor(private readonly emitter: RecordEmitter) {}

  /** Returns the tokens in the context window, as far as they were counted. */
  get contextTokens(): number | undefined {
    return this.context;
  }

  /** Notes that the next count is that of the request that summarises the context, which fills a window of its own. */
  summing(): void {
    this.ofSummary = true;
  }

  /** Reads an `event_msg/token_count`. */
  counted(payload: JsonRecord): void {
    const info = asRecord(payload['info']);
    const last = asRecord(info?.['last_token_usage']);
    const nextTotal = asNumber(asRecord(info?.['total_token_usage'])?.['total_tokens']);
    const nextContext = this.ofSummary ? this.context : asNumber(last?.['total_tokens']);
    this.ofSummary = false;
    const grew = nextTotal !== undefined && (this.total === undefined || nextTotal > this.total);
    if (!info || (!grew && nextContext === this.context))
      return this.emitter.emit({ type: 'other', name: 'token_count' });
    const input = grew ? asNumber(last?.['input_tokens']) : undefined;
    const output = grew ? asNumber(last?.['output_tokens']) : undefined;
    const window = asNumber(info['model_context_window']);
    const before = this.context;
    this.total = nextTotal ?? this.total;
    this.context = nextContext ?? this.context;
    this.emitter.emit({
      type: 'usage',
      ...(nextContext !== undefined && nextContext !== before && { contextTokens: nextContext }),
      ...(window !== undefined && window > 0 && { contextWindow: window }),
      ...(input !== undefined && { inputTokens: input }),
      ...(output !== undefined && { outputTokens: output }),
      ...(nextTotal !== undefined && { totalTokens: nextTotal }),
    });
  }
}
