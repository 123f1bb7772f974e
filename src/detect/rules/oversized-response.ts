import { whole } from '../../base/util/counts';
import type { AgentId, DetectorOptions, Sample } from '../../core/model';
import { oversizedResponse as card } from '../../core/rules/cards/oversized-response';
import { fullLength, readable } from '../../base/util/cut';
import { pieceOf } from '../../base/util/piece';
import { copied } from '../../base/util/text';
import { EvidenceRows, Alert, rowOf } from '../session/alert';
import { NOT_BACK_STEPS } from '../../core/rules/common';
import type { Detector, DetectorDefinition, DetectorSink } from '../session/detector';
import type { Step } from '../steps/step';
import { hearing } from '../session/hearing';
import { NearMissLog } from '../session/near-misses';
import { isFromPerson } from '../steps/step-builder';

/** Number of characters of a large result that are shown. */
const PREVIEW = 1000;

/**
 * Detects a tool result of more characters than the context can bear, by the size in the record where the text is cut. A fact worth a mark, not a
 * sign of being stuck.
 */
export const oversizedResponse: DetectorDefinition = { id: card.id, create };

function create(options: DetectorOptions, sink: DetectorSink): Detector {
  const alert = new Alert(card, sink);
  const near = new NearMissLog(card.id, null, sink);
  const rows = new EvidenceRows();
  let last = 0;
  let largest = 0;

  const reset = (): void => {
    rows.clear();
    largest = 0;
  };

  return {
    ...hearing(['user', 'session_end'], (event, context) => {
      if (rows.total === 0) return;
      if (event.type === 'session_end' || isFromPerson(event)) {
        alert.clear(event.type === 'user' ? 'user_message' : 'session_end', event.at, event.source, context);
        reset();
      }
    }),
    onStep(step, context) {
      const size = sizeOf(step, context.agent);
      // a single answer for a whole batch is in the result of each call
      const isCopy = step.result.merged === true && step.exemption === 'batch_repeat';
      if (size < options.warn || isCopy) {
        near.reached(context, step.subject, size, options.warn, step.at, step.end);
        if (!alert.isOpen || step.index - last < NOT_BACK_STEPS) return;
        alert.clear('not_back', step.at, step.end, context);
        reset();
        return;
      }
      last = step.index;
      largest = Math.max(largest, size);
      const { spilledTo } = step.result;
      const first = rows.add(
        rowOf(
          step,
          spilledTo === undefined
            ? `${whole(size)} characters`
            : `${whole(size)} characters, kept by the agent in ${spilledTo}`,
        ),
      );
      alert.raise(
        {
          level: 'warn',
          count: largest,
          limit: options.warn,
          at: step.at,
          source: step.end,
          firstAt: first.at,
          first: first.source,
          evidence: rows.rows(),
          subject: step.subject,
          why:
            spilledTo === undefined
              ? `\`${step.subject}\` returned ${whole(size)} characters. The agent may not see all of it.`
              : `\`${step.subject}\` returned ${whole(size)} characters. The agent keeps the full text in a file; it may not see all of it.`,
          suggestion: 'Search the result or read a part of it, instead of reading all of it.',
          clears: [`only a hint: it is over after ${NOT_BACK_STEPS} steps without another large result`],
          lastSample: preview(step),
        },
        context,
      );
    },
  };
}

/**
 * Returns the number of characters that entered the context. A part that the agent's own harness cut off did not: the record holds what the model
 * received. In a generic transcript the recorder cuts, and `size` is the original size.
 */
function sizeOf({ result }: Step, agent: AgentId): number {
  if (result.spilledTo !== undefined) return result.output.length;
  return agent === 'generic' && result.size !== undefined ? result.size : fullLength(result.output);
}

function preview(step: Step): Sample {
  const text = readable(step.result.output);
  const kept = text.length > PREVIEW ? `${pieceOf(text, 0, PREVIEW)}…` : text;
  return { source: step.end, at: step.at, text: copied(kept), ignored: [] };
}
