import type { DetectorOptions } from '../../core/model';
import { consecutiveFailures as card } from '../../core/rules/cards/consecutive-failures';
import { limitsOf } from '../../core/rules/limits';
import { putNewest } from '../../base/util/newest';
import { createNewPromptCheck } from '../session/new-prompt';
import type { DetectContext, DetectorSink } from '../session/detector';
import { NearMissLog } from '../session/near-misses';
import { nameOf } from '../sayings/paths-in-text';
import type { PastStep, Step } from '../steps/step';

/** Number of files whose edits are followed, and of the newest edits of each: as many as the most patient limit needs. */
const FILES = 32;
const EDITS = 24;
/** A script that writes its changes: `f.write(text)`, `fs.writeFileSync(path, text)`. */
const WRITES = /\.write(?:_text|_bytes|lines|FileSync|File)?\s?\(/;

/**
 * Rule `refused_edits` of `consecutive_failures`: edits of one file that are refused, whatever the tool, the wording or the text. It warns when half
 * of the newest edits were refused, and reports stuck after a few more. Looks in between change nothing. Each successful edit subtracts one, even if
 * a command made it.
 */
export function createRefusedEdits(
  options: DetectorOptions,
  sink: DetectorSink,
): (step: Step, context: DetectContext) => void {
  const near = new NearMissLog(card.id, 'refused_edits', sink);
  const byFile = new Map<number, Followed>();
  const hasNewPrompt = createNewPromptCheck();

  const add = (file: number, step: PastStep, name: string): readonly PastStep[] => {
    // Edits of one message were written before the first of them was refused: they count as one.
    const before = (byFile.get(file)?.edits ?? []).filter(({ message }) => message !== step.message);
    const edits = [...before, step].slice(-EDITS);
    putNewest(byFile, file, { edits, name }, FILES);
    return edits;
  };

  return (step, context) => {
    if (!step.counted) return;
    if (hasNewPrompt(context)) byFile.clear();
    const { command, target } = step.call;
    if (byFile.size > 0 && command !== undefined && changesFiles(step, command)) {
      const named = [...byFile].filter(([, { name }]) => name !== '' && command.includes(name));
      for (const [file, { name }] of named) add(file, step, name);
    }
    if (step.file === 0) return;
    const edits = add(step.file, step, nameOf(step.edit?.path ?? target ?? ''));
    if (!step.failed || step.malformed) return;
    const { warn, stuck: limit } = limitsOf(card.rules.refused_edits.shape, options);
    const newest = edits.slice(-(2 * limit - 2));
    const refused = newest.filter(({ failed }) => failed);
    const count = left(newest);
    const isStuck = count >= limit;
    const warns = isStuck || left(edits.slice(-2 * warn)) >= warn;
    near.reached(context, step.subject, count, limit, step.at, step.end);
    sink.loop({
      detector: card.id,
      rule: 'refused_edits',
      level: isStuck ? 'stuck' : warns ? 'warn' : null,
      count,
      warn,
      limit,
      follows: { kind: 'refused', file: step.file },
      steps: refused,
      equality: 'failed',
      period: 1,
    });
  };
}

/** One file: its newest edits, and its name without folders. */
interface Followed {
  readonly edits: readonly PastStep[];
  readonly name: string;
}

function changesFiles({ failed, changes, editsFirst }: Step, command: string): boolean {
  return !failed && (changes || editsFirst || WRITES.test(command));
}

/** Returns the remaining refusals, where each successful edit subtracts one. */
function left(edits: readonly PastStep[]): number {
  return edits.reduce((count, { failed }) => (failed ? count + 1 : Math.max(0, count - 1)), 0);
}
