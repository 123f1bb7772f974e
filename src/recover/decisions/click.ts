import { isActive, isTurnOver, type RecoveryAction, type RungKind } from '../../core/model';
import { REASON_TEXTS, type Decision, type NothingReason, type RecoveryFacts } from './decision';
import { type Rung, rungOf } from '../ladder';
import { planOutlook } from './plan-items';
import { isOver, messageHindrance } from './reach';
import { isHindered, startOnRung, startVia } from './start';
import { strategyOf } from '../strategy';

/** A person's choice: an action of a menu, or a rung of the ladder by its number. */
export type Choice = { readonly action: RecoveryAction } | { readonly rung: number };

const RUNG_OF: Readonly<Record<RecoveryAction, RungKind | null>> = {
  nudge: 'feedback',
  split: 'feedback',
  resume: 'feedback',
  fresh: 'fresh',
  next_model: 'next_model',
  top_model: 'top_model',
  fork: null,
  reassign: 'next_model',
  stop: null,
  checkpoint: null,
  block: 'feedback',
  ask: 'ask',
};

const ACTION_OF: Readonly<Record<RungKind, RecoveryAction | null>> = {
  as_is: null,
  feedback: 'nudge',
  fresh: 'fresh',
  next_model: 'next_model',
  top_model: 'top_model',
  ask: 'ask',
};

/** Returns the action of a rung; null if the agent continues as it is. */
export function actionOf(kind: RungKind): RecoveryAction | null {
  return ACTION_OF[kind];
}

/** Decides the effect of a click now. Clicks may take any rung; limits are for unattended actions. */
export function decideClick(facts: RecoveryFacts, choice: Choice): Decision {
  if ('action' in choice) {
    const kind = RUNG_OF[choice.action];
    return act(facts, choice.action, kind === null ? undefined : rungOf(facts.ladder, kind));
  }
  const rung = facts.ladder.find((one) => one.number === choice.rung);
  if (!rung) return nothing('no_such_rung', null);
  const action = ACTION_OF[rung.kind];
  return action === null ? nothing('as_is', rung) : act(facts, action, rung);
}

function act(facts: RecoveryFacts, action: RecoveryAction, rung: Rung | undefined): Decision {
  const { agent, incident, callKnown } = facts;
  const on = rung ?? null;
  if (!agent.trusted) return nothing('untrusted', on);
  switch (action) {
    case 'nudge':
    case 'split': {
      const hindered = messageHindrance(agent) ?? (isNudgeQueued(facts) ? 'nudge_queued' : null);
      if (hindered) return nothing(hindered, on);
      const { smaller } = planOutlook(agent.plan);
      if (action === 'split' && !smaller) return nothing('no_smaller_step', on);
      return { ...does('nudge', on), ...(action === 'split' && { split: true }) };
    }
    case 'resume':
    case 'fork':
      return start(facts, { mode: action }, on);
    case 'fresh':
      return start(facts, { mode: 'fresh' }, on);
    case 'next_model':
    case 'top_model': {
      const form = startOnRung(action, facts);
      return isHindered(form) ? nothing(form.hindered, on, form.text) : start(facts, form, on);
    }
    case 'reassign':
      return agent.inFolder ? does('reassign', on) : nothing('no_folder', on);
    case 'stop':
      if (isOver(agent)) return nothing('finished', on);
      if (!agent.inFolder) return nothing('no_folder', on);
      if (agent.inChat)
        return isTurnOver(agent.waitingFor) ? nothing('turn_ended', on) : { ...does('stop', on), via: 'chat' };
      return agent.takes.includes('stop') || agent.supervised ? does('stop', on) : nothing('not_connected', on);
    case 'checkpoint':
      return agent.inFolder ? does('checkpoint', on) : nothing('no_folder', on);
    case 'block': {
      const hindered = messageHindrance(agent);
      if (hindered) return nothing(hindered, on);
      if (incident.certainty === 'guessed') return nothing('only_counted_loops', on);
      if (!callKnown) return nothing('no_call', on);
      return agent.takes.includes('block') ? does('block', on) : nothing('not_connected', on);
    }
    case 'ask':
      if (incident.state === 'escalated') return nothing('already_asked', on);
      return isActive(incident.state) ? does('ask', on) : nothing('over', on);
  }
}

/** True even for a nudge that another window sent: a second one would say the same. While a person has the agent interrupted, none expires. */
function isNudgeQueued({ incident, agent, messageExpiryMs, now }: RecoveryFacts): boolean {
  const isHeld = agent.state.interrupted === true;
  return incident.attempts.some(
    ({ kind, state, at }) => kind === 'nudge' && state === 'queued' && (isHeld || now - at < messageExpiryMs),
  );
}

function start(facts: RecoveryFacts, form: NonNullable<Decision['start']>, rung: Rung | null): Decision {
  const via = startVia(form, facts);
  if (isHindered(via)) return nothing(via.hindered, rung, via.text);
  const escalates = form.model !== undefined || form.thinking !== undefined;
  return {
    ...does(escalates ? 'escalate' : 'restart', rung),
    start: form,
    ...via,
    // A restart ends a process that may be in the middle of a change; the question before it promises that the work can be restored.
    savesWork: facts.agent.liveness !== 'gone' || strategyOf(facts.incident).savesWork,
  };
}

function does(what: Decision['do'], rung: Rung | null): Decision {
  return { do: what, reason: 'clicked', text: REASON_TEXTS.clicked, rung };
}

function nothing(reason: NothingReason, rung: Rung | null, text: string = REASON_TEXTS[reason]): Decision {
  return { do: 'nothing', reason, text, rung };
}
