import type { DetectorOptions } from '../../model';
import { repeatingOutcome as card } from '../../rules/cards/repeating-outcome';
import type { DetectContext, DetectorSink, PastStep, Step } from '../session/detector';
import { NearMissLog } from '../session/near-misses';

/** A result shorter than this says too little to be the same by more than chance: `ok`, an empty answer. */
const TELLING = 40;
/** Finding nothing in many ways is a sweep. */
const NOTHING_FOUND = /\b(?:no|0|zero) (?:results?|match(?:es)?|files?|items?|entries|hits)\b|not found|nothing|empty/i;

/**
 * Rule `argument_churn` of `repeating_outcome`: one tool on one target, with other arguments each time, gives the same result text.
 *
 * Sweeps over different targets, paging and searches that find nothing are none; edits say the same when they succeed, and failing
 * calls are `same_error`'s.
 */
export function createArgumentChurn(
  options: DetectorOptions,
  sink: DetectorSink,
): (step: Step, context: DetectContext) => void {
  const near = new NearMissLog(card.id, 'argument_churn', sink);

  return (step, context) => {
    if (!step.counted || step.failed || step.poll || step.topic === 0) return;
    if (step.kind !== 'looked' && step.kind !== 'ran') return;
    const { output } = step.result;
    if (output.length < TELLING || (output.length < 300 && NOTHING_FOUND.test(output))) return;
    const found: PastStep[] = [];
    const calls = new Set<string>();
    for (let back = 0; back < options.window; back++) {
      const past = context.steps.last(back);
      if (!past || past.index < context.stepsAtUserMessage) break;
      if (
        !past.counted ||
        past.tool !== step.tool ||
        past.topic !== step.topic ||
        past.resultToken !== step.resultToken
      )
        continue;
      found.push(past.kept());
      // other numbers alone are paging
      calls.add(past.subject.replace(/\d+/g, '#'));
    }
    if (calls.size < 2) return;
    const warn = options.extra.churnWarn ?? 6;
    const limit = options.extra.churnStuck ?? 10;
    near.reached(context, step.subject, found.length, limit, step.at, step.end);
    if (found.length < warn) return;
    sink.loop({
      detector: card.id,
      rule: 'argument_churn',
      level: found.length >= limit ? 'stuck' : 'warn',
      count: found.length,
      warn,
      limit,
      follows: { kind: 'outcomes' },
      steps: found.reverse(),
      equality: 'masked',
      period: 1,
    });
  };
}
