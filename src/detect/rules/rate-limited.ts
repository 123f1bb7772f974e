import type { ClearingReason, DetectorOptions, Evidence, Source } from '../../core/model';
import { rateLimited as card } from '../../core/rules/cards/rate-limited';
import { limitsOf } from '../../core/rules/limits';
import { PERSON } from '../../core/rules/common';
import { EvidenceRows, Alert, rowOf } from '../session/alert';
import type { DetectContext, Detector, DetectorDefinition, DetectorSink } from '../session/detector';
import type { Step } from '../steps/step';
import { age } from '../../core/words/format';
import { NearMissLog } from '../session/near-misses';
import { snippetLine } from '../sayings/snippet';
import { isOutage } from '../sayings/service-errors';
import { isFromPerson } from '../steps/step-builder';

/** Phrases with which services report, in the text of a failing tool, that they are overloaded, out of quota or unreachable. */
const REFUSED =
  /\b(?:HTTP(?:\/[\d.]+)? ?|status(?: code)?:? ?|error:? ?|code:? ?)(?:429|502|503|504|529)\b|\b429 too many requests\b|\brate[- _]?limit(?:ed|s|ing)?\b|\btoo many requests\b|\bquota (?:exceeded|exhausted)\b|\bRESOURCE_EXHAUSTED\b|\boverloaded\b|\b(?:service|temporarily) unavailable\b|\b(?:ECONNREFUSED|ECONNRESET|ETIMEDOUT|EAI_AGAIN|ENETUNREACH)\b|\bcould not resolve host\b/i;
/** Phrases with which a tool reports that something on which it depends is gone: its program, or an agent that signs for it. */
const INFRASTRUCTURE =
  /\bcommand not found\b|\bspawn \S{1,200} ENOENT\b|\bis not recognized as an internal or external command\b|\bNo such file or directory: '?[\w./-]{1,200}(?:chrome|chromium|node|python|git|docker)\b|\bagent refused operation\b|\bsigning failed\b|\bcommunication with agent failed\b|\b(?:gpg|ssh) failed to sign\b|\bcannot connect to the docker daemon\b|\bno space left on device\b/i;
/** Number of errors of one session that are counted. */
const ERRORS = 32;
/** Number of characters of a failing result in which these are searched for: how a call ended is at its beginning or end. */
const LOOKED_AT = 400;

/**
 * Detects requests that are refused in a row, by the model's service or by one that a tool needs. An outage differs from a loop: nothing in the work
 * is wrong, and only waiting helps.
 */
export const rateLimited: DetectorDefinition = { id: card.id, create };

function create(options: DetectorOptions, sink: DetectorSink): Detector {
  const alert = new Alert(card, sink);
  const near = new NearMissLog(card.id, null, sink);
  const rows = new EvidenceRows();
  const infrastructure = createInfrastructure(options, sink);
  let tokensAtFirst = 0;

  const end = (reason: ClearingReason, at: number, source: Source, context: DetectContext): void => {
    if (rows.total === 0) return;
    alert.clear(reason, at, source, context);
    rows.clear();
  };

  const refused = (row: Omit<Evidence, 'role'>, retryInMs: number | undefined, context: DetectContext): void => {
    if (rows.total === 0) tokensAtFirst = context.totalTokens;
    const first = rows.add(row);
    const source = row.end ?? row.source;
    near.reached(context, row.text, rows.total, options.warn, row.at, source);
    if (rows.total < options.warn) return;
    const said = snippetLine(row.text);
    const retry = retryInMs === undefined ? '' : ` The agent retries on its own in ${age(retryInMs)}.`;
    alert.raise(
      {
        level: 'warn',
        count: rows.total,
        limit: options.warn,
        at: row.at,
        source,
        firstAt: first.at,
        first: first.source,
        evidence: rows.rows(),
        subject: row.subject,
        why: `${rows.total} requests in a row were refused: ${said}${/[.!?…]$/.test(said) ? '' : '.'}${retry}`,
        suggestion: 'Wait before the next request. Nothing is wrong with the work.',
        clears: ['a request succeeds', PERSON],
        tokensAtFirst,
      },
      context,
    );
  };

  return {
    onEvent(event, context) {
      switch (event.type) {
        case 'error':
          if (isOutage(event)) {
            const { source, at, message } = event;
            refused({ source, at, subject: 'the model', text: message }, event.retryInMs, context);
          }
          break;
        case 'assistant':
        case 'tool_call':
          // the model answers again; a refused tool shows in its result
          if (rows.last?.step === undefined) end('success', event.at, event.source, context);
          break;
        case 'user':
          if (!isFromPerson(event)) break;
          end('user_message', event.at, event.source, context);
          infrastructure.end('user_message', event.at, event.source, context);
          break;
        case 'session_end':
          end('session_end', event.at, event.source, context);
          infrastructure.end('session_end', event.at, event.source, context);
          break;
        default:
      }
    },
    onStep(step, context) {
      if (!step.counted) return;
      infrastructure.step(step, context);
      if (saysRefused(step)) {
        refused(rowOf(step), undefined, context);
      } else if (rows.last?.step !== undefined && step.kind !== 'plan') {
        end('success', step.at, step.end, context);
      }
    },
  };
}

/**
 * Detects one infrastructure error of one tool repeatedly in a session, whatever is in between: its program is gone, a signing agent is silent.
 * Nothing the agent does changes it, so a person has to act.
 */
function createInfrastructure(options: DetectorOptions, sink: DetectorSink) {
  const alert = new Alert(card, sink, 'infrastructure');
  /** Errors by tool and text; at most `ERRORS`. */
  const seen = new Map<string, { readonly rows: EvidenceRows; message: number }>();
  let open = '';

  const part = {
    step(step: Step, context: DetectContext): void {
      if (!step.failed) {
        if (alert.isOpen && step.call.name === open.slice(0, open.indexOf(' ')))
          part.end('success', step.at, step.end, context);
        return;
      }
      const { output } = step.result;
      const found = INFRASTRUCTURE.exec(
        output.length > LOOKED_AT * 2 ? output.slice(0, LOOKED_AT) + output.slice(-LOOKED_AT) : output,
      );
      if (!found) return;
      const key = `${step.call.name} ${step.error || found[0]}`;
      const known = seen.get(key) ?? { rows: new EvidenceRows(), message: -1 };
      // Calls of one message are one attempt: none of them could know about the others.
      if (known.message === step.message) return;
      known.message = step.message;
      if (seen.size < ERRORS) seen.set(key, known);
      const { rows } = known;
      const { end, at, subject, text } = step;
      const first = rows.add(rowOf(step));
      const { warn: limit } = limitsOf(card.shapes.infrastructure, options);
      if (rows.total < limit) return;
      open = key;
      alert.raise(
        {
          level: 'warn',
          certainty: 'counted',
          count: rows.total,
          limit,
          at,
          source: end,
          firstAt: first.at,
          first: first.source,
          evidence: rows.rows(),
          subject,
          situations: ['infrastructure'],
          why: `${rows.total} calls failed with the same infrastructure error: ${text}`,
          suggestion: 'Fix this yourself: the agent cannot repair what its tool depends on.',
          clears: ['this tool succeeds', PERSON],
        },
        context,
      );
    },
    end(reason: ClearingReason, at: number, source: Source, context: DetectContext): void {
      alert.clear(reason, at, source, context);
    },
  };
  return part;
}

/** Returns whether a call failed because a service refused it. Commands whose output merely mentions such errors do not count. */
export function saysRefused(step: Step): boolean {
  if (!step.failed) return false;
  const { output } = step.result;
  if (output.length <= LOOKED_AT * 2) return REFUSED.test(output);
  return REFUSED.test(output.slice(0, LOOKED_AT)) || REFUSED.test(output.slice(-LOOKED_AT));
}
