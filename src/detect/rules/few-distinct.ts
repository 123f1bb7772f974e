import type { DetectorOptions } from '../../model';
import { repeatingOutcome as card } from '../../rules/cards/repeating-outcome';
import type { DetectContext, DetectorSink, PastStep, Step } from '../session/detector';
import { NearMissLog } from '../session/near-misses';

/**
 * Rule `few_distinct` of `repeating_outcome`: one call goes back and forth between results that it gave before, although things are
 * changed in between. A different result clears the count of an equal one; here it is the going back that counts.
 *
 * Counted over the last `window` steps: runs of the call whose result it had given before, when they are at least half of its runs
 * and at least one of them came back after another result.
 */
export function createFewDistinct(
  options: DetectorOptions,
  sink: DetectorSink,
): (step: Step, context: DetectContext) => void {
  const near = new NearMissLog(card.id, 'few_distinct', sink);

  return (step, context) => {
    if (!step.counted || step.poll || step.previous < context.stepsAtUserMessage) return;
    const runs: PastStep[] = [];
    for (let back = 0; back < options.window; back++) {
      const past = context.steps.last(back);
      if (!past || past.index < context.stepsAtUserMessage) break;
      if (past.counted && past.signature === step.signature) runs.push(past.kept());
    }
    if (runs.length < 3) return;
    let known = 0;
    let returns = 0;
    for (const [at, past] of runs.entries()) {
      if (past.isNew) continue;
      known++;
      const before = runs[at + 1];
      if (before && before.outcome !== past.outcome) returns++;
    }
    if (returns === 0 || known * 2 < runs.length) return;
    const warn = options.extra.fewWarn ?? 3;
    const limit = options.extra.fewStuck ?? 4;
    near.reached(context, step.subject, known, limit, step.at, step.end);
    if (known < warn) return;
    sink.loop({
      detector: card.id,
      rule: 'few_distinct',
      level: known >= limit ? 'stuck' : 'warn',
      count: known,
      warn,
      limit,
      follows: { kind: 'outcomes' },
      steps: runs.reverse(),
      equality: 'masked',
      period: 1,
    });
  };
}
