import {
  type Authenticator,
  credsAuthenticator,
  errors,
  nkeyAuthenticator,
  type NatsConnection,
} from '@nats-io/nats-core';
import { NatsConnectionImpl, setTransportFactory } from '@nats-io/nats-core/internal';
import type { FleetProblem } from '../../core/model';
import { fieldsOf } from '../../base/util/json';
import { fail, ok, type Result } from '../../base/util/result';
import { inboxPrefix } from '../server/config';
import { isName } from '../wire';
import { type FleetRole, readCredentials } from './credentials';
import { readServers } from './servers';
import { TlsTransport, type TransportOptions } from './transport';

export interface ConnectOptions {
  readonly servers: readonly string[];
  /** Text of the credentials. */
  readonly credentials: string;
  readonly role: FleetRole;
  /** Name, if the credentials do not contain one. */
  readonly name?: string;
}

/** Everything needed to connect, checked. */
export interface Address {
  readonly name: string;
  readonly options: Omit<TransportOptions, 'over'>;
}

export interface ConnectFailure {
  readonly problem: FleetProblem;
  /** One line. */
  readonly detail: string;
}

const encoder = new TextEncoder();

/** Interval between two attempts to connect, milliseconds, and a random addition, so that a fleet does not come back all at once. */
const RETRY_MS = 500;
const RETRY_JITTER_MS = 500;
/** A server that does not answer two pings at this interval is gone, milliseconds. */
const PING_MS = 10_000;

/** Reads addresses and credentials. No retry can fix an error in them. */
export function addressOf({
  servers,
  credentials,
  role,
  name: asked,
}: ConnectOptions): Result<Address, ConnectFailure> {
  const read = readServers(servers);
  if (!read.ok) return fail({ problem: read.error, detail: 'An address is written as tls://host:4222.' });
  const { addresses, onLoopback } = read.value;
  const found = readCredentials(credentials);
  if (!found.ok) return fail({ problem: found.error, detail: 'The text holds no NKey seed and no JWT.' });
  if (found.value.role !== undefined && found.value.role !== role)
    return fail({
      problem: 'credentials',
      detail: `These are the credentials of a ${found.value.role}, not of a ${role}.`,
    });
  const name = asked ?? found.value.name;
  if (name === undefined || !isName(name))
    return fail({ problem: 'no_credentials', detail: 'The credentials do not name their owner.' });
  const { jwt, seed, certificates } = found.value;
  // No authority vouches for a loopback name, where any user may listen while the server is away.
  if (certificates === undefined && onLoopback)
    return fail({ problem: 'no_certificate', detail: 'The credentials hold no certificate of the server.' });
  const authenticator: Authenticator = jwt
    ? credsAuthenticator(encoder.encode(credentials))
    : nkeyAuthenticator(encoder.encode(seed));
  return ok({
    name,
    options: {
      servers: [...addresses],
      authenticator,
      name: `unstuck ${role} ${name}`,
      inboxPrefix: inboxPrefix(role, name),
      tls: certificates === undefined ? {} : { ca: certificates },
      // Only servers that a person named.
      ignoreClusterUpdates: true,
      maxReconnectAttempts: -1,
      reconnectTimeWait: RETRY_MS,
      reconnectJitter: RETRY_JITTER_MS,
      reconnectJitterTLS: RETRY_JITTER_MS,
      // A user that was removed may come back: the caller decides when to give up.
      ignoreAuthErrorAbort: true,
      pingInterval: PING_MS,
      maxPingOut: 2,
      timeout: 5_000,
    },
  });
}

/** Connects to the first server that answers. `over` ends it at once, whatever the server does, now or later. */
export async function connectOnce(
  { options }: Address,
  over: AbortSignal,
): Promise<Result<NatsConnection, ConnectFailure>> {
  setTransportFactory({ factory: () => new TlsTransport() });
  try {
    const all: TransportOptions = { ...options, over };
    const connection = await NatsConnectionImpl.connect(all);
    const close = () => void connection.close().catch(() => undefined);
    if (over.aborted) close();
    over.addEventListener('abort', close);
    return ok(connection);
  } catch (error) {
    return fail(connectFailure(error));
  }
}

/** Classifies an error of the library for a person. */
export function connectFailure(error: unknown): ConnectFailure {
  const detail = (error instanceof Error ? error.message : String(error)).split('\n')[0]?.slice(0, 300) ?? '';
  return { problem: problemOf(error, detail), detail };
}

function problemOf(error: unknown, detail: string): FleetProblem {
  if (error instanceof errors.AuthorizationError || error instanceof errors.UserAuthenticationExpiredError)
    return 'credentials';
  if (error instanceof errors.PermissionViolationError) return 'permission';
  if (error instanceof errors.TimeoutError || error instanceof errors.RequestError) return 'timeout';
  if (fieldsOf(error).code === 'ECONNRESET') return 'unreachable';
  if (/\btls\b|certificate|self[- ]signed|altnames|ssl|pem routines|asn1/i.test(detail)) return 'no_tls';
  if (/maximum (?:bytes|messages)|insufficient (?:resources|storage)|no space/i.test(detail)) return 'full';
  if (/stream not found|no stream matches|consumer not found|no responders/i.test(detail)) return 'not_prepared';
  return 'unreachable';
}
