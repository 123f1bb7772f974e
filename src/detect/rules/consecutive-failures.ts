import type { DetectorOptions } from '../../model';
import { consecutiveFailures as card } from '../../rules/cards/consecutive-failures';
import type { Detector, DetectorDefinition, DetectorSink, PastStep } from '../session/detector';
import { NearMissLog } from '../session/near-misses';
import { oneLine } from '../sayings/snippet';
import { createSweepMemory } from '../steps/sweep';

/** Tools whose newest error is remembered. */
const TOOLS = 32;
/** Steps of one streak that are kept. */
const KEPT = 32;

/** Failures of one tool with one error. */
interface SameError {
  error: number;
  steps: PastStep[];
}

/**
 * Failing results in a row, whatever the tools, and under the rule `same_error` one tool failing with one error although its arguments
 * change.
 *
 * A success ends the first, a success of the tool the second. Malformed calls are `validation_failure`'s; a parallel batch counts
 * once; a sweep over different targets counts once.
 */
export const consecutiveFailures: DetectorDefinition = { id: card.id, create };

function create(options: DetectorOptions, sink: DetectorSink): Detector {
  const near = new NearMissLog(card.id, null, sink);
  const nearSame = new NearMissLog(card.id, 'same_error', sink);
  const byTool = new Map<string, SameError>();
  let run: PastStep[] = [];
  let count = 0;
  /** Failures in a row with those of sweeps. */
  let all = 0;
  let since = 0;
  let batch: string | null = null;
  const sweep = createSweepMemory();

  const candidate = (steps: PastStep[], reached: number, rule: 'same_error' | null, newest: PastStep): void => {
    sink.loop({
      detector: card.id,
      rule,
      level: reached >= options.stuck ? 'stuck' : 'warn',
      count: reached,
      warn: options.warn,
      limit: options.stuck,
      follows: rule === null ? { kind: 'failures' } : { kind: 'error', error: newest.error, tool: newest.tool },
      steps,
      equality: rule === null ? 'failed' : 'error',
      period: 1,
    });
  };

  return {
    id: card.id,
    onStep(step, context) {
      if (!step.counted || step.malformed || step.poll) return;
      if (context.stepsAtUserMessage !== since) {
        since = context.stepsAtUserMessage;
        run = [];
        count = all = 0;
        sweep.reset();
        byTool.clear();
      }
      const { past } = step;
      if (!step.failed) {
        if (count > 0) {
          const held = `${oneLine(step.subject, 60)} succeeded after them`;
          near.reached(context, step.subject, count, options.stuck, step.at, step.end, held);
        }
        run = [];
        count = all = 0;
        sweep.reset();
        byTool.delete(past.tool);
        return;
      }
      const inBatch = step.batch !== null && step.batch === batch;
      batch = step.batch;
      const swept = sweep.goesOn(step.call, step.result.output);
      const counts = swept === null && !inBatch;
      all++;
      if (counts) {
        count++;
        run.push(past);
        if (run.length > KEPT) run.splice(3, 1);
      }
      const reached = swept === null ? count : Math.min(all, options.stuck);
      near.reached(context, step.subject, reached, options.stuck, step.at, step.end, swept ?? undefined);
      if (count >= options.warn && counts) candidate(run, count, null, past);

      const known = byTool.get(past.tool);
      byTool.delete(past.tool);
      const same: SameError = known?.error === past.error ? known : { error: past.error, steps: [] };
      byTool.set(past.tool, same);
      if (byTool.size > TOOLS) {
        const oldest = byTool.keys().next().value;
        if (oldest !== undefined) byTool.delete(oldest);
      }
      same.steps = same.steps.filter((one) => step.index - one.index < options.window);
      if (!inBatch) same.steps.push(past);
      const varied = same.steps.some((one) => one.signature !== past.signature);
      if (!varied) return;
      nearSame.reached(context, step.subject, same.steps.length, options.stuck, step.at, step.end);
      if (same.steps.length >= options.warn && !inBatch) candidate(same.steps, same.steps.length, 'same_error', past);
    },
  };
}
