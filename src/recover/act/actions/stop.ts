import { ok } from '../../../base/util/result';
import type { Action } from './action';

/** Asks the agent to stop: by its chat of this window, or by a message. Counts as no attempt. */
export const stop: Action = async ({ parts, drafts, sending, journal }, found, decision, options, number) => {
  const { automated } = options;
  if (decision.via === 'chat') {
    journal.did(found.incident, decision, 'stopping', { automated });
    return ok({ kind: 'cancel' });
  }
  const text = options.text ?? drafts.stop(found, automated, parts.clock.now());
  const sent = await sending.send({ found, attempt: number }, found.view, { kind: 'stop', text }, automated);
  if (!sent.ok) return sent;
  journal.did(found.incident, decision, 'sent', { automated, message: sent.value.message.id });
  return ok({ kind: 'sent', delivery: sent.value });
};
