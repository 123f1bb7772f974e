import type { DetectorOptions } from '../../core/model';
import { type DetectContext, type DetectorSink, REMEMBERED_MESSAGES } from '../session/detector';
import type { PastStep, Step } from '../steps/step';
import { repeatingOutcome as card } from '../../core/rules/cards/repeating-outcome';
import { limitsOf } from '../../core/rules/limits';
import { NearMissLog } from '../session/near-misses';
import { foundNothing } from '../steps/effects';

/** Number of different calls that it takes: fewer are a repeat, which the main rule counts. */
const DIFFERENT = 3;
/** Share of the shorter query at its beginning that two queries must have in common to count as one query with other trailing words. */
const ALIKE = 0.5;
/** Number of characters that they must at least share: the name of the tool and the first letters of a pattern are not a query. */
const BEGINNING = 24;

/**
 * Rule `no_effect` of `repeating_outcome`: one tool says the same whatever its arguments, which are removed from the text: a terminal whose screen no
 * keystroke changes, an editing tool with one long refusal, one query with other trailing words. Searches for different targets that find nothing
 * need twice as many. Empty results of commands, confirmations of edits and placeholders never count.
 */
export function createNoEffect(
  options: DetectorOptions,
  sink: DetectorSink,
): (step: Step, context: DetectContext) => void {
  const near = new NearMissLog(card.id, 'no_effect', sink);

  return (step, context) => {
    if (!step.counted || step.effect === 0) return;
    const isSweep = foundNothing(step.tool, step.effect);
    const all = withEffect(step, context, isSweep ? REMEMBERED_MESSAGES : options.window);
    const alike = isSweep
      ? all.filter((past) => isAlike(past.subject, step.subject) && step.message - past.message < options.window)
      : all;
    const plain = limitsOf(card.rules.no_effect.shape, options);
    const isPlain = !isSweep || alike.length >= plain.warn;
    const found = isPlain ? alike : all;
    const { warn, stuck: limit } = isPlain ? plain : limitsOf(card.shapes.sweep, options);
    if (new Set(found.map(({ signature }) => signature)).size < DIFFERENT) return;
    near.reached(context, step.subject, found.length, limit, step.at, step.end);
    if (found.length < warn) return;
    sink.loop({
      detector: card.id,
      rule: 'no_effect',
      level: found.length >= limit ? 'stuck' : 'warn',
      count: found.length,
      warn,
      limit,
      follows: { kind: 'effect', effect: step.effect, tool: step.tool },
      steps: found,
      equality: 'said',
      period: 1,
    });
  };
}

/** Returns the steps of the last `window` with this effect, oldest first; a parallel batch counts once. */
function withEffect(step: PastStep, { steps, stepsAtUserMessage }: DetectContext, window: number): PastStep[] {
  const found: PastStep[] = [];
  let message = -1;
  for (let back = 0; ; back++) {
    const past = steps.last(back);
    if (!past || past.index < stepsAtUserMessage || step.message - past.message >= window) break;
    if (!past.counted || past.effect !== step.effect || past.tool !== step.tool) continue;
    if (past.message !== message) found.push(past);
    message = past.message;
  }
  return found.reverse();
}

function isAlike(one: string, other: string): boolean {
  const shorter = Math.min(one.length, other.length);
  let same = 0;
  while (same < shorter && one[same] === other[same]) same++;
  return same >= Math.max(shorter * ALIKE, BEGINNING);
}
