import type { DetectorOptions } from '../../core/model';
import { repeatingOutcome as card } from '../../core/rules/cards/repeating-outcome';
import { limitsOf } from '../../core/rules/limits';
import type { DetectContext, DetectorSink } from '../session/detector';
import type { PastStep, Step } from '../steps/step';
import { NearMissLog } from '../session/near-misses';

/** Number of messages that are inspected, and the most sayings that count as few. */
const WINDOW = 40;
const FEW = 3;

/**
 * Rule `few_distinct` of `repeating_outcome`: one command alternates between at most three sayings, although things are changed in between. Looks and
 * waits never count. A pass ends the run, so anything before the newest one does not count.
 */
export function createFewDistinct(
  options: DetectorOptions,
  sink: DetectorSink,
): (step: Step, context: DetectContext) => void {
  const near = new NearMissLog(card.id, 'few_distinct', sink);

  return (step, context) => {
    if (!step.counted || step.weight !== 'plain' || step.call.command === undefined || step.occurrence < 2) return;
    const runs: PastStep[] = [];
    for (let back = 0; ; back++) {
      const past = context.steps.last(back);
      if (!past || past.index < context.stepsAtUserMessage || step.message - past.message >= WINDOW) break;
      // A successful command says the same few things between checks that say something new each time.
      if (!step.failed && !step.check && past.check && past.isNew) break;
      if (past.signature !== step.signature) continue;
      // A pass ends the run, and so does a success among failures.
      if ((past.check && !past.failed) || past.failed !== step.failed) break;
      if (past.counted) runs.unshift(past);
    }
    const { warn, stuck: limit } = limitsOf(card.rules.few_distinct.shape, options);
    const sayings = new Set(runs.map(({ outcome }) => outcome)).size;
    // A single saying belongs to the main rule. All runs except the first few must repeat an earlier saying.
    if (sayings < 2 || sayings > FEW) return;
    near.reached(context, step.subject, runs.length, limit, step.at, step.end);
    if (runs.length < warn) return;
    sink.loop({
      detector: card.id,
      rule: 'few_distinct',
      level: runs.length >= limit ? 'stuck' : 'warn',
      count: runs.length,
      warn,
      limit,
      follows: { kind: 'outcomes' },
      steps: runs,
      equality: 'said',
      period: 1,
    });
  };
}
