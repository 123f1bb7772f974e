import { fail } from '../../../base/util/result';
import { blockText } from '../../drafts/block-call';
import type { Action } from './action';

/** Sends the agent a message about its incident. */
export const nudge: Action = async ({ parts, drafts, sending, journal }, found, decision, options, number) => {
  const text = options.text ?? drafts.nudge(found, options.automated, parts.clock.now(), decision.split);
  const sent = await sending.attempt(found, decision, options, number, { kind: 'nudge', text });
  if (sent.ok) await journal.planBlocked(found.view, found.incident);
  return sent;
};

/** Has the agent's repeating call refused, once. */
export const block: Action = async ({ cases, sending }, found, decision, options, number) => {
  const call = cases.callOf(found.incident);
  if (!call) return fail({ code: 'not_possible', message: 'The exact text of the repeated call is not known.' });
  const text = options.text ?? blockText(found.incident, options.automated);
  const draft = { kind: 'block' as const, text, call: { name: call.name, args: call.args } };
  return sending.attempt(found, decision, options, number, draft, { call: found.incident.subject });
};
