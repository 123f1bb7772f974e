import { type AgentView, type Delivery, type Incident, attemptsOf } from '../../model';
import { age } from '../../words/format';
import { plain, withCode } from '../../words/parts';
import { signsInLine } from '../../util/showable';
import {
  HINT_LOOK,
  type IncidentFacts,
  type StateLook,
  type Watch,
  deliveryInShort,
  expiryOf,
  gatesSentence,
  ruleInShort,
  stateLook,
  stateSentence,
} from '../../words';

/** The gravest incident in short, as the mark on a working agent's row. */
export function hintOf(view: AgentView, now: number): string | undefined {
  const incident = view.state.kind === 'working' ? view.incidents.find((one) => one.state !== 'muted') : undefined;
  if (!incident) return undefined;
  const { detector, rule, count, firstAt, subject } = incident;
  return ruleInShort(detector, rule, count, age(now - firstAt), subject);
}

export function lookOf(view: AgentView, now: number): StateLook {
  return hintOf(view, now) === undefined ? stateLook(view.state) : HINT_LOOK;
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
    ...(delivery.outcome && { outcome: delivery.outcome }),
    ...(delivery.reason && { reason: delivery.reason }),
  });
}

export function factsOf(incident: Incident): IncidentFacts {
  return {
    state: incident.state,
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
