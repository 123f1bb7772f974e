import { fail, ok } from '../../../base/util/result';
import { planOutlook } from '../../decisions/plan-items';
import { stopText } from '../../drafts/restart-prompt';
import { WAITED_FOR_MS, within } from '../checkpoint-time';
import { refOf } from '../starting';
import type { Action } from './action';

/**
 * Asks the agent to stop: through its chat in this window, or with a message. Does not count as an attempt. If the decision says so, its work is
 * saved first.
 */
export const stop: Action = async (workshop, found, decision, options, number) => {
  const { parts, cases, sending, journal, save } = workshop;
  const { automated, stillWanted } = options;
  const { incident, view } = found;
  if (decision.via === 'chat') {
    journal.did(incident, decision, 'stopping', { automated });
    return ok({ kind: 'cancel' });
  }
  const saved = decision.savesWork ? await save(found, within(WAITED_FOR_MS)) : null;
  if (stillWanted?.() === false) return fail({ code: 'not_possible', message: 'It is no longer needed.' });
  const text = options.text ?? stopText(incident, automated, parts.clock.now());
  const sent = await sending.send({ found, attempt: number }, view, { kind: 'stop', text }, automated);
  if (!sent.ok) return sent;
  journal.did(incident, decision, 'sent', {
    automated,
    message: sent.value.message.id,
    ...refOf(saved?.ok ? saved.value : null),
    ...(automated && {
      case: cases.caseOf(incident),
      root: cases.rootOf(incident.session),
      planItem: planOutlook(view.plan).stuckOn?.id ?? null,
    }),
  });
  return ok({ kind: 'sent', delivery: sent.value });
};
