import { fail } from '../../../base/util/result';
import { messageHindrance } from '../../decisions/reach';
import type { DraftedMessage } from '../sending';
import type { ActOptions, Case } from '../ports';
import type { Action, ActionParts } from './action';

/**
 * Hands the task to another session, or to a new terminal. Automatic mode cannot choose: it asks the agent to give up the call, and the person
 * chooses who takes over (`to` is null).
 */
export const reassign: Action = async (workshop, found, decision, options, number) => {
  const { parts, drafts, sending, starting, journal, follow } = workshop;
  const { incident, view } = found;
  const now = parts.clock.now();
  const prompt = options.text ?? drafts.prompt(found, 'reassign', options.automated, now);
  const to = options.automated ? null : options.to;
  if (to === undefined) return fail({ code: 'choose_target', message: 'Choose an idle agent or a new terminal.' });
  const task = { to, avoid: drafts.avoid(incident), prompt };
  const handedOver: DraftedMessage = { kind: 'reassign', text: drafts.handedOver(found, options.automated, now), task };
  const data = { to, avoid: task.avoid };

  if (to === null && options.automated) {
    const sent = await sending.attempt(found, decision, options, number, handedOver, data);
    if (!sent.ok) return sent;
    journal.asked(found, 'start_needs_person', { choose: 'reassign', avoid: task.avoid });
    await journal.planBlocked(view, incident);
    return sent;
  }
  if (to === null) {
    const fresh = { ...decision, start: { mode: 'fresh' as const } };
    const given = { ...options, text: prompt };
    const launched = starting.launch({ found, decision: fresh, options: given, checkpoint: null }, number);
    if (launched.ok) await askToGiveUp(workshop, found, handedOver.text, options);
    return launched;
  }
  const target = parts.engine.agent(to);
  if (!target) return fail({ code: 'choose_target', message: 'This session no longer exists.' });
  const draft: DraftedMessage = { kind: 'reassign', text: prompt, task };
  const sent = await sending.attempt(found, decision, options, number, draft, data, target);
  if (!sent.ok) return sent;
  follow({ incident: incident.id, message: sent.value.delivery.message.id, from: view, at: now, session: to });
  await askToGiveUp(workshop, found, handedOver.text, options);
  return sent;
};

/** The stuck agent gives the call up to the other one. It gets no message where none may be sent. */
async function askToGiveUp(
  { cases, sending, parts }: ActionParts,
  { view }: Case,
  text: string,
  { automated }: ActOptions,
): Promise<void> {
  if (messageHindrance(cases.messageSituation(view))) return;
  const sent = await sending.send(null, view, { kind: 'nudge', text }, automated);
  if (!sent.ok) parts.log.warn(sent.error.message);
}
