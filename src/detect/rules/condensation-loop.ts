import { counted } from '../../base/util/counts';
import type { AgentEvent, ClearingReason, CompactionEvent, DetectorOptions, Source } from '../../core/model';
import { condensationLoop as card } from '../../core/rules/cards/condensation-loop';
import { EvidenceRows, Alert, quotedResult, rowOf } from '../session/alert';
import { NOT_BACK_STEPS, PERSON } from '../../core/rules/common';
import type { DetectContext, Detector, DetectorDefinition, DetectorSink } from '../session/detector';
import type { PastStep, Step } from '../steps/step';
import { NearMissLog } from '../session/near-misses';
import { addsSomething } from '../session/prompts';

/** Longest time between two records of one compaction. */
const ONE_COMPACTION_MS = 1000;
/** Number of failing outcomes that are remembered across compactions. */
const FAILING = 256;

/** A failing outcome from before the agent's context was compacted. */
interface Failing {
  readonly step: PastStep;
  readonly times: number;
}

/**
 * Detects that the context was compacted and the agent goes straight back to a call that had failed, or that it is compacted repeatedly without
 * progress.
 *
 * Compactions requested by the user, and those caused by a change of model, are no sign of a loop. After progress since the failure or the
 * compaction, a repeat of it is a test of that progress.
 */
export const condensationLoop: DetectorDefinition = { id: card.id, create };

function create(options: DetectorOptions, sink: DetectorSink): Detector {
  const back = createBack(options, sink);
  const again = createAgain(options, sink);
  let model: string | undefined;
  let modelChanged = false;
  let last: CompactionEvent | null = null;
  let idle = false;

  const compacted = (event: CompactionEvent, context: DetectContext): void => {
    const isSame = idle && last !== null && event.at - last.at < ONE_COMPACTION_MS;
    last = event;
    idle = true;
    if (isSame || modelChanged) return;
    back.compacted(event, context);
    if (event.trigger !== 'manual') again.compacted(event, context, back.alert.isOpen);
  };

  const clearAll = (reason: ClearingReason, at: number, source: Source, context: DetectContext): void => {
    back.end(reason, at, source, context);
    again.end(reason, at, source, context);
  };

  return {
    onEvent(event: AgentEvent, context) {
      switch (event.type) {
        case 'session_info':
          if (event.model === undefined) break;
          modelChanged ||= model !== undefined && event.model !== model;
          model = event.model;
          break;
        case 'compaction':
          compacted(event, context);
          break;
        case 'user':
          if (addsSomething(event, context)) clearAll('user_message', event.at, event.source, context);
          break;
        case 'session_end':
          clearAll('session_end', event.at, event.source, context);
          break;
        case 'assistant':
        case 'tool_call':
          idle = false;
          break;
        default:
      }
    },
    onStep(step, context) {
      modelChanged = false;
      idle = false;
      if (step.movesHead) back.end('different_result', step.at, step.end, context);
      back.step(step, context);
      again.step(step, context);
    },
    onProgress(marker, context) {
      clearAll('progress', marker.at, marker.source, context);
    },
  };
}

/** Detects the same failing outcome again after a compaction. */
function createBack(options: DetectorOptions, sink: DetectorSink) {
  const alert = new Alert(card, sink, 'back');
  const near = new NearMissLog(card.id, null, sink);
  const rows = new EvidenceRows();
  /** By outcome; at most `FAILING`. */
  const failing = new Map<number, Failing>();
  /** Signatures of calls that failed: a different result of one of them ends the streak. Also at most `FAILING`. */
  const signatures = new Set<number>();
  let compaction: CompactionEvent | null = null;
  let stepsAt = 0;
  let count = 0;
  let lastBack = 0;

  const part = {
    alert,
    compacted(event: CompactionEvent, context: DetectContext): void {
      if (count === 0) {
        failing.clear();
        signatures.clear();
      }
      // an outcome that is already back keeps its count from before the first compaction
      for (const [outcome, one] of failingSteps(options.window, context)) {
        if (failing.has(outcome) || failing.size >= FAILING) continue;
        failing.set(outcome, one);
        signatures.add(one.step.signature);
      }
      compaction = event;
      stepsAt = context.stepCount;
    },
    step(step: Step, context: DetectContext): void {
      if (!compaction || !step.counted) return;
      const known = step.failed ? failing.get(step.outcome) : undefined;
      if (!known) {
        if (alert.isOpen && signatures.has(step.signature)) part.end('different_result', step.at, step.end, context);
        else if (alert.isOpen && step.index - lastBack >= NOT_BACK_STEPS)
          part.end('not_back', step.at, step.end, context);
        else if (!alert.isOpen && step.index - stepsAt >= options.window)
          part.end('not_back', step.at, step.end, context);
        return;
      }
      if (count === 0) {
        rows.add(rowOf(known.step));
        rows.add(rowOfCompaction(compaction), true);
      }
      count++;
      lastBack = step.index;
      rows.add(rowOf(step));
      near.reached(context, step.subject, count, options.stuck, step.at, step.end);
      if (count < options.warn) return;
      alert.raise(
        {
          level: count >= options.stuck ? 'stuck' : 'warn',
          count,
          limit: options.stuck,
          at: step.at,
          source: step.end,
          firstAt: known.step.at,
          first: known.step.source,
          evidence: rows.rows(),
          subject: step.subject,
          why: `The context was compacted, and the agent went straight back to \`${step.subject}\`, which failed ${known.times === 1 ? 'once' : `${known.times} times`} before. Since then it failed the same way ${count === 1 ? 'once' : `${count} times`}.`,
          suggestion: `Write down in one line why \`${step.subject}\` fails, then try a different approach.`,
          clears: [
            `\`${step.subject}\` gets a different result`,
            'progress: an edit, a passing check',
            `it does not come back within ${NOT_BACK_STEPS} steps`,
            PERSON,
          ],
          tokensAtFirst: known.step.tokens,
          lastSample: quotedResult(step),
        },
        context,
      );
    },
    end(reason: ClearingReason, at: number, source: Source | null, context: DetectContext): void {
      alert.clear(reason, at, source, context);
      rows.clear();
      failing.clear();
      signatures.clear();
      compaction = null;
      count = 0;
    },
  };
  return part;
}

/** Detects repeated compactions within `window` steps, without progress. */
function createAgain(options: DetectorOptions, sink: DetectorSink) {
  const alert = new Alert(card, sink, 'again');
  const rows = new EvidenceRows();
  let count = 0;
  let stepsAtFirst = 0;
  let stepsAtLast = 0;
  let tokensAtFirst = 0;

  const part = {
    alert,
    compacted(event: CompactionEvent, context: DetectContext, isReported: boolean): void {
      if (count === 0) {
        stepsAtFirst = context.stepCount;
        tokensAtFirst = context.totalTokens;
      }
      count++;
      stepsAtLast = context.stepCount;
      const first = rows.add(rowOfCompaction(event));
      // the first one is not a repeat
      const repeats = count - 1;
      if (repeats < options.warn || isReported) return;
      const steps = context.stepCount - stepsAtFirst;
      alert.raise(
        {
          level: repeats >= options.stuck ? 'stuck' : 'warn',
          count: repeats,
          limit: options.stuck,
          at: event.at,
          source: event.source,
          firstAt: first.at,
          first: first.source,
          evidence: rows.rows(),
          subject: 'context compacted',
          why: `The context was compacted ${count === 1 ? 'once' : `${count} times`} in ${counted(steps, 'step')}, without progress or a new result.`,
          suggestion:
            'Write the state of the work and the next steps to a file, and continue from it in a fresh session.',
          clears: ['progress, or a new result', `no compaction within ${options.window} steps`, PERSON],
          tokensAtFirst,
        },
        context,
      );
    },
    step(step: Step, context: DetectContext): void {
      if (count === 0) return;
      if (step.isNew && !step.progress) part.end('different_result', step.at, step.end, context);
      else if (step.index - stepsAtLast >= options.window) part.end('not_back', step.at, step.end, context);
    },
    end(reason: ClearingReason, at: number, source: Source | null, context: DetectContext): void {
      alert.clear(reason, at, source, context);
      rows.clear();
      count = 0;
    },
  };
  return part;
}

/** Collects the failures in the newest `window` steps, since the last progress, message of a person and checkout of another commit. */
function failingSteps(window: number, context: DetectContext): Map<number, Failing> {
  const found = new Map<number, Failing>();
  const from = Math.max(context.stepsAtUserMessage, context.stepsAtProgress, context.stepCount - window);
  for (let index = context.stepCount - 1; index >= from; index--) {
    const step = context.steps.step(index);
    // A failure on another commit says nothing about this one.
    if (!step || step.movesHead) break;
    if (!step.failed || !step.counted) continue;
    found.set(step.outcome, { step, times: (found.get(step.outcome)?.times ?? 0) + 1 });
  }
  return found;
}

function rowOfCompaction(event: CompactionEvent) {
  return {
    source: event.source,
    at: event.at,
    subject: 'context compacted',
    text:
      event.tokensBefore !== undefined && event.tokensAfter !== undefined
        ? `${event.tokensBefore} tokens before, ${event.tokensAfter} after`
        : (event.trigger ?? ''),
  };
}
