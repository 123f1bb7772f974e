import type { DetectorOptions, Limits } from '../../core/model';
import { createNewPromptCheck } from '../session/new-prompt';
import type { Detector, DetectorDefinition, DetectorSink } from '../session/detector';
import type { PastStep } from '../steps/step';
import { consecutiveFailures as card } from '../../core/rules/cards/consecutive-failures';
import { limitsOf } from '../../core/rules/limits';
import { hearing } from '../session/hearing';
import { NearMissLog } from '../session/near-misses';
import { createRefusedEdits } from './refused-edits';
import { createRefusedRequest } from './refused-request';
import { snippetLine } from '../sayings/snippet';
import { isSameCall } from '../streaks/loop';
import { putNewest } from '../../base/util/newest';

/** Number of errors that are followed; the one not seen for longest is forgotten first. */
const ERRORS = 32;
/** Number of steps of one streak that are kept. */
const KEPT = 32;
/** Number of tools whose newest success is remembered. */
const TOOLS = 32;

/**
 * Detects failures in a row, whatever the calls, and under the rule `same_error` one error line repeatedly within `window` steps, whatever the call
 * (docs/detectors.md#consecutive_failures).
 *
 * Failures that name one error have the limits `warn` and `stuck`. Failures that name different errors have `differentWarn` and `differentStuck`;
 * where more than half of the errors are new, the row is a search, which warns late and never reports stuck. One message counts once, and so does a
 * sweep among different errors. Malformed calls belong to `validation_failure`.
 *
 * A successful edit breaks a row. A command that writes a file and then runs something is an edit and a run in one, so it also breaks a row of
 * different errors. Failures that name one error stay a row: no edit changed the error.
 */
export const consecutiveFailures: DetectorDefinition = { id: card.id, create };

function create(options: DetectorOptions, sink: DetectorSink): Detector {
  const near = new NearMissLog(card.id, null, sink);
  const nearSame = new NearMissLog(card.id, 'same_error', sink);
  const byError = new Map<number, PastStep[]>();
  /** Index of the newest success of each tool that names its target, by the tool's name. */
  const worked = new Map<string, number>();
  /** Indexes of the newest successes of each tool that names no target, by the tool's name. */
  const successes = new Map<string, number[]>();
  let run: PastStep[] = [];
  let count = 0;
  const hasNewPrompt = createNewPromptCheck();
  let message = -1;

  const candidate = (
    steps: PastStep[],
    reached: number,
    { warn, stuck }: Limits,
    newest: PastStep,
    rule: 'same_error' | null,
    isSame: boolean,
  ): void => {
    if (reached < 2) return;
    sink.loop({
      detector: card.id,
      rule,
      level: reached >= stuck ? 'stuck' : reached >= warn ? 'warn' : null,
      count: reached,
      warn,
      limit: stuck,
      follows: rule === null ? { kind: 'failures' } : { kind: 'error', error: newest.error, of: steps },
      steps,
      equality: isSame ? 'error' : 'failed',
      period: 1,
    });
  };

  const reset = (): void => {
    run = [];
    count = 0;
    message = -1;
  };

  const refusedEdits = createRefusedEdits(options, sink);
  const refusedRequest = createRefusedRequest(options, sink);

  return {
    ...hearing(['error', 'assistant', 'tool_call', 'user', 'session_end'], refusedRequest),
    onStep(step, context) {
      refusedEdits(step, context);
      if (!step.counted || step.malformed || step.weight === 'wait') return;
      if (hasNewPrompt(context)) {
        reset();
        byError.clear();
      }
      if (!step.failed) {
        if (count > 0) {
          const held = `${snippetLine(step.subject, 60)} succeeded after that`;
          near.reached(context, step.subject, count, options.stuck, step.at, step.end, held);
        }
        reset();
        for (const [error, steps] of byError) {
          if (steps.some((one) => isSameCall(one, step))) byError.delete(error);
        }
        if (step.target === 0) {
          const indexes = successes.get(step.tool) ?? [];
          indexes.push(step.index);
          if (indexes.length === 1) putNewest(successes, step.tool, indexes, TOOLS);
          else if (indexes.length > KEPT) indexes.shift();
        }
        if (step.call.command === undefined && step.target !== 0) {
          if (worked.size >= TOOLS) worked.clear();
          worked.set(step.tool, step.index);
        }
        return;
      }
      if (step.message === message) return;
      message = step.message;
      if (step.editsFirst) count = 0;
      count++;
      run.push(step);
      if (run.length > KEPT) run.splice(3, 1);

      const inARow = sameAtEnd(run, step);
      if (inARow.length > 1) {
        const limits = equalLimits(inARow, options);
        near.reached(context, step.subject, inARow.length, limits.stuck, step.at, step.end);
        candidate(inARow, inARow.length, limits, step, null, true);
      }
      if (inARow.length < options.warn) {
        const row = run.slice(-count);
        const pieces = piecesOf(row);
        const limits = differentLimits(pieces, options);
        const held = limits.stuck === Number.POSITIVE_INFINITY ? 'Most of them have a new error' : undefined;
        const reached = count - row.length + pieces.length;
        const { stuck } = limitsOf(card.shapes.different, options);
        near.reached(context, step.subject, reached, stuck, step.at, step.end, held);
        candidate(row, reached, limits, step, null, false);
      }
      // A failing check names no error line: other commands that run it are attempts to learn more about the same failure.
      if (step.error === 0 || step.check) return;

      const before = byError.get(step.error) ?? [];
      const all = [...before.filter((one) => step.message - one.message < options.window), step];
      putNewest(byError, step.error, all, ERRORS);
      // A tool that worked on something else in between is not broken itself: its error concerns its input.
      const workedAt = worked.get(step.tool) ?? -1;
      const steps = all.filter((one) => one.tool !== step.tool || one.target === step.target || one.index > workedAt);
      if (steps.every((one) => one.signature === step.signature)) return;
      // A tool without targets whose calls passed more often than they failed has no row of failures.
      const first = steps[0]?.index ?? 0;
      const passed = step.target === 0 ? (successes.get(step.tool) ?? []).filter((index) => index > first).length : 0;
      if (passed > steps.length) return;
      const limits = equalLimits(steps, options);
      const held = limits === options ? undefined : 'One program, on a different target each time';
      nearSame.reached(context, step.subject, steps.length, limits.stuck, step.at, step.end, held);
      candidate(steps, steps.length, limits, step, 'same_error', true);
    },
  };
}

/** Returns the newest failures of a run that name the same error, or that are the same call without a named error. */
function sameAtEnd(run: readonly PastStep[], newest: PastStep): PastStep[] {
  const name = nameOf(newest);
  return run.slice(run.findLastIndex((step) => nameOf(step) !== name) + 1);
}

/** Returns the error that a failure names, or its own call where it names none. */
function nameOf({ error, signature }: PastStep): number {
  return error === 0 ? -1 - signature : error;
}

/** Returns the limits for failures with one error; a sweep needs more of them. */
function equalLimits(steps: readonly PastStep[], options: DetectorOptions): Limits {
  return isSweep(steps) ? limitsOf(card.shapes.sweep, options) : options;
}

/** Returns the failures of a row that count among different errors: of a sweep, which is one attempt over several targets, only the first. */
function piecesOf(row: readonly PastStep[]): PastStep[] {
  let sweep: PastStep[] = [];
  return row.filter((step) => {
    const isNext = sweep.length > 0 && isSweep([...sweep, step]) && sweep.every((one) => nameOf(one) === nameOf(step));
    sweep = isNext ? [...sweep, step] : [step];
    return !isNext;
  });
}

/** True for one program on a different target each time: inputs that are meant to fail in the same way. */
function isSweep(steps: readonly PastStep[]): boolean {
  return (
    steps.every(({ program, target }) => program === steps[0]?.program && target !== 0) &&
    new Set(steps.map(({ target }) => target)).size === steps.length
  );
}

function differentLimits(row: readonly PastStep[], options: DetectorOptions): Limits {
  const names = new Set(row.map(nameOf));
  return limitsOf(names.size * 2 > row.length ? card.shapes.search : card.shapes.different, options);
}
