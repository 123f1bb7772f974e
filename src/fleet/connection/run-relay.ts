import type { Log } from '../../util/log';
import type { RelayAgents, RelayClock, RelayMailbox } from '../relay/ports';
import { Relay, type RelayOptions, type RelayState } from '../relay/relay';
import type { ConnectFailure } from './connect';
import { addressOf, connectOnce } from './connect';
import { relayLink } from './relay-link';

export interface RunRelay extends Omit<RelayOptions, 'machine'> {
  readonly servers: readonly string[];
  /** Text of the credentials. */
  readonly credentials: string;
  /** Name of this machine, where the credentials do not say it. */
  readonly name?: string;
  readonly agents: RelayAgents;
  readonly mailbox: RelayMailbox;
  readonly clock: RelayClock;
  readonly log: Log;
  readonly newId: (now: number) => string;
  /** What is worth a line for the person who started it. */
  readonly told: (news: RelayNews) => void;
  readonly stopped: Promise<void>;
}

export type RelayNews =
  | { readonly kind: 'connected'; readonly server: string; readonly machine: string }
  | { readonly kind: 'disconnected'; readonly failure: ConnectFailure }
  | { readonly kind: 'state'; readonly state: RelayState };

/** Between two tries while no server answers, milliseconds: the first and the longest. */
const FIRST_RETRY_MS = 500;
const LONGEST_RETRY_MS = 10_000;

/**
 * Runs a relay until it is stopped. Returns what no retry will mend: wrong credentials or addresses at the start. Null: it was stopped.
 */
export async function runRelay(parts: RunRelay): Promise<ConnectFailure | null> {
  const { stopped, log, told } = parts;
  const address = addressOf({ ...parts, role: 'machine' });
  if (!address.ok) return address.error;
  const machine = address.value.name;
  let over = false;
  void stopped.then(() => (over = true));
  for (let retry = FIRST_RETRY_MS; ; retry = Math.min(LONGEST_RETRY_MS, retry * 2)) {
    const connection = await connectOnce(address.value);
    if (connection.ok) {
      const link = await relayLink(connection.value, machine, log);
      told({ kind: 'connected', server: connection.value.getServer(), machine });
      link.onDidChange((change) =>
        told(
          change.kind === 'up'
            ? { kind: 'connected', server: change.server, machine }
            : { kind: 'disconnected', failure: change },
        ),
      );
      const relay = new Relay({ ...parts, link }, { ...parts, machine }, (state) => told({ kind: 'state', state }));
      relay.start();
      await stopped;
      await relay.end();
      return null;
    }
    switch (connection.error.problem) {
      case 'credentials':
      case 'no_credentials':
      case 'address':
      case 'no_tls':
      case 'permission':
        return connection.error;
      case 'unreachable':
      case 'timeout':
      case 'full':
      case 'not_prepared':
        if (retry === FIRST_RETRY_MS) told({ kind: 'disconnected', failure: connection.error });
    }
    await Promise.race([stopped, new Promise((later) => setTimeout(later, retry).unref())]);
    if (over) return null;
  }
}
