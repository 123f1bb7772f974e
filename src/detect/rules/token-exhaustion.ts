import type { ClearingReason, DetectorOptions, Source, UsageEvent } from '../../core/model';
import { tokenExhaustion as card } from '../../core/rules/cards/token-exhaustion';
import { Alert, rowOf } from '../session/alert';
import { PERSON } from '../../core/rules/common';
import type { DetectContext, Detector, DetectorDefinition, DetectorSink } from '../session/detector';
import { hearing } from '../session/hearing';
import { age } from '../../core/words/format';
import { NearMissLog } from '../session/near-misses';
import { isFromPerson } from '../steps/step-builder';

/** Minimum time without progress and without a new result, in milliseconds: a full context alone is not a problem. */
const QUIET = 10 * 60_000;

/** Fill level of the context or a limit. */
interface Used {
  readonly share: number;
  readonly what: 'context' | 'token limit';
}

/**
 * Detects that the context window or token limit is used up to the limit in percent, with no progress in the last `window` steps. Counts the tokens
 * in the transcript; without a window or a limit the rule reports nothing.
 */
export const tokenExhaustion: DetectorDefinition = { id: card.id, create };

function create(options: DetectorOptions, sink: DetectorSink): Detector {
  const alert = new Alert(card, sink);
  const near = new NearMissLog(card.id, null, sink);
  let tokenLimit = 0;
  let newest: UsageEvent | null = null;
  /** Time and place of the last progress or prompt; there has been no progress since. */
  let since: { readonly at: number; readonly source: Source } | null = null;
  let reportedPercent = 0;

  const used = (context: DetectContext): Used => {
    const window = context.contextWindow > 0 ? context.contextTokens / context.contextWindow : 0;
    const limit = tokenLimit > 0 ? context.totalTokens / tokenLimit : 0;
    return limit > window ? { share: limit * 100, what: 'token limit' } : { share: window * 100, what: 'context' };
  };

  const look = (context: DetectContext): void => {
    if (!newest) return;
    const { share, what } = used(context);
    const subject = `${what} used`;
    if (share < options.warn) {
      // compacted: there is room again
      end('different_result', newest.at, newest.source, context);
      near.reached(context, subject, Math.floor(share), options.warn, newest.at, newest.source);
      return;
    }
    const steps =
      context.stepCount - Math.max(context.stepsAtProgress, context.stepsAtUserMessage, context.lastNewStep + 1);
    const quiet = context.now - Math.max(since?.at ?? context.startedAt, context.lastNewAt);
    if (steps < options.window || quiet < QUIET) {
      const held = context.lastProgress ? 'Progress or something new since' : undefined;
      near.reached(context, subject, Math.floor(share), options.warn, newest.at, newest.source, held);
      return;
    }
    const percent = Math.floor(share);
    // one report per percent is enough
    if (alert.isOpen && percent <= reportedPercent) return;
    reportedPercent = percent;
    const start =
      since && since.at > context.lastNewAt ? since : { at: context.lastNewAt, source: since?.source ?? newest.source };
    const first = context.steps.step(context.stepCount - steps) ?? null;
    const quietFor = age(context.now - start.at);
    alert.raise(
      {
        level: share >= options.stuck ? 'stuck' : 'warn',
        count: percent,
        limit: options.stuck,
        at: newest.at,
        source: newest.source,
        firstAt: start.at,
        first: start.source,
        evidence: [
          ...(first ? [{ ...rowOf(first, `nothing new since, ${steps} steps`), role: 'first' as const }] : []),
          {
            source: newest.source,
            at: newest.at,
            role: first ? 'repeat' : 'first',
            subject,
            text:
              what === 'context'
                ? `${context.contextTokens} of ${context.contextWindow} tokens`
                : `${context.totalTokens} of ${tokenLimit} tokens`,
          },
        ],
        subject,
        why: `${percent} % of the ${what} is used, with no progress and no new result for ${quietFor} and ${steps} steps.`,
        suggestion:
          'Save the state of the work and the next steps to a file, so that a fresh session can continue from it.',
        clears: ['progress, or a new result', `less than ${options.warn} % of the ${what} used`, PERSON],
      },
      context,
    );
  };

  const end = (reason: ClearingReason, at: number, source: Source, context: DetectContext): void => {
    alert.clear(reason, at, source, context);
    reportedPercent = 0;
  };

  return {
    ...hearing(['usage', 'compaction', 'user', 'session_end'], (event, context) => {
      switch (event.type) {
        case 'usage':
          if (event.tokenLimit !== undefined) tokenLimit = event.tokenLimit;
          if (event.contextTokens === undefined && event.totalTokens === undefined && event.tokenLimit === undefined)
            break;
          newest = event;
          look(context);
          break;
        case 'compaction':
          if (event.tokensAfter !== undefined) look(context);
          break;
        case 'user':
          if (!isFromPerson(event)) break;
          since = event;
          end('user_message', event.at, event.source, context);
          break;
        case 'session_end':
          end('session_end', event.at, event.source, context);
          break;
      }
    }),
    onStep(step, context) {
      if (step.isNew && !step.progress) end('different_result', step.at, step.end, context);
      else if (!alert.isOpen) look(context);
    },
    onProgress(marker, context) {
      since = marker;
      end('progress', marker.at, marker.source, context);
    },
  };
}
