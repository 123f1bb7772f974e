import { describe, expect, test } from 'vitest';
import { Budget, Priority } from '../../../../src/base/tail/pace/budget';
import { Lanes } from '../../../../src/base/tail/pace/lanes';
import { Pacer } from '../../../../src/base/tail/pace/pacer';
import { FakeClock, settle } from './support';

function pacer(intervalMs = 25) {
  const clock = new FakeClock();
  const reads: number[] = [];
  const hold: { release?: () => void; wait: boolean } = { wait: false };
  const paced = new Pacer(clock, new Lanes(), intervalMs, async () => {
    reads.push(clock.now());
    if (hold.wait) await new Promise<void>((resolve) => (hold.release = resolve));
  });
  return { clock, reads, hold, paced };
}

describe('the pace of reading one file', () => {
  test('a change is read at once', async () => {
    const { reads, paced } = pacer();
    paced.wake();
    await settle();
    expect(reads).toEqual([1000]);
  });

  test('many changes are read at most once per 25 ms, and the last of them for certain', async () => {
    const { clock, reads, paced } = pacer();
    for (let at = 0; at < 100; at++) {
      paced.wake();
      await clock.advance(1);
    }
    await clock.advance(1000);
    expect(reads).toEqual([1000, 1025, 1050, 1075, 1100]);
    expect(clock.timers.size).toBe(0);
  });

  test('a change while the file is being read is read afterwards', async () => {
    const { clock, reads, hold, paced } = pacer();
    hold.wait = true;
    paced.wake();
    await settle();
    paced.wake();
    await clock.advance(100);
    expect(reads).toEqual([1000]);
    hold.wait = false;
    hold.release?.();
    await settle();
    expect(reads).toEqual([1000, 1100]);
  });

  test('a later look does not postpone a change', async () => {
    const { clock, reads, paced } = pacer();
    paced.wakeAfter(500);
    await clock.advance(100);
    paced.wake();
    await clock.advance(1000);
    expect(reads).toEqual([1100]);
  });

  test('a file that is written while it waits for its first look no longer waits for the others', async () => {
    const clock = new FakeClock();
    const lanes = new Lanes();
    const started: string[] = [];
    const pacerOf = (name: string): Pacer =>
      new Pacer(clock, lanes, 25, () => {
        started.push(name);
        return name === 'busy' ? new Promise(() => {}) : Promise.resolve();
      });
    for (let place = 0; place < 3; place++) pacerOf('busy').seed(5);
    const written = pacerOf('written');
    written.seed(1);
    await settle();
    expect(started).toEqual(['busy', 'busy', 'busy']);
    written.wake();
    await settle();
    expect(started).toEqual(['busy', 'busy', 'busy', 'written']);
  });

  test('nothing is read after the end', async () => {
    const { clock, reads, paced } = pacer();
    paced.wake();
    await settle();
    paced.wake();
    paced.dispose();
    paced.wake();
    await clock.advance(1000);
    expect(reads).toEqual([1000]);
    expect(clock.timers.size).toBe(0);
  });
});

describe('the time budget', () => {
  test('shared work ends after 6 ms, and continues when the loop has gone round, live files first', async () => {
    const clock = new FakeClock();
    const budget = new Budget(clock, 6);
    const order: string[] = [];
    const turns: number[] = [];
    let turn = 0;
    const count = (): void => {
      turn++;
      if (order.length < 12) setImmediate(count);
    };
    setImmediate(count);
    const work = async (name: string, priority: Priority): Promise<void> => {
      for (let step = 0; step < 4; step++) {
        while (!budget.begin()) await budget.turn(priority);
        order.push(name);
        turns.push(turn);
        clock.time += 3;
      }
    };
    await Promise.all([work('idle', Priority.idle), work('seed', Priority.seed), work('live', Priority.live)]);
    // Two steps of 3 ms fit into a slice. Waiting work continues by priority.
    const slices = new Map<number, string[]>();
    for (const [index, at] of turns.entries()) slices.set(at, [...(slices.get(at) ?? []), order[index] as string]);
    expect([...slices.values()].every((names) => names.length <= 2)).toBe(true);
    expect(order.lastIndexOf('live')).toBeLessThan(order.lastIndexOf('seed'));
    expect(order.lastIndexOf('seed')).toBeLessThan(order.lastIndexOf('idle'));
  });

  test('a long step is left to a fresh slice, which runs it however long it takes', async () => {
    const clock = new FakeClock();
    const budget = new Budget(clock, 6);
    expect(budget.begin()).toBe(true);
    expect(budget.spent(20)).toBe(false);
    clock.time += 3;
    expect(budget.spent(2)).toBe(false);
    expect(budget.spent(5)).toBe(true);
    await budget.turn(Priority.live);
    expect(budget.begin()).toBe(true);
    expect(budget.spent(20)).toBe(false);
  });

  test('work after a pause has a slice of its own', async () => {
    const clock = new FakeClock();
    const budget = new Budget(clock, 6);
    budget.begin();
    clock.time += 5;
    await settle();
    clock.time += 5;
    expect(budget.begin()).toBe(true);
    expect(budget.spent(0)).toBe(false);
  });
});

describe('reading of several files', () => {
  test('is limited to a few at a time; live files before first looks, newer before older, history last and alone', async () => {
    const lanes = new Lanes();
    const started: string[] = [];
    const release: (() => void)[] = [];
    const add = (name: string, priority: Priority, order = 0): void =>
      lanes.add({
        priority,
        order,
        run: () => {
          started.push(name);
          return new Promise((resolve) => release.push(resolve));
        },
      });
    for (const at of [1, 2, 3, 4, 5]) add(`seed ${at}`, Priority.seed, -at);
    add('history 1', Priority.idle);
    add('history 2', Priority.idle);
    expect(started).toEqual(['seed 1', 'seed 2', 'seed 3', 'history 1']);
    for (const at of [1, 2, 3]) add(`live ${at}`, Priority.live);
    expect(started.slice(4)).toEqual(['live 1', 'live 2']);
    while (release.length > 0) {
      release.shift()?.();
      await settle();
    }
    expect(started.slice(6)).toEqual(['live 3', 'seed 5', 'seed 4', 'history 2']);
  });
});
