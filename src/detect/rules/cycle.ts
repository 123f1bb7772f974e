import type { DetectorOptions } from '../../model';
import { cycle as card } from '../../rules/cards/cycle';
import type { DetectContext, Detector, DetectorDefinition, DetectorSink } from '../session/detector';
import { NearMissLog } from '../session/near-misses';
import { Periods } from '../streaks/periods';
import { levelOf, thresholdsFor } from '../steps/polls';

/**
 * Steps that take turns in a fixed order, whole rounds with equal outcomes (period 2 to 8 and longer, up to 32). A cycle of nothing but
 * polls needs as many rounds as polls need repeats.
 */
export const cycle: DetectorDefinition = { id: card.id, create };

function create(options: DetectorOptions, sink: DetectorSink): Detector {
  const periods = new Periods();
  const near = new NearMissLog(card.id, null, sink);
  let since = 0;

  return {
    id: card.id,
    onStep(step, context: DetectContext) {
      if (!step.counted) return;
      if (context.stepsAtUserMessage !== since) {
        since = context.stepsAtUserMessage;
        periods.reset();
      }
      periods.add(step.outcome, step.index);
      const found = periods.find(options.extra.longestPeriod ?? 32, 2);
      if (!found) return;
      // laps beyond those that are asked for were shown when they came
      const shown = Math.min(found.laps, options.stuck + 1) * found.period;
      const steps = periods.newest(Math.min(shown, options.window), context);
      const [first] = steps;
      // the first look of a lap is a look, every later one asks how it stands
      const onlyPolls = steps.slice(-found.period).every((one) => one.poll);
      const thresholds = thresholdsFor(onlyPolls, options);
      near.reached(
        context,
        `${found.period} steps: ${first?.subject ?? step.subject}`,
        found.laps,
        thresholds.stuck,
        step.at,
        step.end,
      );
      const level = first
        ? levelOf(found.laps, thresholds, first, { at: step.at, poll: onlyPolls && step.poll }, options)
        : null;
      if (level === null) return;
      sink.loop({
        detector: card.id,
        rule: null,
        level,
        count: found.laps,
        warn: thresholds.warn,
        limit: thresholds.stuck,
        follows: { kind: 'outcomes' },
        steps,
        equality: onlyPolls ? 'raw' : 'masked',
        period: found.period,
      });
    },
  };
}
