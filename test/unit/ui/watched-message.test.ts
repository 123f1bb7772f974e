import { expect, it } from 'vitest';
import { SEEN_FLAG } from '../../../src/engine/session/timeline';
import { watchedMessage } from '../../../src/ui/watched-message';
import { delivery } from './support/views';

/** Steps at 1, 2, 3, ...; `seen` are those whose result was known before. */
const timeline = (length: number, ...seen: number[]) => ({
  length,
  at: (step: number) => step + 1,
  flag: (step: number) => (seen.includes(step + 1) ? SEEN_FLAG : 0),
});

it('watches nothing while no message was taken, or no step is known', () => {
  expect(watchedMessage({ deliveries: [delivery('1', { queued: 1 })] }, timeline(5))).toBeNull();
  expect(watchedMessage({ deliveries: [delivery('1', { taken: 1 })] }, undefined)).toBeNull();
});

it('counts the steps after the newest message that was taken, and those with new results', () => {
  const deliveries = [delivery('1', { taken: 1 }), delivery('2', { taken: 3 }), delivery('3', { queued: 4 })];
  expect(watchedMessage({ deliveries }, timeline(6, 1, 5))).toEqual({ nudge: 2, takenAt: 3, seen: 3, fresh: 2 });
});

it('takes the moment at which a message shows in the transcript, where nobody saw it taken', () => {
  expect(watchedMessage({ deliveries: [delivery('1', { seen: 5 })] }, timeline(6))).toEqual({
    nudge: 1,
    takenAt: 5,
    seen: 1,
    fresh: 1,
  });
});
