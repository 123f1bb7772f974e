import { describe, expect, it } from 'vitest';
import { type StepsInTime, stepsSince, watchOf } from '../../../../src/editor/panel-model/watch';
import { NOW, delivery, incident } from '../webview/support/panel-fixtures';

/** Steps at these times. Those in `seen` had a result that was seen before. */
const steps = (times: readonly number[], seen: readonly number[] = []): StepsInTime => ({
  length: times.length,
  at: (place) => times[place] ?? 0,
  wasSeen: (place) => seen.includes(times[place] ?? 0),
});
const recovering = { kind: 'recovering', since: NOW } as const;
const taken = delivery('01JNUDGE1', 'taken', { queued: NOW - 500, taken: NOW - 400 });
const gate = { ...taken, message: { ...taken.message, id: '01JGATE', kind: 'gate' as const } };

describe('the watch after a message was taken', () => {
  it('counts the steps since, and those with new results', () => {
    expect(stepsSince(20, steps([10, 20, 30, 40, 50], [40]))).toEqual({ seen: 3, fresh: 2 });
    expect(stepsSince(60, steps([10, 20]))).toEqual({ seen: 0, fresh: 0 });
  });

  it('follows the newest message that was taken, with its number among the nudges of the incident', () => {
    const view = { state: recovering, deliveries: [taken] };
    expect(watchOf(view, [], steps([NOW - 300], [NOW - 300]))).toEqual({
      kind: 'nudge',
      nudge: 1,
      takenAt: NOW - 400,
      seen: 1,
      fresh: 0,
    });
    const attempts = ['01JGONE', '01JNUDGE1'].map((message, index) => ({
      attempt: index + 1,
      kind: 'nudge' as const,
      message,
      at: NOW,
      automated: false,
      state: 'taken' as const,
    }));
    expect(watchOf(view, [incident({ attempts })], steps([]))?.nudge).toBe(2);
  });

  it('starts when the message appears in the transcript, if it was not seen being taken', () => {
    const shown = delivery('01JNUDGE2', 'seen', { queued: NOW - 500, seen: NOW - 200 });
    expect(watchOf({ state: recovering, deliveries: [taken, shown] }, [], steps([NOW - 300, NOW]))).toMatchObject({
      takenAt: NOW - 200,
      seen: 1,
      nudge: 2,
    });
  });

  it('gives no number to gate feedback: it is not a nudge', () => {
    expect(watchOf({ state: recovering, deliveries: [taken, gate] }, [], steps([]))).toMatchObject({
      kind: 'gate',
      nudge: 0,
    });
  });

  it('does not exist while the agent is not recovering, or if nothing was taken', () => {
    expect(watchOf({ state: { kind: 'stuck', since: NOW }, deliveries: [taken] }, [], steps([]))).toBeUndefined();
    expect(watchOf({ state: recovering, deliveries: [] }, [], steps([]))).toBeUndefined();
  });
});
