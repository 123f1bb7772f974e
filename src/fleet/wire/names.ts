import { textDigest } from '../../base/util/hash';

/** Version of every record. A record of a later one is not read: the machine that sent it is shown as having another version. */
export const WIRE_VERSION = 1;

/** Actions that a viewer may request for an agent on another machine, if that machine allows them. */
export const FLEET_ACTIONS = ['nudge', 'stop', 'restart'] as const;
export type FleetAction = (typeof FLEET_ACTIONS)[number];

/** The key-value bucket with the newest state of each machine and agent, and the stream under it. */
export const STATES_BUCKET = 'unstuck_states';
export const STATES_STREAM = `KV_${STATES_BUCKET}`;
/** Events: incidents, states, messages and receipts, limited by age and size. */
export const EVENTS_STREAM = 'unstuck_events';
/** Messages for agents, each until a relay has taken it. */
export const MESSAGES_STREAM = 'unstuck_messages';

/** Interval of heartbeats, milliseconds. */
export const HEARTBEAT_MS = 10_000;
/** A machine without a heartbeat for this long is silent, milliseconds. */
export const SILENT_MS = 3 * HEARTBEAT_MS;
/** The server forgets a state that was not renewed for this long, milliseconds: the time to live of the bucket. */
export const STATE_TTL_MS = 24 * 3_600_000;
/** Interval at which a relay renews the states that did not change, milliseconds. */
export const RENEW_MS = 6 * 3_600_000;
/** The server drops a message that no relay took for this long, milliseconds. */
export const MESSAGE_TTL_MS = 10 * 60_000;

/** Bytes of the largest record of any kind. */
export const LARGEST_RECORD = 64 * 1024;

const NAME = /^[a-z0-9][a-z0-9_-]{0,62}$/;
const KEY = /^[A-Za-z0-9_-]{1,64}$/;

/** True if this is the name of a machine or of a viewer: one token of a subject, small letters, digits, `-` and `_`, at most 63. */
export function isName(text: string): boolean {
  return NAME.test(text);
}

/** Returns the name of a machine from its host name: in small letters, without its domain, with other signs as `-`; null if nothing is left. */
export function nameOfHost(host: string): string | null {
  const name = (host.split('.')[0] ?? '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9_-]/g, '-')
    .replace(/^[-_]+/, '')
    .slice(0, 63);
  return isName(name) ? name : null;
}

/** True if this is the key of a session. */
export function isSessionKey(text: string): boolean {
  return KEY.test(text);
}

/** Returns the token that represents a session in subjects: its id if that is a plain name, otherwise `s-` and a digest of it. */
export function sessionKey(session: string): string {
  return KEY.test(session) ? session : `s-${textDigest(session)}-${textDigest(`${session}.`)}`;
}

/** Returns the key of a machine's heartbeat in the bucket. */
export function machineStateKey(machine: string): string {
  return `${machine}.machine`;
}

/** Returns the key of an agent's state in the bucket. */
export function agentStateKey(machine: string, key: string): string {
  return `${machine}.agent.${key}`;
}

/** Returns the machine, and the session's key for the state of an agent; null for a key that is neither. */
export function placeOfState(stateKey: string): { readonly machine: string; readonly key?: string } | null {
  const [machine = '', kind, key, ...more] = stateKey.split('.');
  if (!isName(machine) || more.length > 0) return null;
  if (kind === 'machine' && key === undefined) return { machine };
  return kind === 'agent' && key !== undefined && isSessionKey(key) ? { machine, key } : null;
}

/** Returns the subject on which the server publishes a state again, with its sequence, after it was stored. */
export function liveSubject(stateKey: string): string {
  return `unstuck.live.${stateKey}`;
}

export function eventSubject(machine: string, key: string): string {
  return `unstuck.events.${machine}.${key}`;
}

/** Returns the subject of messages from a viewer to the agents of a machine. The sender is in the subject, so that the server vouches for it. */
export function messageSubject(machine: string, viewer: string): string {
  return `unstuck.messages.${machine}.${viewer}`;
}

/** Returns the subject of the receipts for a viewer's messages. */
export function receiptSubject(machine: string, viewer: string): string {
  return `unstuck.receipts.${machine}.${viewer}`;
}

/** Returns the subject on which relays of one name find out about each other. */
export function presenceSubject(machine: string): string {
  return `unstuck.relay.${machine}`;
}

/** Returns the durable consumer of a machine on the stream of messages. */
export function relayConsumer(machine: string): string {
  return `relay_${machine}`;
}
