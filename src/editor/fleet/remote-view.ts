import {
  type FleetAgent,
  type FleetAgentId,
  type FleetMachine,
  type SentMessage,
  type SendingStep,
  sessionKey,
} from '../../fleet';
import type { AgentView, Delivery, DeliveryState, Incident, Machine, MachineAct } from '../../core/model';
import { refusalWords } from '../../core/words';

/** Longest time that a message waits to be taken if its machine does not report it, milliseconds. */
const EXPIRY_MS = 10 * 60_000;

/** Returns the key of an agent of another machine in this window. No session of this machine has a key of this form. */
export function remoteKeyOf({ machine, key }: FleetAgentId): string {
  return `${PREFIX}${machine}/${key}`;
}

const PREFIX = 'machine/';

export function isRemoteKey(session: string): boolean {
  return session.startsWith(PREFIX);
}

export function machineOf({ name, presence, lastSeenAt }: FleetMachine): Machine {
  return { name, presence, lastSeenAt };
}

/** Facts about an agent in addition to those that its machine sent. */
export interface RemoteFacts {
  readonly machine: FleetMachine;
  readonly accepts: readonly MachineAct[];
  /** This window's messages to this agent, oldest first. */
  readonly sendings: readonly SentMessage[];
}

/** Returns the view of an agent of another machine for the lists and the panel: under a key of its own, with the messages on their way to it. */
export function remoteView(agent: FleetAgent, { machine, accepts, sendings }: RemoteFacts): AgentView {
  const { view } = agent;
  const session = remoteKeyOf(agent);
  const { presence, lastSeenAt } = machine;
  return {
    ...view,
    session,
    ...(view.parent !== undefined && { parent: remoteKeyOf({ machine: agent.machine, key: sessionKey(view.parent) }) }),
    machine: { ...machineOf(machine), accepts },
    // Its last known state may not be its present one.
    state:
      presence === 'live' || view.state.kind === 'finished'
        ? view.state
        : { kind: 'not_monitored', since: lastSeenAt, lost: presence },
    incidents: view.incidents.map((incident) => remoteIncident(incident, view, session)),
    deliveries: deliveriesOf(view, sendings).map((delivery) => withIncident(delivery, view.incidents)),
  };
}

/** Returns an incident of another machine. A notification that was shown there says nothing about here. */
export function remoteIncident(
  incident: Incident,
  { title, agentName, cwd }: Pick<AgentView, 'title' | 'agentName' | 'cwd'>,
  session: string,
): Incident {
  const { detector, rule, firstLine } = incident;
  // A restarted relay gives the incident another id. This key still lets it be notified only once.
  const key = `${detector}:${rule ?? ''}:${firstLine}`;
  return { ...incident, key, session, title, agentName, notified: false, ...(cwd !== undefined && { folder: cwd }) };
}

/** Merges its machine's record of its messages with those of this window that are further along or not known there yet. */
function deliveriesOf(view: AgentView, sendings: readonly SentMessage[]): readonly Delivery[] {
  const mine = new Map(sendings.map((sending) => [sending.id, sending]));
  const known = view.deliveries.map((delivery) => {
    const sending = mine.get(delivery.message.id);
    mine.delete(delivery.message.id);
    return withExpiry(sending ? further(delivery, remoteDelivery(view, sending)) : delivery);
  });
  return [...known, ...[...mine.values()].map((sending) => remoteDelivery(view, sending))];
}

/** A record does not say what a message was about; the incident lists the messages about it. */
function withIncident(delivery: Delivery, incidents: readonly Incident[]): Delivery {
  const { message } = delivery;
  const about = incidents.find(({ attempts }) => attempts.some((attempt) => attempt.message === message.id));
  return about && message.incident === undefined
    ? { ...delivery, message: { ...message, incident: about.id } }
    : delivery;
}

/** Returns the delivery that is further along. A receipt may come before the agent's state, or after it. */
function further(there: Delivery, here: Delivery): Delivery {
  const { message } = here;
  const steps = (delivery: Delivery) => Object.keys(delivery.times).length;
  const last = here.onTheWay === undefined && steps(here) > steps(there) ? here : there;
  return { ...last, message: { ...there.message, t: message.t, expires: message.expires, ...about(message) } };
}

function about({ incident, attempt }: Delivery['message']) {
  return { ...(incident !== undefined && { incident }), ...(attempt !== undefined && { attempt }) };
}

/** Adds the expiry, since a record does not say until when a message waits. */
function withExpiry(delivery: Delivery): Delivery {
  const { message, times } = delivery;
  if (Date.parse(message.expires) > Date.parse(message.t)) return delivery;
  const queued = times.queued ?? Date.parse(message.t);
  const expires = new Date(times.expired ?? queued + EXPIRY_MS).toISOString();
  return { ...delivery, message: { ...message, expires } };
}

/** Returns a message of this window, from what is known about it here. */
export function remoteDelivery(
  { session, agent }: Pick<AgentView, 'session' | 'agent'>,
  sending: SentMessage,
): Delivery {
  const { message } = sending;
  const steps = sending.steps();
  const first = steps[0]?.at ?? 0;
  const last = steps.at(-1);
  const times: Partial<Record<DeliveryState, number>> = {};
  for (const step of steps) {
    const { state, onTheWay } = standOf(step);
    if (!onTheWay) times[state] ??= step.at;
  }
  return {
    message: {
      v: 1,
      id: sending.id,
      t: new Date(first).toISOString(),
      session,
      agent,
      kind: message.action,
      text: message.text,
      ...(message.incident !== undefined && { incident: message.incident }),
      ...(message.attempt !== undefined && { attempt: message.attempt }),
      from: 'unstuck',
      automated: false,
      expires: new Date(first + (message.expiresInMs ?? EXPIRY_MS)).toISOString(),
    },
    times,
    ...standOf(last),
  };
}

function standOf(last: SendingStep | undefined): Omit<Delivery, 'message' | 'times'> {
  if (!last) return { state: 'queued' };
  const { state, at, outcome, reason } = last;
  switch (state) {
    case 'sending':
    case 'sent':
      return { state: 'queued', onTheWay: { state, at } };
    case 'lost':
    case 'refused':
      return { state: 'failed', reason: refusalWords(state === 'lost' ? 'lost' : (reason ?? '')) };
    case 'queued':
    case 'taken':
    case 'seen':
    case 'acted':
    case 'expired':
    case 'withdrawn':
    case 'failed':
      return { state, ...(outcome && { outcome }), ...(reason !== undefined && { reason }) };
  }
}
