import { jetstream, type JetStreamClient, type JetStreamManager, jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/nats-core';
import type { FleetProblem } from '../../core/model';
import type { Disposable } from '../../base/util/disposable';
import type { Log } from '../../base/util/log';
import type { Result } from '../../base/util/result';
import type { StoredState, ViewerLink } from '../client/link';
import { API_PREFIX } from '../server/config';
import { EVENTS_STREAM, isName, liveSubject, STATES_BUCKET, STATES_STREAM } from '../wire';
import { connectFailure } from './connect';
import { answered, ANSWERS_WITHIN_MS, confirmed, NatsLink } from './nats-link';

const KEY_PREFIX = `$KV.${STATES_BUCKET}.`;
const LIVE_PREFIX = liveSubject('');

/** The connection of a window. */
export async function viewerLink(connection: NatsConnection, viewer: string, log: Log): Promise<ViewerLink> {
  // The same subjects as JetStream's own interface, under the names that the server's configuration assigns to them for viewers.
  const manager = await jetstreamManager(connection, {
    apiPrefix: API_PREFIX,
    checkAPI: false,
    timeout: ANSWERS_WITHIN_MS,
  });
  return new NatsViewerLink(connection, viewer, manager, log);
}

class NatsViewerLink extends NatsLink implements ViewerLink {
  private readonly publisher: JetStreamClient;

  constructor(
    connection: NatsConnection,
    readonly viewer: string,
    private readonly manager: JetStreamManager,
    log: Log,
  ) {
    super(connection, log);
    this.publisher = jetstream(connection, { timeout: ANSWERS_WITHIN_MS });
  }

  server(): string {
    return this.connection.getServer();
  }

  hearStates(heard: (state: StoredState) => void): Disposable {
    return this.hear(`${LIVE_PREFIX}>`, (subject, bytes, sequence) => {
      heard({ key: subject.slice(LIVE_PREFIX.length), bytes, sequence });
    });
  }

  hearReceipts(heard: (machine: string, bytes: Uint8Array) => void): Disposable {
    return this.hear(`unstuck.answers.*.${this.viewer}`, (subject, bytes) => {
      const machine = subject.split('.')[2] ?? '';
      if (isName(machine)) heard(machine, bytes);
    });
  }

  private hear(subject: string, heard: (subject: string, bytes: Uint8Array, sequence: number) => void): Disposable {
    const subscription = this.connection.subscribe(subject, {
      callback: (error, message) => {
        if (error) return this.log.warn(`${subject}: ${connectFailure(error).detail}`);
        heard(message.subject, message.data, Number(message.headers?.get('Nats-Sequence') ?? 0));
      },
    });
    return { dispose: () => subscription.unsubscribe() };
  }

  async ready(): Promise<void> {
    await this.connection.flush().catch(() => undefined);
  }

  listStates(): Promise<Result<{ readonly keys: readonly string[]; readonly last: number }, FleetProblem>> {
    return answered(async () => {
      const { state } = await this.manager.streams.info(STATES_STREAM, { subjects_filter: '>' });
      const keys = Object.keys(state.subjects ?? {}).map((subject) => subject.slice(KEY_PREFIX.length));
      return { keys, last: state.last_seq };
    });
  }

  readState(key: string): Promise<Result<StoredState | null, FleetProblem>> {
    return answered(async () => {
      const stored = await this.manager.direct.getMessage(STATES_STREAM, { last_by_subj: `${KEY_PREFIX}${key}` });
      return stored && { key, bytes: stored.data, sequence: stored.seq, storedAt: stored.time.getTime() };
    });
  }

  readEvent(
    subject: string,
    from: number,
  ): Promise<Result<{ readonly bytes: Uint8Array; readonly sequence: number } | null, FleetProblem>> {
    return answered(async () => {
      const stored = await this.manager.direct.getMessage(EVENTS_STREAM, { next_by_subj: subject, seq: from });
      return stored && { bytes: stored.data, sequence: stored.seq };
    });
  }

  sendMessage(subject: string, id: string, bytes: Uint8Array): Promise<Result<void, FleetProblem>> {
    return confirmed(() => this.publisher.publish(subject, bytes, { msgID: id }));
  }
}
