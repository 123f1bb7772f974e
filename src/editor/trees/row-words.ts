import { type AgentView, type Delivery, type Incident, attemptsOf, standingOf } from '../../core/model';
import { age, cutWords } from '../../core/words/format';
import { plain, withCode } from '../../core/words/parts';
import { signsInLine } from '../../base/util/showable';
import {
  deliveryInShort,
  type DoingFacts,
  doingInShort,
  expiryOf,
  gatesSentence,
  HINT_LOOK,
  type IncidentFacts,
  LIMIT_LOOK,
  ruleInShort,
  stateLook,
  type StateLook,
  stateSentence,
  treeDescription,
  type Watch,
} from '../../core/words';

/** The gravest incident in short, else the newest hint, as the mark on a working agent's row. */
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

/** Facts for the words about its doing. */
export function doingFactsOf(view: AgentView, now: number, watch: Watch | undefined): DoingFacts {
  const incident = view.incidents.find((one) => one.state !== 'muted');
  const { detector = null, rule = null, count = 0, firstAt = 0 } = incident ?? {};
  return {
    state: { ...view.state, ...(view.state.question !== undefined && { question: signsInLine(view.state.question) }) },
    now,
    ...(view.doing && { doing: { ...view.doing, subject: signsInLine(view.doing.subject) } }),
    ...(incident && detector && { repeat: { detector, rule, count, firstAt, subject: signsInLine(incident.subject) } }),
    ...(view.usageLimit && { usageLimit: view.usageLimit }),
    ...(watch && { watch }),
    ...(view.gates && { gates: gatesSentence(view.gates) }),
  };
}

/** Longest reason that a row gives; all of it stands in the tooltip. */
const WHY = 60;

/** Why it stands where it stands, for agents that somebody should look at; empty for the others. */
export function whyOf(view: AgentView, now: number): string {
  switch (standingOf(view)) {
    case 'needs_you':
    case 'stuck':
    case 'stalled':
      return cutWords(doingInShort(doingFactsOf(view, now, undefined)), WHY);
    case 'over_limits':
      return view.usageLimit ? cutWords(doingInShort(doingFactsOf(view, now, undefined)), WHY) : '';
    case 'not_monitored':
    case 'recovering':
    case 'working':
    case 'your_turn':
    case 'finished':
      return '';
  }
}

/** The description of an agent's row, the most urgent first, because rows are narrow: its state and age, where it works, why. */
export function rowDescription(view: AgentView, now: number, place: string): string {
  const isLimited = view.usageLimit !== undefined && standingOf(view) === 'over_limits';
  const state = isLimited
    ? `usage limit ${age(now - view.usageLimit.since)}`
    : treeDescription(view.state, view.agentName, now, hintOf(view, now));
  // An agent that works says its name only for want of anything else: where it works tells more.
  const isNamed = state === view.agentName;
  return [...(isNamed ? [place, state] : [state, place]), whyOf(view, now)].filter((part) => part !== '').join(' · ');
}

/** The tooltip's sentence. */
export function sentenceOf(view: AgentView, now: number, watch: Watch | undefined): string {
  const incident = view.incidents[0];
  const sentence = stateSentence({
    state: view.state,
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

export function deliveryOf(view: AgentView, delivery: Delivery, connected: boolean): string {
  return deliveryInShort({
    kind: delivery.message.kind,
    state: delivery.state,
    times: delivery.times,
    watched: 0,
    connected,
    agentName: view.agentName,
    expiry: expiryOf(delivery.message),
    ...(delivery.onTheWay && { onTheWay: delivery.onTheWay }),
    ...(view.machine && { machine: view.machine.name }),
    ...(delivery.outcome && { outcome: delivery.outcome }),
    ...(delivery.reason && { reason: delivery.reason }),
  });
}

export function factsOf(incident: Incident): IncidentFacts {
  return {
    state: incident.state,
    level: incident.level,
    detector: incident.detector,
    rule: incident.rule,
    subject: signsInLine(incident.subject),
    count: incident.count,
    firstAt: incident.firstAt,
    resolvedAt: incident.resolvedAt,
    cleared: incident.cleared,
    outcome: incident.outcome,
    attempts: attemptsOf(incident),
  };
}
