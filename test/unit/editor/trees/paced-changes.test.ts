import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { PacedChanges } from '../../../../src/editor/trees/paced-changes';

/** Draws as VS Code's trees do: at once after 200 ms of quiet, otherwise once it is quiet. */
function tree() {
  const drawn: number[] = [];
  let timer: ReturnType<typeof setTimeout> | null = null;
  let waits = 0;
  const ask = (): void => {
    waits++;
    if (timer === null) drawn.push(Date.now());
    else clearTimeout(timer);
    timer = setTimeout(() => {
      timer = null;
      if (waits > 1) drawn.push(Date.now());
      waits = 0;
    }, 200);
  };
  return { drawn, ask };
}

describe('changes of a tree', () => {
  beforeEach(() => void vi.useFakeTimers({ now: 0 }));
  afterEach(() => void vi.useRealTimers());

  it('are drawn even if they arrive faster than VS Code draws, including the last one', () => {
    // an agent writes every 50 ms for five seconds
    const { drawn, ask } = tree();
    const changes = new PacedChanges<string>(ask);
    for (let at = 0; at < 5_000; at += 50) {
      changes.request();
      vi.advanceTimersByTime(50);
    }
    expect(drawn[0]).toBe(0);
    const waits = drawn.slice(1).map((at, index) => at - (drawn[index] ?? 0));
    expect(Math.max(...waits)).toBeLessThanOrEqual(300);
    vi.advanceTimersByTime(1_000);
    expect(drawn.at(-1)).toBeGreaterThan(4_900);
    const without = tree();
    for (let at = 0; at < 5_000; at += 50) {
      without.ask();
      vi.advanceTimersByTime(50);
    }
    expect(without.drawn).toHaveLength(1);
  });

  it('are sent row by row while they are few, each once, and together when they are many', () => {
    const told: (string | undefined)[] = [];
    const changes = new PacedChanges<string>((row) => told.push(row), 2);
    changes.request(['a']);
    changes.request(['b', 'c']);
    changes.request(['b']);
    expect(told).toEqual(['a']);
    vi.advanceTimersByTime(250);
    expect(told).toEqual(['a', 'b', 'c']);
    changes.request(['a', 'b', 'c']);
    vi.advanceTimersByTime(250);
    expect(told).toEqual(['a', 'b', 'c', undefined]);
    changes.request([]);
    vi.advanceTimersByTime(500);
    expect(told).toHaveLength(4);
  });

  it('let a long list rest for a while after it was drawn, and draw single rows in the meantime', () => {
    // VS Code keeps a little of each row that it ever drew.
    const told: [number, string | undefined][] = [];
    const began = Date.now();
    const changes = new PacedChanges<string>(
      (row) => told.push([Date.now() - began, row]),
      2,
      () => 1_000,
    );
    changes.request();
    vi.advanceTimersByTime(300);
    changes.request(['a']);
    vi.advanceTimersByTime(300);
    changes.request();
    vi.advanceTimersByTime(2_000);
    expect(told).toEqual([
      [0, undefined],
      [500, 'a'],
      [1_000, undefined],
    ]);
    changes.dispose();
  });

  it('draw what is urgent in the next turn, however long the list rests', () => {
    const told: number[] = [];
    const began = Date.now();
    const changes = new PacedChanges<string>(
      () => told.push(Date.now() - began),
      2,
      () => 4_000,
    );
    changes.request();
    vi.advanceTimersByTime(300);
    changes.request();
    changes.requestNow();
    vi.advanceTimersByTime(300);
    changes.request();
    vi.advanceTimersByTime(5_000);
    expect(told).toEqual([0, 500, 4_500]);
    changes.dispose();
  });

  it('wait while rows are fetched for an earlier drawing, but not for ever', () => {
    const told: number[] = [];
    const began = Date.now();
    const changes = new PacedChanges<string>(() => told.push(Date.now() - began));
    // The tree is opened: VS Code fetches its groups, then their rows.
    changes.fetched();
    changes.request();
    vi.advanceTimersByTime(300);
    changes.fetched();
    vi.advanceTimersByTime(440);
    expect(told).toEqual([]);
    vi.advanceTimersByTime(250);
    expect(told).toEqual([750]);
    changes.request();
    for (let at = 0; at < 4_000; at += 100) {
      changes.fetched();
      vi.advanceTimersByTime(100);
    }
    expect(told).toEqual([750, 3_000]);
    changes.dispose();
  });

  it('end with the tree', () => {
    const told: unknown[] = [];
    const changes = new PacedChanges<string>((row) => told.push(row));
    changes.request();
    changes.request();
    changes.dispose();
    vi.advanceTimersByTime(500);
    changes.request();
    expect(told).toHaveLength(1);
  });
});
