import { type ConsumerMessages, type JsMsg, jetstream, type JetStreamClient } from '@nats-io/jetstream';
import { type KV, Kvm } from '@nats-io/kv';
import { createInbox, type NatsConnection } from '@nats-io/nats-core';
import type { FleetProblem } from '../../core/model';
import type { Disposable } from '../../base/util/disposable';
import type { Log } from '../../base/util/log';
import type { Result } from '../../base/util/result';
import type { IncomingMessage, RelayLink } from '../relay/ports';
import { API_PREFIX, inboxPrefix } from '../server/config';
import { isName, MESSAGES_STREAM, presenceSubject, relayConsumer, STATES_BUCKET } from '../wire';
import { connectFailure } from './connect';
import { ANSWERS_WITHIN_MS, confirmed, NatsLink } from './nats-link';

/** Time within which another relay of the same name has to answer, milliseconds. */
const CLAIM_MS = 700;
const RETRY_MS = 2_000;
/** Number of messages that the server sends ahead. */
const AHEAD = 32;
/**
 * Time for which the server keeps a request for messages, milliseconds. For this long it delivers messages to a relay that ended, and to the next one
 * only ten seconds later; a shorter time means more requests while there are no messages.
 */
const ASKS_FOR_MS = 5_000;

/** The connection of a relay. */
export async function relayLink(connection: NatsConnection, machine: string, log: Log): Promise<RelayLink> {
  const states = await new Kvm(jetstream(connection, { timeout: ANSWERS_WITHIN_MS })).open(STATES_BUCKET, {
    allow_direct: true,
  });
  return new NatsRelayLink(connection, machine, states, log);
}

class NatsRelayLink extends NatsLink implements RelayLink {
  private readonly streams: JetStreamClient;

  constructor(
    connection: NatsConnection,
    private readonly machine: string,
    private readonly states: KV,
    log: Log,
  ) {
    super(connection, log);
    this.streams = jetstream(connection, { apiPrefix: API_PREFIX, timeout: ANSWERS_WITHIN_MS });
  }

  putState(stateKey: string, bytes: Uint8Array): Promise<Result<void, FleetProblem>> {
    return confirmed(() => this.states.put(stateKey, bytes));
  }

  removeState(stateKey: string): Promise<Result<void, FleetProblem>> {
    return confirmed(() => this.states.purge(stateKey));
  }

  publish(subject: string, id: string, bytes: Uint8Array): Promise<Result<void, FleetProblem>> {
    // Without the prefix: this is a subject of a stream, not of the interface.
    return confirmed(() =>
      jetstream(this.connection, { timeout: ANSWERS_WITHIN_MS }).publish(subject, bytes, { msgID: id }),
    );
  }

  takeMessages(handle: (message: IncomingMessage) => Promise<void>): Disposable {
    const taking = { stopped: false, messages: undefined as ConsumerMessages | undefined };
    void this.takeUntil(taking, handle);
    return {
      dispose: () => {
        taking.stopped = true;
        taking.messages?.stop();
      },
    };
  }

  private async takeUntil(
    taking: { stopped: boolean; messages: ConsumerMessages | undefined },
    handle: (message: IncomingMessage) => Promise<void>,
  ): Promise<void> {
    let said = '';
    while (!taking.stopped && !this.closed) {
      try {
        const consumer = await this.streams.consumers.get(MESSAGES_STREAM, relayConsumer(this.machine));
        if (taking.stopped) return;
        taking.messages = await consumer.consume({ max_messages: AHEAD, expires: ASKS_FOR_MS });
        said = '';
        for await (const message of taking.messages) {
          if (taking.stopped) break;
          // Further messages would fill the memory.
          if (taking.messages.getPending() > 2 * AHEAD) throw new Error('The server sends more than was asked for.');
          await handle(incoming(message));
        }
      } catch (error) {
        const { problem, detail } = connectFailure(error);
        if (said !== problem && !this.closed)
          this.log.warn(`messages cannot be taken (${problem}: ${detail}); it is tried again`);
        said = problem;
      }
      if (!taking.stopped && !this.closed) await new Promise((later) => setTimeout(later, RETRY_MS));
    }
  }

  answerClaims(answer: (run: string) => boolean): Disposable {
    const subscription = this.connection.subscribe(presenceSubject(this.machine), {
      callback: (error, message) => {
        if (error) return;
        const run = message.string().slice(0, 64);
        if (run !== '' && answer(run)) message.respond('taken');
      },
    });
    return { dispose: () => subscription.unsubscribe() };
  }

  async claim(run: string): Promise<'free' | 'taken' | 'unknown'> {
    const reply = createInbox(inboxPrefix('machine', this.machine));
    return await new Promise((resolve) => {
      const subscription = this.connection.subscribe(reply, {
        max: 1,
        timeout: CLAIM_MS,
        callback: (error, message) => {
          subscription.unsubscribe();
          if (error) resolve(this.isUp() ? 'free' : 'unknown');
          else resolve(message.string() === 'taken' ? 'taken' : 'free');
        },
      });
      try {
        this.connection.publish(presenceSubject(this.machine), run, { reply });
      } catch {
        subscription.unsubscribe();
        resolve('unknown');
      }
    });
  }

  async drain(): Promise<void> {
    const isUp = this.isUp();
    this.closed = true;
    if (isUp) await this.connection.drain().catch(() => undefined);
  }
}

function incoming(message: JsMsg): IncomingMessage {
  // unstuck.messages.<machine>.<viewer>
  const viewer = message.subject.split('.')[3] ?? '';
  return {
    viewer: isName(viewer) ? viewer : '-',
    bytes: message.data,
    async done() {
      await message.ackAck({ timeout: ANSWERS_WITHIN_MS }).catch(() => false);
    },
  };
}
