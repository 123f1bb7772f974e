import type { AgentEvent } from '../../core/model';

/** Tokens of a session; 0 where unknown. */
export interface TokenCounts {
  contextTokens: number;
  contextWindow: number;
  /** Of the whole session: the newest total that it reported, and the requests since. */
  totalTokens: number;
}

/** Takes the tokens from an event. */
export function countTokens(counts: TokenCounts, event: AgentEvent): void {
  switch (event.type) {
    case 'session_info':
      if (event.contextWindow) counts.contextWindow = event.contextWindow;
      return;
    case 'usage':
      if (event.contextTokens !== undefined) counts.contextTokens = event.contextTokens;
      if (event.contextWindow) counts.contextWindow = event.contextWindow;
      if (event.totalTokens !== undefined) counts.totalTokens = event.totalTokens;
      else counts.totalTokens += (event.inputTokens ?? 0) + (event.outputTokens ?? 0);
      return;
    case 'compaction':
      if (event.tokensAfter !== undefined) counts.contextTokens = event.tokensAfter;
      return;
    default:
  }
}
