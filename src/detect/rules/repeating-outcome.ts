import type { DetectorOptions, Level } from '../../core/model';
import type { DetectContext, Detector, DetectorDefinition, DetectorSink } from '../session/detector';
import type { PastStep, Step } from '../steps/step';
import { repeatingOutcome as card } from '../../core/rules/cards/repeating-outcome';
import { limitsOf } from '../../core/rules/limits';
import { NearMissLog } from '../session/near-misses';
import { snippetLine } from '../sayings/snippet';
import { equalSteps, saidInAll } from '../streaks/equal-steps';
import { levelOf, limitsFor } from '../streaks/limits';
import { createDeadStart } from './dead-start';
import { createFewDistinct } from './few-distinct';
import { createNoBetter } from './no-better';
import { createNoEffect } from './no-effect';
import { createUnreadRewrites } from './unread-rewrites';

/**
 * Detects the same call with the same saying repeatedly, with other steps in between (docs/detectors.md#repeating_outcome), for example an agent that
 * writes another version of a file between equal failing test runs: edits in between clear nothing.
 */
export const repeatingOutcome: DetectorDefinition = { id: card.id, create };

function create(options: DetectorOptions, sink: DetectorSink): Detector {
  const near = new NearMissLog(card.id, null, sink);
  const subRules = [createFewDistinct, createNoEffect, createUnreadRewrites, createNoBetter, createDeadStart].map(
    (rule) => rule(options, sink),
  );
  /** The newest outcome that occurred at least twice, for the reason that held the rule back. */
  let held: { signature: number; count: number } | null = null;

  /** Reports a board that has not changed for this many looks and 20 minutes, whatever the looks requested. */
  const board = (steps: readonly PastStep[], { at }: PastStep): void => {
    const { warn } = limitsOf(card.rules.still_board.shape, options);
    if (steps.length < warn || at - (steps[0]?.at ?? at) < BOARD_MS) return;
    offer('warn', steps, warn, Number.POSITIVE_INFINITY, 'still_board');
  };

  const offer = (
    level: Level | null,
    steps: readonly PastStep[],
    warn: number,
    limit: number,
    rule: 'still_board' | null = null,
  ): void =>
    sink.loop({
      detector: card.id,
      rule,
      level,
      count: steps.length,
      warn,
      limit,
      follows: { kind: 'outcomes' },
      steps,
      equality: 'said',
      period: 1,
    });

  return {
    onStep(step, context) {
      for (const rule of subRules) rule(step, context);
      if (step.exemption === 'passing_check' && step.occurrence > 1) {
        const count = Math.min(step.occurrence, options.stuck);
        near.reached(context, step.subject, count, options.stuck, step.at, step.end, 'It passed after each new edit');
      }
      if (!step.counted) return;
      if (step.changed) {
        const repeated = held?.signature === step.signature ? held : null;
        const reached = repeated
          ? { count: repeated.count, why: `Its result then changed: ${snippetLine(step.text, SHOWN)}` }
          : differentResults(step, context, options.window);
        if (reached) {
          const count = Math.min(reached.count, options.stuck);
          near.reached(context, step.subject, count, options.stuck, step.at, step.end, reached.why);
        }
        if (repeated && !step.failed) held = null;
      }
      if (step.occurrence < 2) return;
      const { warn, stuck } = limitsFor(step.weight, options);
      const steps = equalSteps(step, context, options.window);
      const level = levelOf(steps.length, step.weight, steps, options);
      if (steps.length > 1) {
        held = { signature: step.signature, count: steps.length };
        near.reached(context, step.subject, steps.length, stuck, step.at, step.end);
        offer(level, steps, warn, stuck);
      }
      if (level !== null) return;
      if (step.weight === 'wait') board(steps, step);
      // Regardless of what is in between, this many equal results are always reported.
      const { warn: always } = limitsOf(card.shapes.whateverBetween, options);
      if (step.weight === 'wait' || step.occurrence < always) return;
      const all = saidInAll(step, context);
      if (all.length >= always) offer('warn', all, always, Number.POSITIVE_INFINITY);
    },
  };
}

/** Time for which a board must be unchanged, in milliseconds. */
const BOARD_MS = 20 * 60_000;

/** Number of results that are named where a call had different ones, and of the characters shown of each. */
const NAMED = 4;
const SHOWN = 24;
const NUMBERS = ['', '', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven', 'Eight', 'Nine'];

/**
 * Describes the same call running repeatedly with a different result each time: it looks like a loop but is none. Null where that is not the case.
 */
function differentResults(step: Step, context: DetectContext, window: number): { count: number; why: string } | null {
  const newest: PastStep[] = [];
  const seen = new Set<number>();
  for (let back = 0; ; back++) {
    const past = context.steps.last(back);
    if (!past || past.index < context.stepsAtUserMessage || step.message - past.message >= window) break;
    if (!past.counted || past.signature !== step.signature) continue;
    if (seen.has(past.outcome)) return null;
    seen.add(past.outcome);
    if (newest.length < NAMED) newest.unshift(past);
  }
  const runs = seen.size;
  if (runs < 2) return null;
  const texts = newest.map(({ text }) => snippetLine(text, SHOWN));
  return { count: runs, why: `${NUMBERS[runs] ?? runs} different results: ${texts.join(', ')}` };
}
