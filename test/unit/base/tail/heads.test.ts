import { appendFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createTail } from '../../../../src/base/tail';
import { silentLog } from '../../../../src/base/util/log';
import { FakeClock, settle, temporaryFolder, tracked } from './support';

/** The cost of checking one head: a number of steps of a number of milliseconds. */
const STEPS = 5;
const STEP_MS = 2;

/** A folder of files whose heads take 10 ms each, made so by an attacker. */
function hostile(files: number) {
  const folder = temporaryFolder();
  const names = Array.from({ length: files }, (_, number) => `${number}.jsonl`);
  for (const name of names) writeFileSync(join(folder, name), `${name}\n`);
  const clock = new FakeClock();
  /** The first query about a file, before it is opened. */
  const asked: string[] = [];
  const opened: string[] = [];
  const fs = tracked();
  const tail = createTail({
    log: silentLog,
    clock,
    fs: {
      ...fs,
      status: (path) => {
        asked.push(path);
        return fs.status(path);
      },
      open: (path) => {
        opened.push(path);
        return fs.open(path);
      },
    },
  });
  const from = clock.time;
  /** Each step: its turn of the loop, its time, and its file. */
  const steps: { readonly turn: number; readonly at: number; readonly name: string }[] = [];
  const seen: string[] = [];
  let turn = 0;
  const count = (): void => {
    turn++;
    if (seen.length < files) setImmediate(count);
  };
  count();
  function* look(head: string): Generator<undefined, void> {
    const name = head.trim();
    for (let step = 0; step < STEPS; step++) {
      steps.push({ turn, at: clock.time - from, name });
      clock.time += STEP_MS;
      yield;
    }
    seen.push(name);
  }
  const lookAt = (name: string, modifiedAt = 0, isExpected = false): Promise<void> =>
    tail.lookAtHead(join(folder, name), { isExpected, modifiedAt }, look);
  return { folder, names, clock, tail, asked, opened, steps, seen, lookAt };
}

/** Lets the clock run until it is done. */
async function run(clock: FakeClock, isDone: () => boolean): Promise<void> {
  while (!isDone()) await clock.advance(50);
}

describe('a folder full of files whose heads are slow to check', () => {
  test('never holds up the event loop for more than 8 ms', async () => {
    const { names, clock, tail, steps, seen, lookAt } = hostile(60);
    for (const name of names) void lookAt(name);
    await run(clock, () => seen.length === names.length);
    const inTurn = new Map<number, number>();
    for (const { turn } of steps) inTurn.set(turn, (inTurn.get(turn) ?? 0) + STEP_MS);
    expect(Math.max(...inTurn.values())).toBeLessThanOrEqual(8);
    tail.dispose();
  });

  test('gets a quarter of the time, after 200 ms at once', async () => {
    const { names, clock, tail, steps, seen, lookAt } = hostile(60);
    for (const name of names) void lookAt(name);
    await run(clock, () => seen.length === names.length);
    const early = steps.filter(({ at }, done) => done * STEP_MS > 200 + at / 4);
    expect(early).toEqual([]);
    expect(steps.length * STEP_MS).toBe(600);
    // 200 ms at once, and 400 at a quarter
    expect(steps.at(-1)?.at).toBeGreaterThan(1_500);
    tail.dispose();
  });

  test('is still read completely, each file once', async () => {
    const { folder, names, clock, tail, opened, steps, seen, lookAt } = hostile(60);
    const all = Promise.all(names.map((name) => lookAt(name)));
    await run(clock, () => seen.length === names.length);
    await all;
    expect([...seen].sort()).toEqual([...names].sort());
    expect([...opened].sort()).toEqual(names.map((name) => join(folder, name)).sort());
    for (const name of names) expect(steps.filter((step) => step.name === name).length).toBe(STEPS);
    expect(clock.timers.size).toBe(0);
    tail.dispose();
  });

  test('does not delay a followed file', async () => {
    const { folder, names, clock, tail, seen, lookAt } = hostile(60);
    const path = join(folder, 'followed');
    writeFileSync(path, '');
    const lines: string[] = [];
    const reader = tail.open(path, { unit: 'line', from: 'start', markers: [], line: ({ text }) => lines.push(text) });
    await settle();
    for (const name of names) void lookAt(name);
    await settle();
    expect(seen.length).toBeLessThan(names.length);
    appendFileSync(path, 'news\n');
    reader.poke();
    await clock.advance(50);
    expect(lines).toEqual(['news']);
    expect(seen.length).toBeLessThan(names.length);
    tail.dispose();
    await clock.advance(1_000);
  });
});

describe('the order of heads', () => {
  test('is expected files first, newest first among them', async () => {
    const { clock, tail, asked, seen, lookAt } = hostile(7);
    // as many as are read at a time
    for (const name of ['0.jsonl', '1.jsonl', '2.jsonl']) void lookAt(name);
    void lookAt('3.jsonl', 100);
    void lookAt('4.jsonl', 300);
    void lookAt('5.jsonl', 200, true);
    void lookAt('6.jsonl', 250, true);
    await run(clock, () => seen.length === 7);
    // Three are read at a time, and the system answers in any order: the order in which they begin counts.
    const order = asked.map((path) => basename(path)).filter((name) => !/^[0-2]/.test(name));
    expect(order).toEqual(['6.jsonl', '5.jsonl', '4.jsonl', '3.jsonl']);
    tail.dispose();
  });

  test('does not include a head that still waits when everything ends', async () => {
    const { clock, tail, steps, seen, lookAt } = hostile(60);
    const all = Promise.all(Array.from({ length: 60 }, (_, number) => lookAt(`${number}.jsonl`)));
    await settle();
    const before = steps.length;
    tail.dispose();
    await clock.advance(5_000);
    await all;
    expect(steps.length).toBe(before);
    expect(seen.length).toBeLessThan(60);
    // ends the count of turns
    seen.push(...Array.from({ length: 60 }, () => ''));
  });

  test('is not blocked by a head that cannot be read or checked', async () => {
    const { clock, tail, seen, lookAt, folder } = hostile(2);
    const options = { isExpected: false, modifiedAt: 0 };
    const missing = tail.lookAtHead(join(folder, 'missing'), options, function* () {
      seen.push('missing');
      yield;
    });
    const broken = tail.lookAtHead(join(folder, '0.jsonl'), options, function* () {
      yield;
      throw new Error('a bug');
    });
    const later = lookAt('1.jsonl');
    await expect(missing).rejects.toMatchObject({ code: 'ENOENT' });
    await broken;
    await run(clock, () => seen.length === 1);
    await later;
    expect(seen).toEqual(['1.jsonl']);
    seen.push('');
    tail.dispose();
  });
});
