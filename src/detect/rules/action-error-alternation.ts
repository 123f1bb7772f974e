import type { DetectorOptions, ErrorEvent } from '../../model';
import { actionErrorAlternation as card } from '../../rules/cards/action-error-alternation';
import type { DetectContext, Detector, DetectorDefinition, DetectorSink, PastStep } from '../session/detector';
import { maskedFingerprint } from '../sayings/mask';
import { NearMissLog } from '../session/near-misses';
import { Periods } from '../streaks/periods';
import { oneLine } from '../sayings/snippet';

/**
 * Action, error, action, error with the same action and the same error, also over several actions that take turns.
 *
 * A lap is two to four different steps with equal outcomes of which at least one fails, or a step and an error that the agent's
 * harness reported. All laps lie within the last `window` steps. One failing call in a row is `repeating_action`'s.
 */
export const actionErrorAlternation: DetectorDefinition = { id: card.id, create };

function create(options: DetectorOptions, sink: DetectorSink): Detector {
  const periods = new Periods();
  const near = new NearMissLog(card.id, null, sink);
  let since = 0;

  const reset = (context: DetectContext): void => {
    if (context.stepsAtUserMessage === since) return;
    since = context.stepsAtUserMessage;
    periods.reset();
  };

  const judge = (newest: Pick<PastStep, 'subject' | 'at' | 'end'>, context: DetectContext): void => {
    // rounds that the window has no room for cannot become stuck
    const longest = Math.floor(options.window / options.stuck);
    const found = periods.find(longest, 2);
    if (!found) return;
    const steps = periods.newest(found.laps * found.period, context);
    const lap = steps.slice(-found.period);
    if (!lap.some((one) => one.failed) || lap.every((one) => one.poll)) return;
    near.reached(context, newest.subject, found.laps, options.stuck, newest.at, newest.end);
    if (found.laps < options.warn) return;
    sink.loop({
      detector: card.id,
      rule: null,
      level: found.laps >= options.stuck ? 'stuck' : 'warn',
      count: found.laps,
      warn: options.warn,
      limit: options.stuck,
      follows: { kind: 'outcomes' },
      steps,
      equality: 'masked',
      period: found.period,
    });
  };

  return {
    id: card.id,
    onEvent(event, context) {
      if (event.type !== 'error' || event.kind === 'api' || event.kind === 'rate_limit' || event.kind === 'validation')
        return;
      reset(context);
      const entry = errorEntry(event, context);
      periods.add(entry.outcome, entry);
      judge(entry, context);
    },
    onStep(step, context) {
      if (!step.counted) return;
      reset(context);
      periods.add(step.outcome, step.index);
      judge(step, context);
    },
  };
}

/** An error that is no result of a call, as an entry of the sequence. It takes the place of the newest step; its outcome is negative. */
function errorEntry(event: ErrorEvent, context: DetectContext): PastStep {
  const fingerprint = maskedFingerprint(event.message, true);
  return {
    index: context.stepCount - 1,
    at: event.at,
    source: event.source,
    end: event.source,
    kind: 'other',
    tool: 'error',
    failed: true,
    isNew: false,
    counted: true,
    poll: false,
    signature: -1 - fingerprint,
    outcome: -1 - fingerprint,
    error: fingerprint || 1,
    resultToken: fingerprint,
    topic: 0,
    tokens: context.totalTokens,
    subject: 'error',
    text: oneLine(event.message),
  };
}
