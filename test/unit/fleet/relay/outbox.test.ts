import { expect, it } from 'vitest';
import { Outbox, type Outgoing } from '../../../../src/fleet/relay/outbox';
import { recordingLog } from '../../support/log';
import { FakeClock, settle } from '../support/clock';
import { FakeLink } from '../support/relay';

it('while the server is away for long the oldest events are dropped, and no receipt', async () => {
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
