import type { DetectorOptions } from '../../model';
import { repeatingOutcome as card } from '../../rules/cards/repeating-outcome';
import {
  type DetectContext,
  type Detector,
  type DetectorDefinition,
  type DetectorSink,
  type PastStep,
  REMEMBERED_STEPS,
  type Step,
} from '../session/detector';
import { createArgumentChurn } from './argument-churn';
import { createFewDistinct } from './few-distinct';
import { createKnownOutcomes } from './known-outcomes';
import { NearMissLog } from '../session/near-misses';
import { levelOf, thresholdsFor } from '../steps/polls';
import { oneLine } from '../sayings/snippet';

/**
 * The same outcome again and again with other steps between: an agent that writes another version of a file between equal failing
 * test runs.
 *
 * Counted backwards over the last `window` steps from a step whose outcome is known, up to the place where the same call gave
 * something else. Edits in between clear nothing.
 */
export const repeatingOutcome: DetectorDefinition = { id: card.id, create };

function create(options: DetectorOptions, sink: DetectorSink): Detector {
  const near = new NearMissLog(card.id, null, sink);
  const subRules = [createKnownOutcomes, createFewDistinct, createArgumentChurn].map((rule) => rule(options, sink));
  /** The newest outcome that came to two or more, for the word on what held the rule back. */
  let held: { signature: number; count: number; subject: string } | null = null;

  return {
    id: card.id,
    onStep(step, context) {
      for (const rule of subRules) rule(step, context);
      if (step.exemption === 'passing_check' && step.occurrence > 1) {
        near.reached(
          context,
          step.subject,
          Math.min(step.occurrence, options.stuck),
          options.stuck,
          step.at,
          step.end,
          'It passed after a new edit each time',
        );
      }
      if (!step.counted) return;
      if (step.changed) {
        const repeated = held?.signature === step.signature ? held : null;
        const reached = repeated
          ? { count: repeated.count, why: `Its result then changed: ${oneLine(step.text, SHOWN)}` }
          : differentResults(step, context, options.window);
        if (reached) {
          const count = Math.min(reached.count, options.stuck);
          near.reached(context, step.subject, count, options.stuck, step.at, step.end, reached.why);
        }
        if (repeated) held = null;
      }
      if (step.occurrence < 2) return;
      const thresholds = thresholdsFor(step.poll, options);
      const steps = equalSteps(step, context, step.poll ? REMEMBERED_STEPS : options.window);
      const [first] = steps;
      if (!first || steps.length < 2) return;
      held = { signature: step.signature, count: steps.length, subject: step.subject };
      near.reached(context, step.subject, steps.length, thresholds.stuck, step.at, step.end);
      const level = levelOf(steps.length, thresholds, first, step, options);
      if (level === null) return;
      sink.loop({
        detector: card.id,
        rule: null,
        level,
        count: steps.length,
        warn: thresholds.warn,
        limit: thresholds.stuck,
        follows: { kind: 'outcomes' },
        steps,
        equality: step.poll ? 'raw' : 'masked',
        period: 1,
      });
    },
  };
}

/** Results that are named where a call gave different ones, and how much of each is shown. */
const NAMED = 4;
const SHOWN = 24;
const NUMBERS = ['', '', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven', 'Eight', 'Nine'];

/** The same call ran again and again, and each result was another one: what looks like a loop and is none. Null where it was not so. */
function differentResults(step: Step, context: DetectContext, window: number): { count: number; why: string } | null {
  const texts: string[] = [];
  const seen = new Set<number>();
  let runs = 0;
  for (let back = 0; back < window; back++) {
    const past = context.steps.last(back);
    if (!past || past.index < context.stepsAtUserMessage) break;
    if (!past.counted || past.signature !== step.signature) continue;
    runs++;
    if (seen.has(past.outcome)) continue;
    seen.add(past.outcome);
    if (texts.length < NAMED) texts.unshift(oneLine(past.text, SHOWN));
  }
  if (runs < 2 || seen.size < runs) return null;
  return { count: runs, why: `${NUMBERS[runs] ?? runs} different results: ${texts.join(', ')}` };
}

/** The steps with this outcome among the last `window`, oldest first, back to where the same call gave something else. */
function equalSteps(step: Step, context: DetectContext, window: number): PastStep[] {
  const found: PastStep[] = [];
  for (let back = 0; back < window; back++) {
    const past = context.steps.last(back);
    if (!past || past.index < context.stepsAtUserMessage) break;
    if (!past.counted) continue;
    if (past.outcome === step.outcome) found.push(past.kept());
    else if (past.signature === step.signature) break;
  }
  return found.reverse();
}
