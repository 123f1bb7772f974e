import type { DetectorOptions } from '../../core/model';
import { cycle as card } from '../../core/rules/cards/cycle';
import { putNewest } from '../../base/util/newest';
import { createNewPromptCheck } from '../session/new-prompt';
import type { DetectContext, DetectorSink } from '../session/detector';
import { NearMissLog } from '../session/near-misses';
import type { EditPair } from '../steps/edit-pair';
import type { PastStep, Step } from '../steps/step';

/** Number of files that are followed, and of the contents of each. */
const FILES = 64;
const CONTENTS = 16;

/** One file: how often each content was written as a whole, the writes that went back to an earlier one, and the edits of each passage. */
interface Held {
  readonly contents: Map<number, number>;
  readonly returns: PastStep[];
  readonly passages: Map<number, Passage>;
}

/** Edits that exchange the same two texts, in either direction. */
interface Passage {
  count: number;
  readonly steps: PastStep[];
}

/**
 * Rule `returns` of `cycle`: writes that return a file to an earlier content, as whole writes show it, and edits whose old and new text are swapped.
 * Such writes form rounds, whatever else was written in between. Each passage is counted separately: several that were removed once and put back once
 * are one way there and back.
 */
export function createReturns(
  options: DetectorOptions,
  sink: DetectorSink,
): (step: Step, context: DetectContext) => void {
  const near = new NearMissLog(card.id, 'returns', sink);
  const files = new Map<number, Held>();
  const hasNewPrompt = createNewPromptCheck();

  return (step, context) => {
    const { edit } = step;
    if (!step.counted || step.failed || edit === null) return;
    if (hasNewPrompt(context)) files.clear();
    const held = files.get(step.file) ?? { contents: new Map(), returns: [], passages: new Map() };
    putNewest(files, step.file, held, FILES);
    const { rounds, steps } = edit.before === 0 ? rewritten(held, step, edit.after) : exchanged(held, step, edit);
    if (steps.length === 0) return;
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
      steps,
      equality: 'said',
      period: 1,
    });
  };
}

interface Rounds {
  readonly rounds: number;
  /** The steps that went back; empty where this one did not. */
  readonly steps: readonly PastStep[];
}

/** Counts each whole write of an earlier content as a round. */
function rewritten({ contents, returns }: Held, step: PastStep, content: number): Rounds {
  const times = (contents.get(content) ?? 0) + 1;
  putNewest(contents, content, times, CONTENTS);
  if (times === 1) return { rounds: 0, steps: [] };
  keep(returns, step);
  return { rounds: returns.length < 2 ? returns.length : times, steps: returns };
}

/** Counts there and back as one round, wherever it began. */
function exchanged({ passages }: Held, step: PastStep, { before, after }: EditPair): Rounds {
  const key = Math.imul(Math.min(before, after), 0x9e37_79b1) ^ Math.max(before, after);
  const passage = passages.get(key) ?? { count: 0, steps: [] };
  putNewest(passages, key, passage, CONTENTS);
  if (++passage.count > 1) keep(passage.steps, step);
  return { rounds: Math.floor(passage.count / 2), steps: passage.steps };
}

function keep(steps: PastStep[], step: PastStep): void {
  steps.push(step);
  if (steps.length > CONTENTS) steps.shift();
}
