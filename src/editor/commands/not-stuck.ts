import { type IncidentInput, next, notStuck } from '../../detect/incident';
import type { FeedbackEntry, Incident, NotStuck } from '../../core/model';
import { presentable } from '../../base/util/redact';
import { signsInLine } from '../../base/util/showable';
import { notStuckSaid, ruleName } from '../../core/words';
import { contestable } from '../notifications/feedback';
import type { Services } from '../services';
import type { CommandParts } from './parts';
import { type Argument, pickedIncident, pickHere } from './pick';
import { inform, pickOne } from '../voice';

/** *Not Stuck*: closes an incident, and silences its rule about this call until the count has doubled. */
export async function sayNotStuck(parts: CommandParts, argument: Argument): Promise<void> {
  const given = pickedIncident(argument) ?? (await pickContestable(parts, argument));
  if (!given) return;
  const { engine, feedback, now } = parts.services;
  // The history stores the subject without secrets, but the digest is of the original call.
  const incident = engine.session(given.session)?.book.get(given.id) ?? given;
  const one = notStuck(incident, presentable(signsInLine(incident.subject)), now());
  const said: IncidentInput = { type: 'not_stuck', at: one.at };
  await change(parts.services, incident, said);
  await feedback.add(one);
  log(parts.services, one, 'not_stuck', one.at);
  const answer = await inform(notStuckSaid(one), 'Undo');
  if (answer === 'Undo') await undoNotStuck(parts, next(incident, said));
}

/** *Undo Not Stuck*: the rule reports the call of this incident as before. */
export async function undoNotStuck({ services }: CommandParts, argument: Argument): Promise<void> {
  const incident = pickedIncident(argument);
  if (!incident) return;
  const at = services.now();
  await change(services, incident, { type: 'take_back', at });
  for (const one of services.feedback.list().filter((said) => said.incident === incident.id)) {
    await services.feedback.remove(one);
    log(services, one, 'taken_back', at);
  }
}

/** Changes an incident that is no longer followed, in the history only. */
async function change({ engine, store }: Services, incident: Incident, input: IncidentInput): Promise<void> {
  if (!engine.changeIncident(incident.id, input)) await store.save(next(incident, input));
}

async function pickContestable(parts: CommandParts, argument: Argument): Promise<Incident | undefined> {
  const view = await pickHere(parts, argument, 'Which agent is not stuck?');
  if (!view) return undefined;
  const incidents = contestable(view.incidents);
  if (incidents.length === 0) void inform('This agent has no open incident.');
  if (incidents.length <= 1) return incidents[0];
  const items = incidents.map((incident) => ({
    label: incident.subject,
    description: ruleName(incident.detector, incident.rule),
    incident,
  }));
  return (await pickOne(items, { placeHolder: 'Which of these is wrong?' }))?.incident;
}

/** Writes a person's verdict on a rule, or its withdrawal, to the event log, from which the folder's other windows read it. */
function log({ store, log: channel }: Services, one: NotStuck, action: FeedbackEntry['action'], t: number): void {
  const { incident, session, agent, detector, rule, call, subject, folder, count, limit } = one;
  const name = rule === null ? detector : `${detector}/${rule}`;
  const message = `${name}: ${subject}${action === 'not_stuck' ? `, quiet below ${limit}` : ''}`;
  const data = {
    action,
    detector,
    rule,
    call,
    subject,
    count,
    limit,
    message,
    ...(folder !== undefined && { folder }),
  };
  store
    .appendEvent({ t, type: 'Feedback', session, agent, incident, data })
    .catch((error: unknown) => channel.warn(`the event log could not be written: ${String(error)}`));
}
