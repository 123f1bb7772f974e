import type { EventBody } from './event-body';

export interface AnswerUsage {
  /** Tokens of the request, including cached ones. */
  readonly input: number | undefined;
  readonly output: number | undefined;
  /** Tokens of thinking, if the agent counts them separately from the output. They do not stay in the context. */
  readonly reasoning?: number | undefined;
  /** Size of the context window in tokens. */
  readonly contextWindow?: number | undefined;
  /** US dollars. */
  readonly cost?: number | undefined;
}

/** Returns the usage of one answer: request and answer together fill the context. Undefined if nothing was counted. */
export function usageOf({ input, output, reasoning, contextWindow, cost }: AnswerUsage): EventBody | undefined {
  const filled = (input ?? 0) + (output ?? 0);
  if (filled === 0) return undefined;
  return {
    type: 'usage',
    contextTokens: filled,
    ...(contextWindow !== undefined && contextWindow > 0 && { contextWindow }),
    ...(input !== undefined && { inputTokens: input }),
    ...(output !== undefined && { outputTokens: output + (reasoning ?? 0) }),
    ...(cost !== undefined && cost > 0 && { cost }),
  };
}
