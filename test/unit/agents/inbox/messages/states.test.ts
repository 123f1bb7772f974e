import { describe, expect, it } from 'vitest';
import { receipt, sendMessage } from '../../../../../src/agents/inbox';
import { allDeliveries, deliveryFrom } from '../../../../../src/agents/inbox/messages/deliveries';
import { messageOf } from '../../../../../src/agents/inbox/messages/send';
import { track, type Tracker } from '../../../../../src/agents/inbox/messages/tracker';
import type { Delivery, DeliveryState, Receipt } from '../../../../../src/core/model';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { draft, NOW, value, workspace } from '../inbox-kit';

const ID = '01JDAAAAAAAAAAAAAAAAAAAAAA';
const message = messageOf(draft({ incident: 'I1' }), ID, NOW);
const said = (state: DeliveryState, seconds: number, more: Pick<Receipt, 'outcome' | 'reason'> = {}) =>
  receipt(ID, state, 'hook:Stop', NOW + seconds * 1000, more);
const inCur = (receipts: readonly Receipt[], seconds = 30) =>
  deliveryFrom(message, { folder: 'cur', changedAt: NOW + 500 }, receipts, NOW + seconds * 1000);
const delivery = (state: DeliveryState, times: Delivery['times'] = {}, by = 'unstuck'): Delivery => ({
  message,
  state,
  by,
  times: { queued: NOW, ...times },
});
const stateOf = (tracker: Tracker) => tracker.get(ID);
const after = (...deliveries: readonly Delivery[]) => {
  let tracker: Tracker = new Map();
  const receipts: Receipt[] = [];
  for (const one of deliveries) {
    const next = track(tracker, { type: 'delivery', delivery: one });
    tracker = next.tracker;
    receipts.push(...next.receipts);
  }
  return { tracker, receipts };
};

describe('the state of a message by its receipts', () => {
  it('is the furthest state, with the first time of each and the words of its receipt', () => {
    const found = inCur([said('queued', 9), said('taken', 5), said('taken', 3), said('failed', 7, { reason: 'why' })]);
    expect(found).toMatchObject({ state: 'failed', reason: 'why', by: 'hook:Stop' });
    expect(found.times).toEqual({ queued: NOW, taken: NOW + 3_000, failed: NOW + 7_000 });
    expect(found).not.toHaveProperty('outcome');
  });

  it('is given by the first of two receipts of the same rank', () => {
    expect(inCur([said('expired', 1), said('withdrawn', 2)]).state).toBe('expired');
    expect(inCur([said('withdrawn', 2), said('expired', 1)]).state).toBe('withdrawn');
  });

  it('has no reason if none was given', () => {
    expect(inCur([said('taken', 1)])).not.toHaveProperty('reason');
  });
});

describe('what the transcript shows about a message', () => {
  it('is nothing in an answer whose request began before the message was taken', () => {
    const { tracker } = after(delivery('taken', { taken: NOW + 1_000 }));
    const early = track(tracker, { type: 'request', at: NOW + 999 }).tracker;
    expect(stateOf(early)?.requested).toBe(false);
    expect(track(early, { type: 'answer', at: NOW + 2_000 }).receipts).toEqual([]);
    const late = track(tracker, { type: 'request', at: NOW + 1_000 }).tracker;
    expect(stateOf(late)?.requested).toBe(true);
    expect(track(late, { type: 'answer', at: NOW + 2_000 }).receipts[0]).toMatchObject({
      state: 'failed',
      reason: 'not_in_request',
    });
  });

  it('is nothing in a request while the message still waits', () => {
    const waiting = track(after(delivery('queued')).tracker, { type: 'request', at: NOW + 5_000 }).tracker;
    expect(stateOf(waiting)).toMatchObject({ state: 'queued', requested: false });
    const { receipts, tracker } = track(waiting, { type: 'answer', at: NOW + 6_000 });
    expect(receipts).toEqual([]);
    expect(stateOf(tracker)?.state).toBe('queued');
  });

  it('is not followed for a message that has ended, and is unknown for one that is not followed', () => {
    for (const state of ['acted', 'expired', 'withdrawn'] as const) {
      expect(after(delivery(state))).toEqual({ tracker: new Map(), receipts: [] });
      expect(after(delivery('queued'), delivery(state)).tracker.size).toBe(0);
    }
  });

  it('gets a receipt here only for a failure that the clock alone shows, once, and not for a message that was seen', () => {
    const times = { taken: NOW, failed: NOW + 60_000 };
    const byClock = delivery('failed', times, 'clock');
    expect(after(byClock).receipts).toMatchObject([{ state: 'failed', reason: 'not_seen' }]);
    expect(after(byClock, byClock).receipts).toHaveLength(1);
    expect(after(delivery('failed', times, 'hook:Stop')).receipts).toEqual([]);
    expect(after(delivery('queued', {}, 'clock')).receipts).toEqual([]);
    const seen = track(after(delivery('taken', { taken: NOW })).tracker, { type: 'seen', id: ID, at: NOW + 1 }).tracker;
    expect(track(seen, { type: 'delivery', delivery: byClock }).receipts).toEqual([]);
  });

  it('gets a receipt for a mark that showed first when the file is read, unless a receipt says it already', () => {
    const shown = track(new Map(), { type: 'seen', id: ID, at: NOW + 5 }).tracker;
    expect(stateOf(shown)).toMatchObject({ state: null, seenAt: NOW + 5, requested: false, same: false, steps: 0 });
    const read = track(shown, { type: 'delivery', delivery: delivery('taken', { taken: NOW + 1 }) });
    expect(read.receipts).toMatchObject([{ id: ID, state: 'seen' }]);
    expect(stateOf(read.tracker)).toMatchObject({ state: 'seen', takenAt: NOW + 1, incident: 'I1' });
    const again = track(read.tracker, { type: 'delivery', delivery: delivery('taken') });
    expect(again.receipts).toEqual([]);
    expect(stateOf(again.tracker)?.takenAt).toBe(NOW + 1);
    const known = track(shown, { type: 'delivery', delivery: delivery('seen', { seen: NOW + 5 }) });
    expect(known.receipts).toEqual([]);
  });

  it('includes a call that began with the sign of the message as a step after it', () => {
    const { tracker } = after(delivery('seen', { seen: NOW + 5 }));
    const step = (calledAt: number) =>
      stateOf(track(tracker, { type: 'step', at: NOW + 9, calledAt, repeats: () => false }).tracker)?.steps;
    expect(step(NOW + 4)).toBe(0);
    expect(step(NOW + 5)).toBe(1);
  });

  it('is forgotten for the oldest of all foreign messages, never for one of ours', () => {
    let { tracker } = after(delivery('queued'));
    for (let i = 0; i < 200; i++)
      tracker = track(tracker, {
        type: 'seen',
        id: `01JDBBBBBBBBBBBBBBBBBBB${String(i).padStart(3, '0')}`,
        at: NOW + i,
      }).tracker;
    expect(tracker.has(ID)).toBe(true);
    expect(tracker.has('01JDBBBBBBBBBBBBBBBBBBB199')).toBe(true);
    expect(tracker.has('01JDBBBBBBBBBBBBBBBBBBB000')).toBe(false);
  });
});

it('an inbox that cannot be used is one problem; the others are read, and broken receipts are skipped', async () => {
  const place = workspace();
  try {
    value(await sendMessage(place.root, draft({ session: 'good' }), NOW));
    const inboxes = join(place.root, '.unstuck/inbox');
    writeFileSync(join(inboxes, 'good/receipts.jsonl'), 'broken\nbroken too\n');
    writeFileSync(join(inboxes, 'a-file'), '');
    mkdirSync(join(inboxes, 'bad'));
    writeFileSync(join(inboxes, 'bad/new'), '');
    mkdirSync(join(inboxes, 'empty'));
    const all = await allDeliveries(place.root, NOW);
    expect(all.deliveries.map(({ message: { session } }) => session)).toEqual(['good']);
    expect(all.problems).toMatchObject([{ path: join(inboxes, 'bad/new'), code: 'unreadable' }]);
    rmSync(inboxes, { recursive: true });
    expect(await allDeliveries(place.root, NOW)).toEqual({ deliveries: [], problems: [] });
    writeFileSync(inboxes, '');
    expect((await allDeliveries(place.root, NOW)).problems).toMatchObject([{ path: inboxes, code: 'unreadable' }]);
  } finally {
    place.remove();
  }
});
