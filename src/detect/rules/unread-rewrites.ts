import type { DetectorOptions } from '../../core/model';
import { repeatingOutcome as card } from '../../core/rules/cards/repeating-outcome';
import { limitsOf } from '../../core/rules/limits';
import { putNewest } from '../../base/util/newest';
import { createNewPromptCheck } from '../session/new-prompt';
import type { DetectContext, DetectorSink } from '../session/detector';
import { NearMissLog } from '../session/near-misses';
import type { PastStep, Step } from '../steps/step';

/** Number of files that are followed, and of the newest writes of each. */
const FILES = 16;
const WRITES = 16;

/** Rule `unread_rewrites` of `repeating_outcome`: one file is repeatedly written as a whole, and nothing is read or run in between. */
export function createUnreadRewrites(
  options: DetectorOptions,
  sink: DetectorSink,
): (step: Step, context: DetectContext) => void {
  const near = new NearMissLog(card.id, 'unread_rewrites', sink);
  const byFile = new Map<number, PastStep[]>();
  const hasNewPrompt = createNewPromptCheck();

  return (step, context) => {
    if (!step.counted) return;
    if (hasNewPrompt(context) || step.kind !== 'changed') byFile.clear();
    if (step.edit?.before !== 0 || step.failed) return;
    const writes = [...(byFile.get(step.file) ?? []), step].slice(-WRITES);
    putNewest(byFile, step.file, writes, FILES);
    const { warn } = limitsOf(card.rules.unread_rewrites.shape, options);
    if (new Set(writes.map(({ signature }) => signature)).size < writes.length) return;
    near.reached(context, step.subject, writes.length, warn, step.at, step.end);
    if (writes.length < warn) return;
    sink.loop({
      detector: card.id,
      rule: 'unread_rewrites',
      level: 'warn',
      count: writes.length,
      warn,
      limit: Number.POSITIVE_INFINITY,
      follows: { kind: 'rewrites', file: step.file },
      steps: writes,
      equality: 'said',
      period: 1,
    });
  };
}
