import { fail } from '../../../base/util/result';
import type { Decision } from '../../decisions/decision';
import { messageHindrance } from '../../decisions/reach';
import { avoidList } from '../../drafts/approaches';
import type { DraftedMessage } from '../sending';
import type { ActOptions, Case } from '../ports';
import type { Action, ActionParts } from './action';

/**
 * Hands the task to another session, or to a new terminal; the stuck agent is told to leave it once the other one has it. Automatic mode cannot
 * choose: it asks the agent to set the call aside, and the person to choose who takes over.
 */
export const reassign: Action = async (workshop, found, decision, options, number) => {
  const { parts, drafts, sending, starting, journal, follow } = workshop;
  const { incident, view } = found;
  const now = parts.clock.now();
  const prompt = options.text ?? drafts.prompt(found, 'reassign', options.automated, now);
  const avoid = avoidList(incident);

  if (options.automated) {
    const aside: DraftedMessage = { kind: 'nudge', text: drafts.leaveIt(found, 'set_aside', options.automated, now) };
    const nudges: Decision = { ...decision, do: 'nudge', rung: null };
    const sent = await sending.attempt(found, nudges, options, number, aside, { avoid });
    if (!sent.ok) return sent;
    journal.asked(found, 'start_needs_person', { choose: 'reassign', avoid });
    await journal.planBlocked(view, incident);
    return sent;
  }
  const { to } = options;
  if (to === undefined) return fail({ code: 'choose_target', message: 'Choose an idle agent or a new terminal.' });
  const whenTaken = () => void tellItIsTaken(workshop, found, options);
  if (to === null) {
    const fresh: Decision = { ...decision, start: { mode: 'fresh' } };
    const given = { ...options, text: prompt };
    const ready = await starting.withProgram({ found, decision: fresh, options: given, checkpoint: null });
    return ready.ok ? starting.launch(ready.value, whenTaken) : ready;
  }
  const target = parts.engine.agent(to);
  if (!target) return fail({ code: 'choose_target', message: 'This session no longer exists.' });
  const draft: DraftedMessage = { kind: 'reassign', text: prompt, task: { to, avoid, prompt } };
  const sent = await sending.attempt(found, decision, options, number, draft, { to, avoid }, target);
  if (sent.ok) {
    const { id } = sent.value.delivery.message;
    follow({ incident: incident.id, message: id, from: view, at: now, session: to, whenTaken });
  }
  return sent;
};

/** Tells the stuck agent to leave the call to the one that took it. It gets no message if none may be sent. */
async function tellItIsTaken(
  { cases, drafts, sending, parts }: ActionParts,
  found: Case,
  { automated }: ActOptions,
): Promise<void> {
  const view = parts.engine.agent(found.view.session) ?? found.view;
  if (messageHindrance(cases.messageSituation(view))) return;
  const text = drafts.leaveIt(found, 'taken', automated, parts.clock.now());
  const sent = await sending.send(null, view, { kind: 'nudge', text }, automated);
  if (!sent.ok) parts.log.warn(sent.error.message);
}
