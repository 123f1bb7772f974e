import {
  EVENTS_STREAM,
  MESSAGES_STREAM,
  messageSubject,
  presenceSubject,
  receiptSubject,
  relayConsumer,
  STATES_BUCKET,
  STATES_STREAM,
} from '../wire';
import { isLoopback } from '../connection/servers';

/** Users that may sign in, each by the public half of its NKey. */
export interface FleetUsers {
  /** Prepares streams and adds consumers; no other user may. */
  readonly admin: string;
  readonly machines: readonly FleetUser[];
  readonly viewers: readonly FleetUser[];
}

export interface FleetUser {
  readonly name: string;
  readonly key: string;
}

export interface ServerPlan {
  /** Name or IPv4 address of the server. One on loopback cannot be reached from other machines. */
  readonly host: string;
  readonly port: number;
  /** Folder of JetStream's files, relative to the configuration or absolute. */
  readonly storage: string;
  /** Files of the certificate and its key. */
  readonly tls: { readonly certificate: string; readonly key: string };
}

/** JetStream's own prefix, in the account of the streams. */
const API = '$JS.API';
/** The same in the accounts of machines and viewers: under its own name each account would reach its own JetStream, which does not exist. */
export const API_PREFIX = 'unstuck.api';
const STATES = `$KV.${STATES_BUCKET}`;

/** Subjects by which machines reach the account that holds the streams. */
const FOR_MACHINES = [
  `${STATES}.>`,
  'unstuck.events.>',
  'unstuck.receipts.>',
  `${API}.CONSUMER.INFO.${MESSAGES_STREAM}.*`,
  `$JS.ACK.${MESSAGES_STREAM}.>`,
];
/** The same for requests with more than one answer. */
const FOR_MACHINES_STREAMED = [`${API}.CONSUMER.MSG.NEXT.${MESSAGES_STREAM}.*`];
/** Subjects by which viewers reach it. */
const FOR_VIEWERS = [
  'unstuck.messages.>',
  `${API}.STREAM.INFO.${STATES_STREAM}`,
  `${API}.DIRECT.GET.${STATES_STREAM}.>`,
  `${API}.DIRECT.GET.${EVENTS_STREAM}`,
  `${API}.DIRECT.GET.${EVENTS_STREAM}.>`,
];
/** Live subjects that viewers subscribe to. */
const HEARD_BY_VIEWERS = ['unstuck.live.>', 'unstuck.answers.>'];

/** Returns the name of a subject in the accounts of machines and viewers. */
function localName(subject: string): string {
  return subject.startsWith(`${API}.`) ? `${API_PREFIX}${subject.slice(API.length)}` : subject;
}

/** Returns the prefix of a user's own inbox, to which the server's answers come. No other user may listen there. */
export function inboxPrefix(role: 'machine' | 'viewer' | 'admin', name: string): string {
  return `_INBOX.${role}.${name}`;
}

/** Returns the permissions of a machine: publish its own states, events and receipts, take its own messages. It reads no stored data. */
export function machinePermissions(name: string) {
  return {
    publish: [
      `${STATES}.${name}.>`,
      `unstuck.events.${name}.*`,
      receiptSubject(name, '*'),
      `${API_PREFIX}.CONSUMER.INFO.${MESSAGES_STREAM}.${relayConsumer(name)}`,
      `${API_PREFIX}.CONSUMER.MSG.NEXT.${MESSAGES_STREAM}.${relayConsumer(name)}`,
      `$JS.ACK.${MESSAGES_STREAM}.${relayConsumer(name)}.>`,
      presenceSubject(name),
    ],
    subscribe: [presenceSubject(name), `${inboxPrefix('machine', name)}.>`],
  };
}

/** Returns the permissions of a viewer: read all states and events, send messages under its own name, receive its own receipts. */
export function viewerPermissions(name: string) {
  return {
    publish: [messageSubject('*', name), ...FOR_VIEWERS.filter((subject) => subject.startsWith(API)).map(localName)],
    subscribe: ['unstuck.live.>', `unstuck.answers.*.${name}`, `${inboxPrefix('viewer', name)}.>`],
  };
}

/**
 * Returns the accounts of the server. Streams are in a separate account, which machines and viewers reach by named subjects only: an answer of the
 * server goes back into the account of the requester, so that no user can have it delivered into a stream.
 */
export function usersFile({ admin, machines, viewers }: FleetUsers): string {
  const service = (subject: string, account: string, more = '') =>
    `      { service: "${subject}", accounts: [${account}]${more} }`;
  const imported = (kind: 'service' | 'stream', subject: string) => {
    const local = localName(subject);
    return `      { ${kind}: { account: FLEET, subject: "${subject}" }${local === subject ? '' : `, to: "${local}"`} }`;
  };
  return `# Written by \`unstuck fleet\`, which rewrites it when a machine or a viewer is added or removed.
# Each user is known by the public half of an NKey; the secret half lies in its .creds file and nowhere else.
accounts {
  # The streams. Only the administrator signs in here.
  FLEET {
    jetstream: enabled
    users: [
      { nkey: ${admin} }
    ]
    exports: [
${[
  ...FOR_MACHINES.map((subject) => service(subject, 'MACHINES')),
  ...FOR_MACHINES_STREAMED.map((subject) => service(subject, 'MACHINES', ', response_type: stream')),
  ...FOR_VIEWERS.map((subject) => service(subject, 'VIEWERS')),
  ...HEARD_BY_VIEWERS.map((subject) => `      { stream: "${subject}", accounts: [VIEWERS] }`),
].join('\n')}
    ]
  }
  # The relays. Each publishes under its own name only, and reads nothing but messages for its own agents.
  MACHINES {
    users: [
${machines.map(({ name, key }) => userEntry(name, key, machinePermissions(name))).join('\n')}
    ]
    imports: [
${[...FOR_MACHINES, ...FOR_MACHINES_STREAMED].map((subject) => imported('service', subject)).join('\n')}
    ]
  }
  # Windows. They read everything, and write nothing but messages under their own name.
  VIEWERS {
    users: [
${viewers.map(({ name, key }) => userEntry(name, key, viewerPermissions(name))).join('\n')}
    ]
    imports: [
${[
  ...FOR_VIEWERS.map((subject) => imported('service', subject)),
  ...HEARD_BY_VIEWERS.map((subject) => imported('stream', subject)),
].join('\n')}
    ]
  }
}
`;
}

function userEntry(
  name: string,
  key: string,
  { publish, subscribe }: { readonly publish: readonly string[]; readonly subscribe: readonly string[] },
): string {
  const quoted = (subjects: readonly string[]) => subjects.map((subject) => `"${subject}"`).join(', ');
  return `      # ${name}
      { nkey: ${key}, permissions: {
        publish: [${quoted(publish)}]
        subscribe: [${quoted(subscribe)}]
      } }`;
}

/** Returns the server's configuration, as `unstuck fleet init` writes it. */
export function serverFile({ host, port, storage, tls }: ServerPlan): string {
  return `# Written by \`unstuck fleet init\`. Start it with: nats-server -c server.conf
# Works with nats-server 2.9 (Debian 12) and later.

listen: "${isLoopback(host) ? '127.0.0.1' : '0.0.0.0'}:${port}"

# Whoever connects must speak TLS and trust this certificate; the .creds files carry it. Also on loopback, where any user of the
# machine could pose as the server otherwise.
tls {
  cert_file: "${tls.certificate}"
  key_file: "${tls.key}"
}

# A record has at most 64 KB. What is larger is refused before it is read.
max_payload: 131072
max_connections: 20000

jetstream {
  store_dir: "${storage}"
  # Streams are kept on disk; a stream that is full refuses new states, and drops the oldest events.
  max_memory_store: 64MB
  max_file_store: 8GB
}

# Who may sign in, and what each may do.
include "users.conf"
`;
}
