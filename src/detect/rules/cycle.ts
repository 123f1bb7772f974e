import type { DetectorOptions, ErrorEvent, Level } from '../../core/model';
import { createNewPromptCheck } from '../session/new-prompt';
import type { DetectContext, Detector, DetectorDefinition, DetectorSink } from '../session/detector';
import type { PastStep, Weight } from '../steps/step';
import { hearing } from '../session/hearing';
import { maskedFingerprint } from '../sayings/mask';
import { snippetLine } from '../sayings/snippet';
import { cycle as card } from '../../core/rules/cards/cycle';
import { NearMissLog } from '../session/near-misses';
import { levelOf, limitsFor } from '../streaks/limits';
import { Periods } from '../streaks/periods';
import { createReturns } from './returns';

/**
 * Detects steps that alternate in a fixed order, in whole rounds with equal sayings (docs/detectors.md#cycle). If one of the steps fails, it is named
 * `action_error_alternation`. Rounds of nothing but waits need as many laps as waits need repeats.
 */
export const cycle: DetectorDefinition = { id: card.id, create };

function create(options: DetectorOptions, sink: DetectorSink): Detector {
  const periods = new Periods();
  const near = new NearMissLog(card.id, null, sink);
  const returns = createReturns(options, sink);
  const hasNewPrompt = createNewPromptCheck();

  const add = (entry: PastStep | number, outcome: number, context: DetectContext): void => {
    if (hasNewPrompt(context)) periods.reset();
    periods.add(outcome, entry);
  };

  const judge = (newest: PastStep, context: DetectContext): void => {
    const found = periods.find();
    if (!found) return;
    const all = periods.newest(found.laps * found.period, context);
    const within = all.filter(({ message }) => newest.message - message < options.window).length;
    const fit = Math.floor(within / found.period);
    const lapOf = periods.newest(found.period, context);
    const weight = weightOf(lapOf);
    // Waits recur too often for the window.
    const laps = weight === 'wait' ? found.laps : fit;
    const steps = periods.newest(laps * found.period, context);
    const lap = steps.slice(-found.period);
    const { warn, stuck } = limitsFor(weight, options);
    near.reached(
      context,
      `${found.period} steps: ${steps[0]?.subject ?? newest.subject}`,
      laps,
      stuck,
      newest.at,
      newest.end,
    );
    const level: Level | null = levelOf(laps, weight, steps, options);
    sink.loop({
      detector: lap.some((step) => step.failed) ? 'action_error_alternation' : card.id,
      rule: null,
      level,
      count: found.laps,
      warn,
      limit: stuck,
      follows: { kind: 'outcomes' },
      steps,
      equality: 'said',
      period: found.period,
    });
  };

  return {
    ...hearing(['error'], (event, context) => {
      if (event.kind === 'api' || event.kind === 'rate_limit' || event.kind === 'validation') return;
      const entry = errorEntry(event, context);
      add(entry, entry.outcome, context);
      judge(entry, context);
    }),
    onStep(step, context) {
      returns(step, context);
      if (!step.counted) return;
      add(step.index, step.outcome, context);
      judge(step, context);
    },
  };
}

/** Returns the weight of a round: waits, with or without looks, make it a wait, only looks a look; anything else makes it plain. */
function weightOf(lap: readonly PastStep[]): Weight {
  if (!lap.every(({ weight }) => weight === 'wait' || weight === 'look')) return 'plain';
  return lap.some(({ weight }) => weight === 'wait') ? 'wait' : 'look';
}

/** Makes an entry of the sequence for an error that is not the result of a call. It has the index of the newest step; its outcome is negative. */
function errorEntry(event: ErrorEvent, context: DetectContext): PastStep {
  const fingerprint = maskedFingerprint(event.message, true);
  return {
    index: context.stepCount - 1,
    at: event.at,
    source: event.source,
    end: event.source,
    kind: 'other',
    tool: 'error',
    failed: true,
    crashed: true,
    check: false,
    weight: 'plain',
    requestedWait: 0,
    isNew: false,
    counted: true,
    message: context.steps.last(0)?.message ?? 0,
    prompts: context.prompts,
    changes: false,
    movesHead: false,
    file: 0,
    edit: null,
    failing: -1,
    isReminded: false,
    starts: false,
    signature: -1 - fingerprint,
    program: 0,
    target: 0,
    // below every other outcome that says nothing
    outcome: -1e9 - fingerprint,
    error: fingerprint | 0 || 1,
    effect: 0,
    values: [],
    tokens: context.totalTokens,
    subject: 'error',
    text: snippetLine(event.message),
  };
}
