import { describe, expect, it } from 'vitest';
import type { StoreRecord } from '../../../../src/history/journal/records';
import { createWriteQueue } from '../../../../src/history/journal/write-queue';
import { FakeClock } from '../support/fake-clock';

/** A deleted incident is the shortest record: its id identifies it. */
const record = (id: string, at = 0): StoreRecord => ({ k: 'remove', id, at, reopened: 0 });

/** A disk that is written when the test says so, and full when it says so. */
function disk() {
  const clock = new FakeClock(0);
  const writes: string[] = [];
  const results: (string | null)[] = [];
  const state = { isFull: false };
  const held: (() => void)[] = [];
  let isHeld = false;
  const queue = createWriteQueue({
    async write(records) {
      writes.push(records.map((one) => (one.k === 'remove' ? `${one.id}${one.at || ''}` : one.k)).join(' '));
      if (isHeld) await new Promise<void>((go) => held.push(go));
      if (state.isFull) throw Object.assign(new Error('no space'), { code: 'ENOSPC' });
    },
    after: (milliseconds, run) => clock.after(milliseconds, run),
    onResult: (error) => void results.push(error?.code ?? null),
  });
  return {
    clock,
    queue,
    writes,
    results,
    fill: () => void (state.isFull = true),
    empty: () => void (state.isFull = false),
    hold: () => void (isHeld = true),
    letGo: () => {
      isHeld = false;
      for (const go of held.splice(0)) go();
    },
  };
}

const settled = (promise: Promise<unknown>) =>
  promise.then(
    () => 'written',
    (error: { code: string }) => error.code,
  );
/** Lets everything run that is due now. */
const turn = () => new Promise<void>((go) => setImmediate(go));

describe('records that come in together', () => {
  it('are written at once, and what comes in meanwhile is written next', async () => {
    const { queue, writes, results, hold, letGo } = disk();
    hold();
    const first = [queue.add('a', record('a'), 0), queue.add('b', record('b'), 0)];
    await turn();
    const second = [queue.add('c', record('c'), 0), queue.add('d', record('d'), 0)];
    await turn();
    expect(writes).toEqual(['a b']);
    letGo();
    await Promise.all([...first, ...second]);
    expect(writes).toEqual(['a b', 'c d']);
    expect(results).toEqual([null, null]);
  });

  it('are as new as the latest version of each', async () => {
    const { queue, writes } = disk();
    await Promise.all([
      queue.add('a', record('a', 1), 0),
      queue.add('b', record('b'), 0),
      queue.add('a', record('a', 2), 0),
    ]);
    expect(writes).toEqual(['a2 b']);
  });

  it('are not written if none is waiting', async () => {
    const { queue, writes, results } = disk();
    await queue.flush();
    expect(writes).toEqual([]);
    expect(results).toEqual([]);
  });
});

describe('a record that may wait', () => {
  it('waits as long as it may, and starts no second timer', async () => {
    const { queue, writes, clock } = disk();
    const both = [queue.add('a', record('a'), 1_000), queue.add('b', record('b'), 1_000)];
    expect(clock.waiting).toBe(1);
    clock.pass(999);
    await turn();
    expect(writes).toEqual([]);
    clock.pass(1);
    await Promise.all(both);
    expect(writes).toEqual(['a b']);
    expect(clock.waiting).toBe(0);
  });

  it('is written earlier with one that may wait less, not later with one that may wait more', async () => {
    const { queue, writes, clock } = disk();
    const all = [queue.add('a', record('a'), 1_000)];
    all.push(queue.add('b', record('b'), 5_000), queue.add('c', record('c'), 100));
    expect(clock.waiting).toBe(1);
    clock.pass(100);
    await Promise.all(all);
    expect(writes).toEqual(['a b c']);
  });

  it('does not wait longer because of one that may', async () => {
    const { queue, writes, clock } = disk();
    const both = [queue.add('a', record('a'), 1_000), queue.add('b', record('b'), 5_000)];
    clock.pass(1_000);
    await Promise.all(both);
    expect(writes).toEqual(['a b']);
    expect(clock.waiting).toBe(0);
  });

  it('is written at once with one that cannot wait, and leaves no timer behind', async () => {
    const { queue, writes, clock } = disk();
    const waits = queue.add('a', record('a'), 1_000);
    await queue.add('b', record('b'), 0);
    await waits;
    expect(writes).toEqual(['a b']);
    expect(clock.waiting).toBe(0);
    // The timer is gone: the next record has its own.
    const next = queue.add('c', record('c'), 1_000);
    clock.pass(1_000);
    await next;
    expect(writes).toEqual(['a b', 'c']);
  });
});

describe('a full disk', () => {
  it('is reported to the caller, and what it did not take is retried after half a minute', async () => {
    const { queue, writes, results, clock, fill, empty } = disk();
    fill();
    expect(await settled(queue.add('a', record('a'), 0))).toBe('disk_full');
    expect(results).toEqual(['disk_full']);
    clock.pass(29_999);
    await turn();
    expect(writes).toEqual(['a']);
    empty();
    clock.pass(1);
    await turn();
    expect(writes).toEqual(['a', 'a']);
    expect(results).toEqual(['disk_full', null]);
    expect(clock.waiting).toBe(0);
    await queue.flush();
    expect(writes).toHaveLength(2);
  });

  it('is retried with the next record, which replaces the earlier version', async () => {
    const { queue, writes, clock, fill, empty } = disk();
    fill();
    await settled(queue.add('a', record('a', 1), 0));
    await settled(queue.add('b', record('b'), 0));
    expect(clock.waiting).toBe(1);
    empty();
    await queue.add('a', record('a', 2), 0);
    expect(writes).toEqual(['a1', 'a1 b', 'a2 b']);
    expect(clock.waiting).toBe(0);
  });

  it('is retried as long as it stays full', async () => {
    const { queue, writes, clock, fill } = disk();
    fill();
    await settled(queue.add('a', record('a'), 0));
    for (let i = 0; i < 3; i++) {
      clock.pass(30_000);
      await turn();
    }
    expect(writes).toEqual(['a', 'a', 'a', 'a']);
    expect(await settled(queue.flush())).toBe('disk_full');
  });

  it('costs the oldest of more than two thousand records, counted from the latest version of each', async () => {
    const { queue, writes, fill, empty } = disk();
    fill();
    const many = Array.from({ length: 2_000 }, (_, i) => queue.add(`k${i}`, record(`k${i}`), 0));
    await Promise.all(many.map(settled));
    await settled(queue.add('k0', record('k', 7), 0));
    await settled(queue.add('new', record('new'), 0));
    empty();
    await queue.flush();
    const kept = (writes.at(-1) ?? '').split(' ');
    expect(kept).toHaveLength(2_000);
    expect(kept[0]).toBe('k2');
    expect(kept.slice(-2)).toEqual(['k7', 'new']);
  });
});

describe('closing', () => {
  it('writes what waits, takes nothing more, and leaves no timer', async () => {
    const { queue, writes, clock } = disk();
    const waits = queue.add('a', record('a'), 60_000);
    await queue.close();
    await waits;
    expect(writes).toEqual(['a']);
    expect(await settled(queue.add('b', record('b'), 0))).toBe('closed');
    await queue.close();
    expect(writes).toEqual(['a']);
    expect(clock.waiting).toBe(0);
  });

  it('reports that the disk is full, and does not retry', async () => {
    const { queue, clock, fill } = disk();
    fill();
    const waits = settled(queue.add('a', record('a'), 60_000));
    expect(await settled(queue.close())).toBe('disk_full');
    expect(await waits).toBe('disk_full');
    expect(clock.waiting).toBe(0);
    await queue.close();
  });

  it('ends the retrying that was in progress', async () => {
    const { queue, clock, fill } = disk();
    fill();
    await settled(queue.add('a', record('a'), 0));
    expect(clock.waiting).toBe(1);
    await settled(queue.close());
    expect(clock.waiting).toBe(0);
  });
});

describe('work that must run between two writes', () => {
  it('waits for the current one and holds up the next, even if it fails', async () => {
    const { queue, writes, hold, letGo } = disk();
    hold();
    const first = queue.add('a', record('a'), 0);
    await turn();
    const seen: string[] = [];
    const between = queue.exclusively(() => {
      seen.push(writes.join());
      return Promise.reject(new Error('boom'));
    });
    const second = queue.add('b', record('b'), 0);
    await turn();
    expect(seen).toEqual([]);
    letGo();
    await expect(between).rejects.toThrow('boom');
    await Promise.all([first, second]);
    expect(seen).toEqual(['a']);
    expect(writes).toEqual(['a', 'b']);
  });
});
