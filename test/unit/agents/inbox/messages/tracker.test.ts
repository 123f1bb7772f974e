import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { deliveryFrom } from '../../../../../src/agents/inbox/messages/deliveries';
import { emptyTracker, track, type Tracker, type TrackerInput } from '../../../../../src/agents/inbox/messages/tracker';
import { messageOf } from '../../../../../src/agents/inbox/messages/send';
import type { Delivery, Receipt } from '../../../../../src/core/model';
import { draft, NOW } from '../inbox-kit';

const ID = '01JDAAAAAAAAAAAAAAAAAAAAAA';
const message = messageOf(draft({ incident: 'I1' }), ID, NOW);

function delivery(state: 'queued' | 'taken' | 'seen', at = NOW): Delivery {
  return { message, state, times: { queued: NOW, ...(state === 'queued' ? {} : { [state]: at }) }, by: 'unstuck' };
}

const never = (): boolean => false;
const step = (
  at: number,
  repeats: (incident: string | null) => boolean = never,
  calledAt: number = at,
): TrackerInput => ({
  type: 'step',
  at,
  calledAt,
  repeats,
});

/** Feeds all inputs, returns the receipts as `state outcome or reason @ seconds`. */
function run(...inputs: TrackerInput[]): string[] {
  let tracker: Tracker = emptyTracker;
  const receipts: Receipt[] = [];
  for (const input of inputs) {
    const next = track(tracker, input);
    tracker = next.tracker;
    receipts.push(...next.receipts);
  }
  return receipts.map((one) =>
    [one.state, one.outcome ?? one.reason, `@${(Date.parse(one.t) - NOW) / 1000}`].filter(Boolean).join(' '),
  );
}

describe('a message', () => {
  it('is seen with its mark, and acted upon 5 steps later, with the outcome changed if the result did not come back', () => {
    const seen: TrackerInput = { type: 'seen', id: ID, at: NOW + 2_000 };
    const steps = [3, 4, 5, 6].map((second) => step(NOW + second * 1000));
    const start = [{ type: 'delivery', delivery: delivery('taken', NOW + 1_000) } as const, seen, ...steps];
    expect(run(...start)).toEqual(['seen @2']);
    expect(run(...start, step(NOW + 7_000), step(NOW + 8_000))).toEqual(['seen @2', 'acted changed @7']);
    const repeating = step(NOW + 7_000, (incident) => incident === 'I1');
    expect(run(...start, repeating)).toEqual(['seen @2', 'acted same @7']);
  });

  it('does not count steps before it was seen', () => {
    const steps = [1, 2, 3, 4, 5].map((second) => step(NOW + second * 1000, () => true));
    expect(run({ type: 'delivery', delivery: delivery('taken') }, ...steps)).toEqual([]);
  });

  it('does not count the step whose result brought it: its call was made before', () => {
    const seen: TrackerInput = { type: 'seen', id: ID, at: NOW + 2_000 };
    const brought = step(NOW + 2_000, () => true, NOW + 1_500);
    const after = [3, 4, 5, 6, 7].map((second) => step(NOW + second * 1000));
    expect(run({ type: 'delivery', delivery: delivery('taken', NOW + 1_000) }, seen, brought, ...after)).toEqual([
      'seen @2',
      'acted changed @7',
    ]);
  });

  it('has failed after 60 s without a sign, once', () => {
    const taken: TrackerInput = { type: 'delivery', delivery: delivery('taken', NOW + 1_000) };
    const tick = (second: number): TrackerInput => ({ type: 'tick', at: NOW + second * 1000 });
    expect(run(taken, tick(60))).toEqual([]);
    expect(run(taken, tick(61), tick(62), tick(90))).toEqual(['failed not_seen @61']);
  });

  it('has failed when a request that began after it was taken was answered without it', () => {
    const taken: TrackerInput = { type: 'delivery', delivery: delivery('taken', NOW + 1_000) };
    const request = (second: number): TrackerInput => ({ type: 'request', at: NOW + second * 1000 });
    const answer = (second: number): TrackerInput => ({ type: 'answer', at: NOW + second * 1000 });
    // The request that was already running could not carry it.
    expect(run(request(0), taken, answer(2))).toEqual([]);
    expect(run(taken, request(2), answer(4))).toEqual(['failed not_in_request @4']);
    expect(run(taken, request(2), { type: 'seen', id: ID, at: NOW + 3_000 }, answer(4))).toEqual(['seen @3']);
  });

  it('that is seen late counts as seen nevertheless', () => {
    const taken: TrackerInput = { type: 'delivery', delivery: delivery('taken', NOW) };
    expect(run(taken, { type: 'tick', at: NOW + 60_000 }, { type: 'seen', id: ID, at: NOW + 70_000 })).toEqual([
      'failed not_seen @60',
      'seen @70',
    ]);
  });

  it('gets a receipt for a failure that the clock alone shows', () => {
    const failed = deliveryFrom(message, { folder: 'cur', changedAt: NOW }, [], NOW + 100_000);
    expect(failed.state).toBe('failed');
    const told: TrackerInput = { type: 'delivery', delivery: failed };
    expect(run(told, told)).toEqual(['failed not_seen @60']);
  });

  it('may show in the transcript before its file is read: nothing is lost', () => {
    const seen: TrackerInput = { type: 'seen', id: ID, at: NOW + 2_000 };
    const steps = [3, 4, 5, 6, 7].map((second) => step(NOW + second * 1000));
    expect(run(seen, ...steps, { type: 'delivery', delivery: delivery('taken', NOW + 1_000) })).toEqual([
      'seen @2',
      'acted changed @7',
    ]);
  });

  it('is not reported twice after a reload', () => {
    const seen: TrackerInput = { type: 'seen', id: ID, at: NOW + 2_000 };
    expect(run({ type: 'delivery', delivery: delivery('seen', NOW + 2_000) }, seen, seen)).toEqual([]);
    const done: Delivery = { message, state: 'acted', times: { queued: NOW }, outcome: 'same' };
    expect(
      run(seen, { type: 'delivery', delivery: done }, step(NOW), step(NOW), step(NOW), step(NOW), step(NOW)),
    ).toEqual([]);
  });

  it('reports each state at most once, whatever happens in whatever order, and marks of others do not pile up', () => {
    const input = fc.oneof(
      fc.constantFrom<'queued' | 'taken' | 'seen'>('queued', 'taken', 'seen').map(
        (state): TrackerInput => ({
          type: 'delivery',
          delivery: delivery(state),
        }),
      ),
      fc.constantFrom(ID, '01JDBBBBBBBBBBBBBBBBBBBBBB').map((id): TrackerInput => ({ type: 'seen', id, at: NOW })),
      fc.boolean().map((repeats): TrackerInput => step(NOW, () => repeats)),
      fc.constantFrom<'request' | 'answer' | 'tick'>('request', 'answer', 'tick').map(
        (type): TrackerInput => ({
          type,
          at: NOW + 61_000,
        }),
      ),
    );
    fc.assert(
      fc.property(fc.array(input, { maxLength: 60 }), (inputs) => {
        let tracker: Tracker = emptyTracker;
        const said: string[] = [];
        let settled = false;
        for (const one of inputs) {
          // The engine receives a settled message as settled, not as waiting again.
          if (settled && one.type === 'delivery') continue;
          const next = track(tracker, one);
          tracker = next.tracker;
          said.push(...next.receipts.map(({ state }) => state));
          settled ||= next.receipts.some(({ state }) => state === 'acted');
        }
        expect(said.filter((state) => state === 'acted').length).toBeLessThanOrEqual(1);
        expect(tracker.size).toBeLessThanOrEqual(2);
      }),
    );
    let tracker: Tracker = emptyTracker;
    for (let index = 0; index < 100; index++)
      tracker = track(tracker, { type: 'seen', id: String(index), at: NOW }).tracker;
    expect(tracker.size).toBe(20);
  });
});

describe('a message that the transcript shows before its file was read', () => {
  const seen: TrackerInput = { type: 'seen', id: ID, at: NOW + 2_000 };
  const file: TrackerInput = { type: 'delivery', delivery: delivery('taken', NOW + 1_000) };
  const steps = [3, 4, 5, 6, 7, 8].map((second) => step(NOW + second * 1000));

  it('was acted upon with the fifth step, however many came until the file was read, and this is reported once', () => {
    expect(run(seen, ...steps, file)).toEqual(['seen @2', 'acted changed @7']);
    expect(run(seen, ...steps, file, ...steps)).toEqual(['seen @2', 'acted changed @7']);
  });

  it('is followed further if fewer steps came', () => {
    const [first, second, ...others] = steps;
    if (!first || !second) throw new Error('no steps');
    expect(run(seen, first, second, file)).toEqual(['seen @2']);
    expect(run(seen, first, second, file, ...others)).toEqual(['seen @2', 'acted changed @7']);
  });
});
