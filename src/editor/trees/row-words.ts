import {
  type AgentState,
  type AgentView,
  type Delivery,
  type Incident,
  attemptsOf,
  needOf,
  standingOf,
} from '../../core/model';
import { age, cutWords, elapsed } from '../../core/words/format';
import { plain, withCode } from '../../core/words/parts';
import { signsInLine } from '../../base/util/showable';
import {
  deliveryInShort,
  longestWait,
  gatesSentence,
  HINT_LOOK,
  LIMIT_LOOK,
  type RepeatFacts,
  ruleInShort,
  runWords,
  stateLook,
  type StateLook,
  stateLine,
  stateSentence,
  treeDescription,
  type Watch,
  type WhyFacts,
  whyInShort,
} from '../../core/words';

/** Returns the gravest incident in short, otherwise the newest hint, as the mark on a working agent's row. */
export function hintOf(view: AgentView, now: number): string | undefined {
  if (view.state.kind !== 'working') return undefined;
  const incident = view.incidents.find((one) => one.state !== 'muted') ?? view.hints[0];
  if (!incident) return undefined;
  const { detector, rule, count, firstAt, subject } = incident;
  return ruleInShort(detector, rule, count, age(now - firstAt), subject);
}

export function lookOf(view: AgentView, now: number): StateLook {
  if (view.usageLimit && standingOf(view) === 'over_limits') return LIMIT_LOOK;
  return hintOf(view, now) === undefined ? stateLook(view.state) : HINT_LOOK;
}

/** Returns the facts for the few words that say why it is in its place. */
export function whyFactsOf(view: AgentView, now: number, watch?: Watch): WhyFacts {
  const incident = view.incidents.find((one) => one.state !== 'muted');
  const { doing, usageLimit, gates } = view;
  return {
    state: shownState(view.state),
    now,
    ...(doing && { doing: { ...doing, subject: signsInLine(doing.subject) } }),
    ...(incident && { repeat: repeatOf(incident) }),
    ...(usageLimit && { usageLimit }),
    ...(watch && { watch }),
    ...(gates && { gates: gatesSentence(gates) }),
  };
}

function repeatOf({ detector, rule, count, firstAt, subject, level }: Incident): RepeatFacts {
  return { detector, rule, count, firstAt, subject: signsInLine(subject), isStuck: level === 'stuck' };
}

/** Shortens the texts from agents in a state to one line each. */
function shownState(state: AgentState): AgentState {
  const { question, error, calls, missed } = state;
  return {
    ...state,
    ...(question !== undefined && { question: signsInLine(question) }),
    ...(error !== undefined && { error: signsInLine(error) }),
    ...(missed && { missed: { ...missed, subject: signsInLine(missed.subject) } }),
    ...(calls && { calls: calls.map((call) => ({ ...call, subject: signsInLine(call.subject) })) }),
  };
}

/** Maximum length of the reason on a row. The tooltip has the complete reason. */
const WHY = 120;

/** Says in a few words why the agent is in its place and what it wants. */
export function whyOf(view: AgentView, now: number, watch?: Watch): string {
  return cutWords(whyInShort(whyFactsOf(view, now, watch)), WHY);
}

/** Returns whether a row shows its reason in a line of its own: in the groups *Needs you* and *Stuck*. */
export function hasWhyLine(view: AgentView): boolean {
  const need = needOf(standingOf(view));
  return need === 'needs_you' || need === 'stuck';
}

/**
 * Returns the label of an agent's row: the title, in *Needs you* and *Stuck* preceded by its age: `6 min · Fix the build`. A narrow list cuts the end
 * of a label, and never shows what follows it.
 */
export function rowLabel(view: AgentView, now: number): string {
  const since = sinceOf(view, now);
  return since === '' ? view.title : `${since} · ${view.title}`;
}

function sinceOf(view: AgentView, now: number): string {
  return hasWhyLine(view) && view.state.kind !== 'recovering' ? elapsed(now - view.state.since) : '';
}

/**
 * Returns the description of an agent's row: since when, if its label does not say it, or what is happening.
 *
 * @param place where it works; empty if that does not distinguish it from others in its group
 * @param context how full its context is; empty if that is not worth showing
 */
export function rowDescription(view: AgentView, now: number, place: string, context = ''): string {
  const { state } = view;
  const why = hintOf(view, now) ?? whyOf(view, now);
  const asks = state.kind === 'waiting' && standingOf(view) === 'your_turn' ? why : '';
  const run = view.run ? runWords(view.run) : '';
  const activity = sinceOf(view, now) === '' ? treeDescription(state, now, why) : '';
  return [run, activity, context, place, asks].filter((part) => part !== '').join(' · ');
}

/** Returns one line with everything, for places without groups: `Fix the build: stuck for 8 min, same result 31 times: npm test`. */
export function lineOf(view: AgentView, now: number): string {
  return `${view.title}: ${stateLine(view.state, hintOf(view, now) ?? whyOf(view, now), now)}`;
}

/** Returns the sentence of the tooltip. */
export function sentenceOf(view: AgentView, now: number, watch: Watch | undefined): string {
  const incident = view.incidents[0];
  const sentence = stateSentence({
    state: shownState(view.state),
    now,
    coverage: view.coverage,
    ran: view.health.lastEventAt - view.health.startedAt,
    ...(view.gates && { gates: gatesSentence(view.gates) }),
    ...(incident && { explanation: withCode(signsInLine(incident.why)), attempts: attemptsOf(incident) }),
    ...(view.doing && { doing: { ...view.doing, subject: signsInLine(view.doing.subject) } }),
    ...(watch && { watch }),
    ...(view.health.lastNewAt !== undefined && { lastNewAt: view.health.lastNewAt }),
  });
  return plain(sentence);
}

export function deliveryWords(view: AgentView, delivery: Delivery, connected: boolean): string {
  return deliveryInShort({
    kind: delivery.message.kind,
    state: delivery.state,
    times: delivery.times,
    watched: 0,
    connected,
    agentName: view.agentName,
    expiry: longestWait(delivery.message),
    ...(delivery.onTheWay && { onTheWay: delivery.onTheWay }),
    ...(view.machine && { machine: view.machine.name }),
    ...(delivery.outcome && { outcome: delivery.outcome }),
    ...(delivery.reason && { reason: delivery.reason }),
  });
}
