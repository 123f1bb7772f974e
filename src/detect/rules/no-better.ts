import type { DetectorOptions } from '../../core/model';
import { repeatingOutcome as card } from '../../core/rules/cards/repeating-outcome';
import { limitsOf } from '../../core/rules/limits';
import { putNewest } from '../../base/util/newest';
import { createNewPromptCheck } from '../session/new-prompt';
import type { DetectContext, DetectorSink } from '../session/detector';
import { NearMissLog } from '../session/near-misses';
import type { PastStep, Step } from '../steps/step';

/** Number of checks that are followed. */
const CHECKS = 16;

/** Runs of one check since its number of failures was lowest. */
interface Runs {
  readonly best: number;
  readonly since: readonly PastStep[];
  /** Number of changes before its newest run. */
  readonly changes: number;
}

/**
 * Rule `no_better` of `repeating_outcome`: the number of failures of one check has no new minimum over several runs, with changes between them. Only
 * a warning, never stuck: the gain of a change may not show in the number.
 */
export function createNoBetter(
  options: DetectorOptions,
  sink: DetectorSink,
): (step: Step, context: DetectContext) => void {
  const near = new NearMissLog(card.id, 'no_better', sink);
  const checks = new Map<number, Runs>();
  let changes = 0;
  const hasNewPrompt = createNewPromptCheck();

  return (step, context) => {
    if (hasNewPrompt(context) || step.movesHead) checks.clear();
    if (step.changes) changes++;
    if (!step.counted || !step.check || step.failing < 0) return;
    const runs = checks.get(step.signature);
    if (runs === undefined || step.failing < runs.best || step.failing === 0) {
      putNewest(checks, step.signature, { best: step.failing, since: [], changes }, CHECKS);
      return;
    }
    if (changes === runs.changes) return;
    const { warn } = limitsOf(card.rules.no_better.shape, options);
    const all = [...runs.since, step].slice(-2 * warn);
    putNewest(checks, step.signature, { best: runs.best, since: all, changes }, CHECKS);
    near.reached(context, step.subject, all.length, warn, step.at, step.end);
    if (all.length < warn) return;
    sink.loop({
      detector: card.id,
      rule: 'no_better',
      level: 'warn',
      count: all.length,
      warn,
      limit: Number.POSITIVE_INFINITY,
      follows: { kind: 'check', signature: step.signature, best: runs.best },
      steps: all,
      equality: 'failed',
      period: 1,
    });
  };
}
