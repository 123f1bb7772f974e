import { type Result, fail, ok } from '../../../base/util/result';
import type { SavedCheckpoint } from '../../checkpoint';
import { stopText } from '../../drafts/restart-prompt';
import { WAITED_FOR_MS, within } from '../checkpoint-time';
import type { ActFailure, ActOptions, Case } from '../ports';
import type { PlannedStart } from '../pending-starts';
import { refOf } from '../starting';
import type { Action, Outcome, ActionParts } from './action';

/** Starts the agent again: in a terminal or a chat, after its process has ended, or by its supervisor. */
export const restart: Action = async (workshop, found, decision, options, number) => {
  const wanted: PlannedStart = { found, decision, options, checkpoint: null };
  const ready = decision.via === 'supervisor' ? ok(wanted) : await workshop.starting.withProgram(wanted);
  if (!ready.ok) return ready;
  const saved = decision.savesWork ? await saveFirst(workshop, found, options) : ok(null);
  if (!saved.ok) return saved;
  if (options.stillWanted?.() === false) return fail({ code: 'not_possible', message: 'It is no longer needed.' });
  const start: PlannedStart = { ...ready.value, checkpoint: saved.value };
  switch (decision.via) {
    case 'terminal':
    case 'chat':
      return workshop.starting.launch(start);
    case 'terminal_after_stop':
      return endFirst(workshop, start, number);
    default:
      return bySupervisor(workshop, start, number);
  }
};

/** Saves the work in progress. Stops if something cannot be saved, unless automatic mode acts or the person agreed to continue without it. */
async function saveFirst(
  { save, parts }: ActionParts,
  found: Case,
  { automated, withoutCheckpoint }: ActOptions,
): Promise<Result<SavedCheckpoint | null, ActFailure>> {
  const saved = await save(found, within(WAITED_FOR_MS));
  if (saved.ok) return saved;
  const { code, message } = saved.error;
  if (code === 'clean' || code === 'not_a_work_tree' || code === 'no_git') return ok(null);
  parts.log.warn(`No checkpoint before the restart: ${message}`);
  return automated || withoutCheckpoint ? ok(null) : fail({ code: 'checkpoint', message });
}

/** Asks the process to end, and starts it again once it has ended. */
async function endFirst(workshop: ActionParts, start: PlannedStart, number: number): Outcome {
  const { parts, sending, later, journal } = workshop;
  const { found, decision, options } = start;
  const { view, incident } = found;
  const here = await parts.terminals.end(view);
  // An agent that no message can end can only be closed by its person.
  if (!here && parts.takes(view).includes('stop')) {
    const text = stopText(incident, options.automated, parts.clock.now());
    const sent = await sending.send({ found, attempt: number }, view, { kind: 'stop', text }, options.automated);
    if (!sent.ok) return sent;
  }
  later.add(view.session, { ...start, until: parts.clock.now() + parts.settings().expiryMs });
  const how = decision.start ?? { mode: 'fresh' };
  journal.did(incident, decision, 'stopping', { attempt: number, automated: options.automated, ...how });
  return ok({ kind: 'stopping', here });
}

async function bySupervisor(workshop: ActionParts, start: PlannedStart, number: number): Outcome {
  const { parts, sending, starting, follow } = workshop;
  const { found, decision, options, checkpoint } = start;
  const { view, incident } = found;
  const how = decision.start ?? { mode: 'fresh' };
  const kind = decision.do === 'escalate' ? 'escalate' : 'restart';
  const text = stopText(incident, options.automated, parts.clock.now());
  const draft = { kind, text, restart: { ...how, prompt: starting.promptFor(start) } } as const;
  const sent = await sending.attempt(found, decision, options, number, draft, { ...how, ...refOf(checkpoint) });
  if (!sent.ok) return sent;
  const session = how.mode === 'resume' ? view.session : undefined;
  follow({
    incident: incident.id,
    message: sent.value.delivery.message.id,
    from: view,
    at: parts.clock.now(),
    session,
  });
  return sent;
}
