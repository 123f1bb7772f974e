import type { Log } from '../../base/util/log';
import { type Clock, pause } from '../../base/clock';
import type { RelayAgents, RelayMailbox } from '../relay/ports';
import { Relay, type RelayOptions, type RelayState } from '../relay/relay';
import { addressOf, type ConnectFailure, connectOnce } from './connect';
import { relayLink } from './relay-link';

export interface RunRelay extends Omit<RelayOptions, 'machine'> {
  readonly servers: readonly string[];
  /** Text of the credentials. */
  readonly credentials: string;
  /** Name of this machine, if the credentials do not contain it. */
  readonly name?: string;
  readonly agents: RelayAgents;
  readonly mailbox: RelayMailbox;
  readonly clock: Clock;
  readonly log: Log;
  readonly newId: (now: number) => string;
  /** Reports news for the person who started it, one line each. */
  readonly onNews: (news: RelayNews) => void;
  readonly stopped: Promise<void>;
}

export type RelayNews =
  | { readonly kind: 'connected'; readonly server: string; readonly machine: string }
  | { readonly kind: 'disconnected'; readonly failure: ConnectFailure }
  | { readonly kind: 'state'; readonly state: RelayState };

/** Time for the last publications to reach the server when the relay is stopped, milliseconds. */
const LAST_WORDS_MS = 3_000;
/** Intervals between two attempts while no server answers, milliseconds: the first and the longest. */
const FIRST_RETRY_MS = 500;
const LONGEST_RETRY_MS = 10_000;

/**
 * Runs a relay until it is stopped, and then ends within seconds, whatever the server does. Returns an error that no retry can fix: wrong credentials
 * or addresses at the start. Null: it was stopped.
 */
export async function runRelay(parts: RunRelay): Promise<ConnectFailure | null> {
  const { stopped, log, onNews } = parts;
  const address = addressOf({ ...parts, role: 'machine' });
  if (!address.ok) return address.error;
  const machine = address.value.name;
  const over = new AbortController();
  const ending = new AbortController();
  void stopped.then(() => ending.abort());
  try {
    for (let retry = FIRST_RETRY_MS; !ending.signal.aborted; retry = Math.min(LONGEST_RETRY_MS, retry * 2)) {
      const connection = await Promise.race([connectOnce(address.value, over.signal), stopped]);
      if (!connection) break;
      if (connection.ok) {
        const link = await relayLink(connection.value, machine, log);
        onNews({ kind: 'connected', server: connection.value.getServer(), machine });
        link.onDidChange((change) =>
          onNews(
            change.kind === 'up'
              ? { kind: 'connected', server: change.server, machine }
              : { kind: 'disconnected', failure: change },
          ),
        );
        const relay = new Relay({ ...parts, link }, { ...parts, machine }, (state) => onNews({ kind: 'state', state }));
        relay.start();
        await stopped;
        await Promise.race([relay.end(), pause(LAST_WORDS_MS)]);
        break;
      }
      switch (connection.error.problem) {
        case 'credentials':
        case 'no_credentials':
        case 'address':
        case 'no_tls':
        case 'no_certificate':
        case 'permission':
          return connection.error;
        case 'unreachable':
        case 'timeout':
        case 'full':
        case 'not_prepared':
          if (retry === FIRST_RETRY_MS) onNews({ kind: 'disconnected', failure: connection.error });
      }
      await Promise.race([stopped, pause(retry)]);
    }
    return null;
  } finally {
    over.abort();
  }
}
