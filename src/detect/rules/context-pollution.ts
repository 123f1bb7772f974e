import type { AgentEvent, ClearingReason, DetectorOptions, Source } from '../../core/model';
import { contextPollution as card } from '../../core/rules/cards/context-pollution';
import { EvidenceRows, Alert, quotedResult, rowOf } from '../session/alert';
import { NOT_BACK_STEPS, PERSON } from '../../core/rules/common';
import type { DetectContext, Detector, DetectorDefinition, DetectorSink } from '../session/detector';
import type { Step } from '../steps/step';
import { hearing } from '../session/hearing';
import { NearMissLog } from '../session/near-misses';
import { failedApproaches, normalApproach } from '../sayings/retry-notes';
import { snippetLine } from '../sayings/snippet';
import { isFromPerson } from '../steps/step-builder';
import { putNewest } from '../../base/util/newest';

/** Number of approaches that are remembered, the newest. */
const REMEMBERED = 64;

/** An approach listed in the retry notes. */
interface Listed {
  readonly source: Source;
  readonly at: number;
  readonly approach: string;
}

/**
 * Detects that after a restart, a compaction or a retry the agent repeats something that the retry context lists as failed, and it fails again.
 *
 * After progress since the notes, running the same again is a test of that progress and does not count.
 */
export const contextPollution: DetectorDefinition = { id: card.id, create };

function create(options: DetectorOptions, sink: DetectorSink): Detector {
  const alert = new Alert(card, sink);
  const near = new NearMissLog(card.id, null, sink);
  const rows = new EvidenceRows();
  const listed = new Map<string, Listed>();
  let stepsAtNotes = 0;
  let count = 0;
  let last = 0;
  let firstAt = 0;
  let tokensAtFirst = 0;

  const end = (reason: ClearingReason, at: number, source: Source, context: DetectContext): void => {
    alert.clear(reason, at, source, context);
    rows.clear();
    count = 0;
  };

  const noted = (text: string, event: AgentEvent, context: DetectContext): void => {
    const approaches = failedApproaches(text);
    if (approaches.length === 0) return;
    stepsAtNotes = context.stepCount;
    for (const approach of approaches) {
      const { source, at } = event;
      putNewest(listed, approach, { source, at, approach: snippetLine(approach) }, REMEMBERED);
    }
  };

  const again = (step: Step, known: Listed, context: DetectContext): void => {
    if (count === 0) {
      firstAt = step.at;
      tokensAtFirst = context.totalTokens;
      rows.add({ source: known.source, at: known.at, subject: known.approach, text: 'listed as failed' });
    }
    count++;
    last = step.index;
    const first = rows.add(rowOf(step));
    near.reached(context, step.subject, count, options.stuck, step.at, step.end);
    if (count < options.warn) return;
    alert.raise(
      {
        level: count >= options.stuck ? 'stuck' : 'warn',
        count,
        limit: options.stuck,
        at: step.at,
        source: step.end,
        firstAt,
        first: first.source,
        evidence: rows.rows(),
        subject: step.subject,
        why: `After the restart it ran \`${step.subject}\`, which the retry notes list as failed. It failed again${count > 1 ? `, ${count} times so far` : ''}: ${step.text}`,
        suggestion: 'Take an approach that is not in the list of failed attempts.',
        clears: [
          `a different approach: ${NOT_BACK_STEPS} steps without one from the list`,
          'the same call gets a different result',
          'progress',
          PERSON,
        ],
        tokensAtFirst,
        lastSample: quotedResult(step),
      },
      context,
    );
  };

  return {
    ...hearing(['user', 'compaction', 'session_end'], (event, context) => {
      switch (event.type) {
        case 'user':
          if (isFromPerson(event)) end('user_message', event.at, event.source, context);
          noted(event.text, event, context);
          break;
        case 'compaction':
          if (event.summary !== undefined) noted(event.summary, event, context);
          break;
        case 'session_end':
          end('session_end', event.at, event.source, context);
          break;
      }
    }),
    onStep(step, context) {
      if (listed.size === 0 || !step.counted) return;
      const known =
        listed.get(normalApproach(step.call.command ?? step.subject)) ?? listed.get(normalApproach(step.subject));
      if (known && step.failed && context.stepsAtProgress <= stepsAtNotes) again(step, known, context);
      else if (known && !step.failed && alert.isOpen) end('different_result', step.at, step.end, context);
      else if (alert.isOpen && step.index - last >= NOT_BACK_STEPS) end('not_back', step.at, step.end, context);
    },
    onProgress(marker, context) {
      if (count > 0) end('progress', marker.at, marker.source, context);
    },
  };
}
