import { expect, it } from 'vitest';
import { Outbox, type Outgoing } from '../../../../src/fleet/relay/outbox';
import { recordingLog } from '../../support/log';
import { FakeClock as Timers } from '../../history/support/fake-clock';
import { FakeClock, settle } from '../support/clock';
import { FakeLink } from '../support/relay';

it('the oldest events are dropped while the server is away for long, but no receipt is', async () => {
  const link = new FakeLink();
  link.up = false;
  const log = recordingLog();
  const outbox = new Outbox(link, new FakeClock(), log);
  const bytes = new TextEncoder().encode('{}');
  const add = (id: string, keep: boolean) => outbox.add({ subject: 's', id, bytes, keep } satisfies Outgoing);
  add('receipt', true);
  for (let event = 1; event <= 2_001; event++) add(`event ${event}`, false);
  expect([outbox.size, log.lines]).toEqual([
    2_000,
    ['warn: more than 2000 events wait for the server: the oldest are dropped'],
  ]);
  link.find();
  outbox.pump();
  while (outbox.size > 0) await settle();
  const sent = link.published.map(({ id }) => id);
  expect([sent.length, sent[0], sent[1], sent.at(-1)]).toEqual([2_000, 'receipt', 'event 3', 'event 2001']);
});

/** A server that has been away since the last event was sent. */
async function refused() {
  const link = new FakeLink();
  const clock = new Timers(0);
  const outbox = new Outbox(link, clock, recordingLog());
  const add = (id: string) => outbox.add({ subject: 's', id, bytes: new TextEncoder().encode('{}'), keep: false });
  link.failing = 'unreachable';
  add('one');
  await settle();
  return { link, clock, outbox, add };
}

it('what the server did not take is sent again a second later', async () => {
  const { link, clock, outbox } = await refused();
  expect([outbox.size, clock.waiting]).toEqual([1, 1]);
  link.failing = null;
  clock.pass(999);
  await settle();
  expect(link.published).toEqual([]);
  clock.pass(1);
  await settle();
  expect([link.published.map(({ id }) => id), outbox.size, clock.waiting]).toEqual([['one'], 0, 0]);
});

it('what the server did not take is sent again in the order in which it happened', async () => {
  const { link, clock, add } = await refused();
  for (const id of ['two', 'three', 'four']) add(id);
  await settle();
  link.failing = null;
  clock.pass(1_000);
  await settle();
  expect(link.published.map(({ id }) => id)).toEqual(['one', 'two', 'three', 'four']);
});

it('nothing is sent once the relay has ended, and no timer is left', async () => {
  const { clock, outbox, add } = await refused();
  outbox.dispose();
  expect([clock.waiting, outbox.size]).toEqual([0, 0]);
  add('two');
  expect(outbox.size).toBe(0);
});
