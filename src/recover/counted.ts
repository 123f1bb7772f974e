import type { DetectorId, Incident } from '../model';

/**
 * What a rule counted, in words of our own. `incident.why` says more, but it quotes calls and results, and an agent takes a sentence of a
 * message for the watcher's: text that a web page or a file put there could give it orders. Such text stands in fences only.
 */
export function countedSentence({ detector, count }: Pick<Incident, 'detector' | 'count'>): string {
  const times = count === 1 ? 'once' : `${count} times`;
  const sentences: Record<DetectorId, string> = {
    repeating_action: `The same call ran ${times} with the same result.`,
    repeating_outcome: `The same result came ${times}, whatever was changed in between.`,
    action_error_alternation: `Two steps took turns ${times}, each with the same result as before.`,
    cycle: `The same round of steps was gone through ${times}.`,
    monologue: `${count} messages came in a row without a tool call.`,
    text_loop: `The same text was written ${times}.`,
    condensation_loop: `The context was condensed ${times}, and what had failed before was done again.`,
    token_exhaustion: `Little is left of the context.`,
    stall: `Nothing was written for a long time.`,
    max_runtime: `The session has run longer than its limit.`,
    consecutive_failures: `${count} calls failed in a row.`,
    validation_failure: `${count} malformed calls came in a row.`,
    oversized_response: `A result was so large that it fills the context.`,
    gate_blocked: `The checks refused the end of the work ${times}.`,
    premature_action: `A file was changed before it was read.`,
    over_helpfulness: `Something was not found, and made-up data took its place.`,
    context_pollution: `A way that had failed before was taken again.`,
    rate_limited: `Requests were refused ${times} because there were too many.`,
  };
  return sentences[detector];
}
