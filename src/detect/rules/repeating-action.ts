import type { DetectorOptions } from '../../core/model';
import type { DetectContext, Detector, DetectorDefinition, DetectorSink } from '../session/detector';
import type { Exemption, PastStep, Step } from '../steps/step';
import { repeatingAction as card } from '../../core/rules/cards/repeating-action';
import { NearMissLog } from '../session/near-misses';
import { levelOf, limitsFor } from '../streaks/limits';

/** Number of steps of one run that are kept: those that an incident shows, and enough of the middle for the time of waits. */
const KEPT = 32;

/** Reasons that held a repeat back, in words for a person. */
const HELD: Partial<Record<Exemption, string>> = {
  batch_repeat: 'Calls in one message',
  asked: 'You asked for the repeat',
};

/** A run of steps that are equal in one respect. */
interface Run {
  key: number;
  count: number;
  steps: PastStep[];
}

/**
 * Detects the same call with the same saying in a row, or the same call failing in a row with any text (docs/detectors.md#repeating_action).
 *
 * Exempt steps in between are skipped, up to `window` steps.
 */
export const repeatingAction: DetectorDefinition = { id: card.id, create };

function create(options: DetectorOptions, sink: DetectorSink): Detector {
  const same: Run = { key: 0, count: 0, steps: [] };
  const failing: Run = { key: 0, count: 0, steps: [] };
  const near = new NearMissLog(card.id, null, sink);

  const extend = (run: Run, key: number, step: Step, context: DetectContext): void => {
    const newest = run.steps.at(-1);
    const continues =
      newest !== undefined &&
      run.key === key &&
      step.message - newest.message <= options.window &&
      newest.index >= context.stepsAtUserMessage;
    if (!continues) {
      run.key = key;
      run.count = 0;
      run.steps = [];
    }
    run.steps.push(step);
    if (run.steps.length > KEPT) run.steps.splice(3, 1);
    run.count++;
  };

  return {
    onStep(step, context) {
      if (!step.counted) {
        const held = HELD[step.exemption ?? 'plan'];
        if (held !== undefined) near.reached(context, step.subject, 2, options.stuck, step.at, step.end, held);
        return;
      }
      extend(same, step.outcome, step, context);
      if (step.failed && step.weight !== 'wait') extend(failing, step.signature, step, context);
      else {
        failing.count = 0;
        failing.steps = [];
      }

      const byText = same.count < failing.count;
      const run = byText ? failing : same;
      const { warn, stuck } = limitsFor(step.weight, options);
      const level = levelOf(run.count, step.weight, run.steps, options);
      if (run.count > 1) {
        const held = step.weight === 'wait' ? `The limit for waits is ${stuck}` : undefined;
        near.reached(context, step.subject, run.count, stuck, step.at, step.end, held);
      }
      if (run.count < 2) return;
      sink.loop({
        detector: card.id,
        rule: null,
        level,
        count: run.count,
        warn,
        limit: stuck,
        follows: byText ? { kind: 'failing_call', signature: step.signature } : { kind: 'outcomes' },
        steps: run.steps,
        equality: byText ? 'failed' : 'said',
        period: 1,
      });
    },
  };
}
