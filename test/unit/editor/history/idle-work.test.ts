import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { startIdleWork } from '../../../../src/editor/history/idle-work';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function stage() {
  const did: string[] = [];
  const work = startIdleWork({ run: () => Promise.resolve(void did.push('read')) }, {
    clean: () => Promise.resolve(void did.push('clean')),
  } as never);
  return { did, work };
}

it('earlier sessions are read after the live ones had five seconds, and saved results are cleaned every hour', () => {
  const { did, work } = stage();
  vi.advanceTimersByTime(4_999);
  expect(did).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(did).toEqual(['read', 'clean']);
  vi.advanceTimersByTime(2 * 3_600_000);
  expect(did).toEqual(['read', 'clean', 'clean', 'clean']);
  work.dispose();
});

it('no timer is left once the window is gone', () => {
  const { did, work } = stage();
  work.dispose();
  vi.advanceTimersByTime(3 * 3_600_000);
  expect([did, vi.getTimerCount()]).toEqual([[], 0]);
});
