import type { AgentEvent, DetectorOptions, ErrorEvent } from '../../core/model';
import { PERSON } from '../../core/rules/common';
import { consecutiveFailures as card } from '../../core/rules/cards/consecutive-failures';
import { limitsOf } from '../../core/rules/limits';
import { EvidenceRows, Alert } from '../session/alert';
import type { DetectContext, DetectorSink } from '../session/detector';
import { NearMissLog } from '../session/near-misses';
import { addsSomething } from '../session/prompts';
import { maskedFingerprint } from '../sayings/mask';
import { snippetLine } from '../sayings/snippet';
import { isOutage } from '../sayings/service-errors';

const TOO_LONG = /too (?:long|large)|context (?:window|length)|maximum context|413/i;
const LOGIN = /log ?in|api key|unauthori[sz]ed|expired|401|authenticat/i;

/**
 * Rule `refused_request` of `consecutive_failures`: the service repeatedly refuses the same request because of the request itself: too long, an
 * unknown model, not allowed, an expired login. The refusal repeats until the request changes.
 */
export function createRefusedRequest(
  options: DetectorOptions,
  sink: DetectorSink,
): (event: AgentEvent, context: DetectContext) => void {
  const alert = new Alert(card, sink, 'refused-request');
  const near = new NearMissLog(card.id, 'refused_request', sink);
  const rows = new EvidenceRows();
  let said = 0;

  const refused = (event: ErrorEvent, context: DetectContext): void => {
    const { at, source, message } = event;
    // The size of the prompt grows with each attempt.
    const now = maskedFingerprint(message.replace(/\d+/g, '#'), true);
    if (now !== said) rows.clear();
    said = now;
    const first = rows.add({ source, at, subject: 'the model', text: snippetLine(message) });
    const { warn, stuck: limit } = limitsOf(card.rules.refused_request.shape, options);
    near.reached(context, snippetLine(message), rows.total, limit, at, source);
    // Its detector also counts steps for other rules, so it runs even when it is off.
    if (rows.total < warn || !options.on) return;
    alert.raise(
      {
        rule: 'refused_request',
        level: rows.total >= limit ? 'stuck' : 'warn',
        count: rows.total,
        limit,
        at,
        source,
        firstAt: first.at,
        first: first.source,
        evidence: rows.rows(),
        subject: 'the model',
        why: `The service refused the same request ${rows.total} times: ${snippetLine(message, 160)}`,
        suggestion: wayOut(message),
        clears: ['a request succeeds', PERSON],
      },
      context,
    );
  };

  return (event, context) => {
    switch (event.type) {
      case 'error':
        if (event.kind === 'api' && !isOutage(event)) refused(event, context);
        break;
      case 'assistant':
      case 'tool_call':
      case 'session_end':
        if (rows.total === 0) break;
        alert.clear(event.type === 'session_end' ? 'session_end' : 'success', event.at, event.source, context);
        rows.clear();
        break;
      case 'user':
        if (!addsSomething(event, context)) break;
        alert.clear('user_message', event.at, event.source, context);
        rows.clear();
        break;
      default:
    }
  };
}

function wayOut(message: string): string {
  if (TOO_LONG.test(message)) return 'The request is too long. Compact its context, or restart it with a summary.';
  if (LOGIN.test(message)) return 'Sign the agent in again, or give it a valid key.';
  return 'The service refuses the same request each time. Change the model, the key or the request.';
}
