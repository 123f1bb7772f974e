import type { DetectorOptions } from '../../core/model';
import { cycle as card } from '../../core/rules/cards/cycle';
import { putNewest } from '../../base/util/newest';
import type { DetectContext, DetectorSink } from '../session/detector';
import { NearMissLog } from '../session/near-misses';
import type { PastStep, Step } from '../steps/step';

/** Files that are followed, and the contents of each. */
const FILES = 64;
const CONTENTS = 16;

/** One file: how often each content was written, and the writes that went back. */
interface Held {
  readonly contents: Map<number, number>;
  readonly returns: PastStep[];
}

/**
 * Rule `returns` of `cycle`: writes that bring a file to a content it had before, as whole writes show it, and edits whose old and new text
 * are swapped. Such writes make rounds, whatever else was written in between.
 */
export function createReturns(
  options: DetectorOptions,
  sink: DetectorSink,
): (step: Step, context: DetectContext) => void {
  const near = new NearMissLog(card.id, 'returns', sink);
  const files = new Map<number, Held>();
  let since = 0;

  return (step, context) => {
    const { edit } = step;
    if (!step.counted || step.failed || edit === null) return;
    if (context.stepsAtUserMessage !== since) {
      since = context.stepsAtUserMessage;
      files.clear();
    }
    const held = files.get(step.file) ?? { contents: new Map<number, number>(), returns: [] };
    putNewest(files, step.file, held, FILES);
    const written = edit.before === 0 ? edit.after : Math.imul(edit.before, 0x9e37_79b1) ^ edit.after;
    const undone = Math.imul(edit.after, 0x9e37_79b1) ^ edit.before;
    const times = (held.contents.get(written) ?? 0) + 1;
    const isReturn = times > 1 || (edit.before !== 0 && held.contents.has(undone));
    putNewest(held.contents, written, times, CONTENTS);
    if (!isReturn) return;
    held.returns.push(step);
    if (held.returns.length > CONTENTS) held.returns.shift();
    // There and back is one round of an edit, however it began; of whole writes each return is one.
    const most = edit.before === 0 ? held.returns.length : Math.floor((held.returns.length + 1) / 2);
    const rounds = most < 2 ? most : edit.before === 0 ? times : Math.min(times, most);
    near.reached(context, step.subject, rounds, options.stuck, step.at, step.end);
    if (rounds < options.warn) return;
    sink.loop({
      detector: card.id,
      rule: 'returns',
      level: rounds >= options.stuck ? 'stuck' : 'warn',
      count: rounds,
      warn: options.warn,
      limit: options.stuck,
      follows: { kind: 'returns', file: step.file },
      steps: held.returns,
      equality: 'said',
      period: 1,
    });
  };
}
