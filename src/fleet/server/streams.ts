import {
  AckPolicy,
  DeliverPolicy,
  DiscardPolicy,
  JetStreamApiError,
  type JetStreamManager,
  jetstreamManager,
  ReplayPolicy,
  RetentionPolicy,
  StorageType,
  type StreamConfig,
} from '@nats-io/jetstream';
import { Kvm } from '@nats-io/kv';
import { nanos, type NatsConnection } from '@nats-io/nats-core';
import {
  EVENTS_STREAM,
  LARGEST_RECORD,
  liveSubject,
  MESSAGE_TTL_MS,
  MESSAGES_STREAM,
  messageSubject,
  relayConsumer,
  STATE_TTL_MS,
  STATES_BUCKET,
} from '../wire';

/** Bytes of all states; one takes 1 to 64 KB, most 2. */
const STATE_BYTES = 1024 ** 3;
/** Bytes of all events; the oldest are dropped first. */
const EVENT_BYTES = 2 * 1024 ** 3;
/** Milliseconds after which an event is forgotten. */
const EVENT_AGE_MS = 7 * 24 * 3_600_000;
/** Number of events kept for one session, as many as a timeline shows. */
const EVENTS_OF_A_SESSION = 100;
/** A machine has one message per session on its way at a time; more wait at the server. */
const MESSAGES_AT_A_TIME = 64;
/** A message that was delivered and not acknowledged comes again after this time, milliseconds. */
const ACKNOWLEDGED_WITHIN_MS = 10_000;
/** Number of consumers that are created at a time. */
const AT_A_TIME = 32;
/** The same id within this time is stored once, milliseconds. */
const DUPLICATES_MS = MESSAGE_TTL_MS;

/** A cluster that is starting takes seconds to answer. */
const ANSWERED_WITHIN_MS = 30_000;

const NOT_FOUND = [10_059, 10_014];

/**
 * Creates the bucket, the streams and a consumer for each machine; existing ones stay as they are. Needs the administrator's credentials.
 *
 * @param replicas number of servers that each keep all of it: 1, 3 or 5
 */
export async function prepareStreams(
  connection: NatsConnection,
  machines: readonly string[],
  replicas: number,
): Promise<void> {
  const manager = await jetstreamManager(connection, { timeout: ANSWERED_WITHIN_MS });
  await new Kvm(connection).create(STATES_BUCKET, {
    history: 1,
    ttl: STATE_TTL_MS,
    maxValueSize: LARGEST_RECORD,
    max_bytes: STATE_BYTES,
    replicas,
    storage: StorageType.File,
    allow_direct: true,
    // Stored records are published again with their sequence, so that viewers need no consumer each.
    republish: { src: `$KV.${STATES_BUCKET}.>`, dest: liveSubject('>') },
  });
  const common = {
    storage: StorageType.File,
    num_replicas: replicas,
    max_msg_size: LARGEST_RECORD,
    allow_direct: true,
  };
  await ensureStream(manager, {
    ...common,
    name: EVENTS_STREAM,
    subjects: ['unstuck.events.>', 'unstuck.receipts.>'],
    retention: RetentionPolicy.Limits,
    discard: DiscardPolicy.Old,
    max_age: nanos(EVENT_AGE_MS),
    max_bytes: EVENT_BYTES,
    max_msgs_per_subject: EVENTS_OF_A_SESSION,
    duplicate_window: nanos(DUPLICATES_MS),
    republish: { src: 'unstuck.receipts.>', dest: 'unstuck.answers.>' },
  });
  await ensureStream(manager, {
    ...common,
    name: MESSAGES_STREAM,
    subjects: ['unstuck.messages.>'],
    retention: RetentionPolicy.Workqueue,
    discard: DiscardPolicy.New,
    max_age: nanos(MESSAGE_TTL_MS),
    max_bytes: 256 * 1024 ** 2,
    duplicate_window: nanos(DUPLICATES_MS),
  });
  // In a cluster the servers elect a leader for each consumer, which takes a moment.
  const waiting = [...machines];
  const make = async () => {
    for (let machine = waiting.pop(); machine !== undefined; machine = waiting.pop())
      await ensureConsumer(manager, machine);
  };
  await Promise.all(Array.from({ length: Math.min(AT_A_TIME, machines.length) }, make));
}

async function ensureStream(
  manager: JetStreamManager,
  config: Partial<StreamConfig> & { name: string },
): Promise<void> {
  try {
    await manager.streams.info(config.name);
  } catch (error) {
    if (!isMissing(error)) throw error;
    await manager.streams.add(config);
  }
}

async function ensureConsumer(manager: JetStreamManager, machine: string): Promise<void> {
  const name = relayConsumer(machine);
  try {
    await manager.consumers.info(MESSAGES_STREAM, name);
  } catch (error) {
    if (!isMissing(error)) throw error;
    await manager.consumers.add(MESSAGES_STREAM, {
      durable_name: name,
      filter_subject: messageSubject(machine, '*'),
      ack_policy: AckPolicy.Explicit,
      ack_wait: nanos(ACKNOWLEDGED_WITHIN_MS),
      deliver_policy: DeliverPolicy.All,
      replay_policy: ReplayPolicy.Instant,
      max_ack_pending: MESSAGES_AT_A_TIME,
    });
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof JetStreamApiError && NOT_FOUND.includes(error.apiError().err_code);
}
