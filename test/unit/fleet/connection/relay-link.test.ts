import type { NatsConnection } from '@nats-io/nats-core';
import { expect, it, vi } from 'vitest';
import { relayLink } from '../../../../src/fleet/connection/relay-link';
import { silentLog } from '../../../../src/base/util/log';
import { settle } from '../support/clock';

/** The consumer of a machine: when the server names it, and how often it is asked for messages. */
const consumer = vi.hoisted(() => ({ found: () => {}, asked: 0 }));
vi.mock('@nats-io/kv', () => ({
  Kvm: class {
    open = async () => ({});
  },
}));
vi.mock('@nats-io/jetstream', () => {
  async function* noMessages() {}
  const consume = async () => {
    consumer.asked++;
    return Object.assign(noMessages(), { stop: () => undefined });
  };
  const get = () => new Promise((resolve) => (consumer.found = () => resolve({ consume })));
  return { jetstream: () => ({ consumers: { get } }) };
});

async function* noStatus() {}

it('a relay that gives way before the server has named its consumer takes no message any more', async () => {
  const connection = { status: noStatus } as unknown as NatsConnection;
  const link = await relayLink(connection, 'alpha', silentLog);
  const first = link.takeMessages(async () => undefined);
  await settle();
  first.dispose();
  consumer.found();
  await settle();
  expect(consumer.asked).toBe(0);
  const second = link.takeMessages(async () => undefined);
  await settle();
  consumer.found();
  await settle();
  expect(consumer.asked).toBe(1);
  second.dispose();
});
