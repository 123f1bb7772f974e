import type { DetectorOptions } from '../../model';
import { repeatingAction as card } from '../../rules/cards/repeating-action';
import type { DetectContext, Detector, DetectorDefinition, DetectorSink, PastStep, Step } from '../session/detector';
import { NearMissLog } from '../session/near-misses';
import { levelOf, thresholdsFor } from '../steps/polls';

/** Steps of one run that are kept: what an incident shows, and enough of the middle for the count of polls. */
const KEPT = 32;

/** A run of steps that are equal in one respect. */
interface Run {
  key: number;
  count: number;
  /** Index of its newest step. */
  newest: number;
  /** Empty while it has one step: most runs end with it. */
  steps: PastStep[];
}

/**
 * The same call with the same masked result in a row, or the same call failing in a row whatever its text.
 *
 * Exempt steps in between are passed over, up to `window` steps.
 */
export const repeatingAction: DetectorDefinition = { id: card.id, create };

function create(options: DetectorOptions, sink: DetectorSink): Detector {
  const same: Run = { key: 0, count: 0, newest: -1, steps: [] };
  const failing: Run = { key: 0, count: 0, newest: -1, steps: [] };
  const near = new NearMissLog(card.id, null, sink);

  const extend = (run: Run, key: number, step: Step, context: DetectContext): void => {
    const goesOn =
      run.key === key &&
      run.count > 0 &&
      step.index - run.newest <= options.window &&
      run.newest >= context.stepsAtUserMessage;
    if (!goesOn) {
      run.key = key;
      run.count = 0;
      if (run.steps.length > 0) run.steps = [];
    } else {
      const first = run.count === 1 ? context.steps.step(run.newest) : undefined;
      if (first) run.steps.push(first);
      run.steps.push(step.past);
      if (run.steps.length > KEPT) run.steps.splice(3, 1);
    }
    run.count++;
    run.newest = step.index;
  };

  return {
    id: card.id,
    onStep(step, context) {
      if (!step.counted) {
        if (step.exemption === 'plan' && step.occurrence > 1) {
          near.reached(context, step.subject, step.occurrence, options.stuck, step.at, step.end, 'A to-do update');
        } else if (step.exemption === 'batch_repeat') {
          near.reached(context, step.subject, 2, options.stuck, step.at, step.end, 'Calls of one parallel batch');
        }
        return;
      }
      const asked = same.key === step.outcome && same.newest < context.stepsAtUserMessage;
      if (asked) {
        const count = Math.min(same.count + 1, options.stuck);
        near.reached(context, step.subject, count, options.stuck, step.at, step.end, 'You asked for the repeat');
      }
      extend(same, step.outcome, step, context);
      if (step.failed && !step.poll) extend(failing, step.signature, step, context);
      else failing.key = failing.count = 0;

      const byText = same.count < failing.count;
      const run = byText ? failing : same;
      const thresholds = thresholdsFor(step.poll, options);
      const level = levelOf(run.count, thresholds, run.steps[0] ?? step, step, options);
      if (run.count > 1) {
        const held = step.poll ? `Status checks and waits have ${thresholds.stuck}` : undefined;
        near.reached(context, step.subject, run.count, thresholds.stuck, step.at, step.end, held);
      }
      if (level === null) return;
      sink.loop({
        detector: card.id,
        rule: null,
        level,
        count: run.count,
        warn: thresholds.warn,
        limit: thresholds.stuck,
        follows: byText ? { kind: 'failing_call', signature: step.signature } : { kind: 'outcomes' },
        steps: run.count > 1 ? run.steps : [step.past],
        equality: byText ? 'failed' : step.poll ? 'raw' : 'masked',
        period: 1,
      });
    },
  };
}
