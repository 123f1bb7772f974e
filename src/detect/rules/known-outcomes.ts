import type { DetectorOptions } from '../../model';
import { repeatingOutcome as card } from '../../rules/cards/repeating-outcome';
import { type DetectContext, type DetectorSink, type PastStep, REMEMBERED_STEPS, type Step } from '../session/detector';
import { NearMissLog } from '../session/near-misses';

/**
 * Rule `known_outcomes` of `repeating_outcome`: so many steps in a row brought nothing but outcomes that were known since the last
 * message of a person and the last compaction. After either, looking again is how an agent finds its way.
 *
 * Passing checks, plan updates and polls are passed over.
 */
export function createKnownOutcomes(
  options: DetectorOptions,
  sink: DetectorSink,
): (step: Step, context: DetectContext) => void {
  const near = new NearMissLog(card.id, 'known_outcomes', sink);
  let run: PastStep[] = [];
  let count = 0;
  let since = 0;

  return (step, context) => {
    if (!step.counted || step.poll) return;
    const start = Math.max(context.stepsAtUserMessage, context.stepsAtCompaction);
    if (start !== since || step.previous < start) {
      since = start;
      run = [];
      count = 0;
      if (step.previous < start) return;
    }
    count++;
    run.push(step.past);
    if (run.length > REMEMBERED_STEPS) run.shift();
    const warn = options.extra.knownWarn ?? 6;
    const limit = options.extra.knownStuck ?? 10;
    near.reached(context, step.subject, count, limit, step.at, step.end);
    if (count < warn) return;
    sink.loop({
      detector: card.id,
      rule: 'known_outcomes',
      level: count >= limit ? 'stuck' : 'warn',
      count,
      warn,
      limit,
      follows: { kind: 'outcomes' },
      steps: run,
      equality: 'masked',
      period: 1,
    });
  };
}
