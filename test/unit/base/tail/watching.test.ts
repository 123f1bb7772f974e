import { appendFileSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Tail, type WatchFailure, createTail } from '../../../../src/base/tail';
import { type TailFs, systemFs } from '../../../../src/base/tail/file-system';
import type { TailOptions } from '../../../../src/base/tail/types';
import { silentLog } from '../../../../src/base/util/log';
import { Beat } from '../../../../src/base/beat';
import { FakeClock, eventually, settle, temporaryFolder, tracked } from './support';

let folder: string;
let clock: FakeClock;
const tails: Tail[] = [];

beforeEach(() => {
  folder = temporaryFolder();
  clock = new FakeClock();
});

afterEach(() => {
  for (const tail of tails.splice(0)) tail.dispose();
});

function newTail(options: Partial<TailOptions> = {}): Tail {
  const tail = createTail({ log: silentLog, clock, fs: tracked(), ...options });
  tails.push(tail);
  return tail;
}

function follow(tail: Tail, path: string) {
  const lines: string[] = [];
  const resets: string[] = [];
  const reader = tail.open(path, {
    unit: 'line',
    from: 'start',
    markers: [],
    line: (line) => void lines.push(line.text),
    reset: (reason) => void resets.push(reason),
  });
  return { lines, resets, reader };
}

/** A file system that counts its calls, and refuses or silences the watching of folders. */
function watched(mode: { refuse?: string; silent?: boolean }) {
  const counts = { armed: 0, closed: 0, statuses: 0, paths: [] as string[] };
  const fails: ((error: Error) => void)[] = [];
  const fs: TailFs = {
    ...systemFs,
    status: (path) => {
      counts.statuses++;
      return systemFs.status(path);
    },
    watch: (path, changed, failed) => {
      if (mode.refuse) throw Object.assign(new Error(mode.refuse), { code: mode.refuse });
      const watch = systemFs.watch(path, (kind, name) => mode.silent || changed(kind, name), failed);
      counts.armed++;
      counts.paths.push(path);
      fails.push(failed);
      return {
        close: () => {
          counts.closed++;
          watch.close();
        },
      };
    },
  };
  return { fs: tracked(fs), counts, fails };
}

describe('watching folders', () => {
  test('stops at the end: a watch that is never closed would keep its process alive', () => {
    const { fs, counts } = watched({});
    const tail = newTail({ fs });
    tail.dispose();
    tail.watch({ path: folder, depth: 1, matches: () => true, onFile: () => {} });
    follow(tail, join(folder, 'late.jsonl'));
    expect(counts.armed).toBe(0);
  });

  test('watches each folder once, whoever requests it, and no file', async () => {
    const { fs, counts } = watched({});
    const tail = newTail({ fs });
    mkdirSync(join(folder, 'sub'));
    for (const name of ['a.jsonl', 'b.jsonl', 'sub/c.jsonl']) writeFileSync(join(folder, name), '{}\n');
    const found: string[] = [];
    const root = tail.watch({
      path: folder,
      depth: 1,
      matches: () => true,
      onFile: ({ path }) => void found.push(path),
    });
    await eventually(() => expect(found.length).toBe(3));
    const readers = found.map((path) => follow(tail, path));
    await eventually(() => expect(readers.every(({ lines }) => lines.length === 1)).toBe(true));
    expect(counts.paths.sort()).toEqual([folder, join(folder, 'sub')]);
    root.dispose();
    for (const { reader } of readers) reader.dispose();
    expect(counts.closed).toBe(counts.armed);
  });

  test('uses no timer when nothing is watched', async () => {
    const tail = newTail();
    expect(clock.timers.size).toBe(0);
    const root = tail.watch({ path: folder, depth: 0, matches: () => true, onFile: () => {} });
    const { reader } = follow(tail, join(folder, 'a.jsonl'));
    await settle();
    expect(clock.timers.size).toBeGreaterThan(0);
    root.dispose();
    reader.dispose();
    await settle();
    expect(clock.timers.size).toBe(0);
    const again = tail.watch({ path: folder, depth: 0, matches: () => true, onFile: () => {} });
    await settle();
    expect(clock.timers.size).toBe(1);
    again.dispose();
    expect(clock.timers.size).toBe(0);
  });

  test.each(['EMFILE', 'ENOSPC'])(
    '%s: reported once, files and folders are checked every 2 s, and its recovery is reported',
    async (code) => {
      const mode: { refuse?: string } = { refuse: code };
      const { fs, counts } = watched(mode);
      const tail = newTail({ fs });
      const failures: (WatchFailure | null)[] = [];
      tail.onDidFailWatching((failure) => void failures.push(failure));
      mkdirSync(join(folder, 'sub'));
      const path = join(folder, 'a.jsonl');
      writeFileSync(path, '{"a":1}\n');
      const found: string[] = [];
      tail.watch({
        path: folder,
        depth: 1,
        matches: (name) => name.endsWith('.jsonl'),
        onFile: (file) => void found.push(file.path),
      });
      const { lines } = follow(tail, path);
      await eventually(() => expect(lines.length).toBe(1));
      expect(failures).toMatchObject([{ code }]);
      await clock.advance(4_000);

      appendFileSync(path, '{"a":2}\n');
      writeFileSync(join(folder, 'sub', 'new.jsonl'), '{}\n');
      await clock.advance(2_100);
      await eventually(() => expect(lines.length).toBe(2));
      await eventually(() => expect(found).toContain(join(folder, 'sub', 'new.jsonl')));
      appendFileSync(join(folder, 'sub', 'new.jsonl'), '{}\n');
      await clock.advance(4_100);
      await eventually(() => expect(found.filter((one) => one.endsWith('new.jsonl')).length).toBe(2));

      delete mode.refuse;
      await clock.advance(62_000);
      await eventually(() => expect(failures).toEqual([expect.anything(), null]));
      expect(counts.armed).toBe(2);
      appendFileSync(path, '{"a":3}\n');
      await eventually(() => expect(lines.length).toBe(3));
    },
  );

  test('a watcher that breaks later is also replaced by polling', async () => {
    const { fs, fails } = watched({});
    const tail = newTail({ fs });
    const failures: (WatchFailure | null)[] = [];
    tail.onDidFailWatching((failure) => void failures.push(failure));
    const path = join(folder, 'a.jsonl');
    writeFileSync(path, '{"a":1}\n');
    const { lines } = follow(tail, path);
    await eventually(() => expect(lines.length).toBe(1));
    for (const fail of fails) fail(Object.assign(new Error('gone'), { code: 'EIO' }));
    expect(failures).toMatchObject([{ code: 'EIO' }]);
    await settle();
    appendFileSync(path, '{"a":2}\n');
    await clock.advance(2_100);
    await eventually(() => expect(lines.length).toBe(2));
  });

  test('more folders than may be watched: the rest is polled', async () => {
    const { fs, counts } = watched({});
    const tail = newTail({ fs, watchLimit: 3 });
    const failures: (WatchFailure | null)[] = [];
    tail.onDidFailWatching((failure) => void failures.push(failure));
    for (let index = 0; index < 6; index++) {
      mkdirSync(join(folder, `f${index}`));
      writeFileSync(join(folder, `f${index}`, 'a.jsonl'), '{}\n');
    }
    const found: string[] = [];
    tail.watch({
      path: folder,
      depth: 1,
      matches: (name) => name.endsWith('.jsonl'),
      onFile: (file) => void found.push(file.path),
    });
    await eventually(() => expect(found.length).toBe(6));
    expect(counts.armed).toBe(3);
    expect(failures).toMatchObject([{ code: 'LIMIT' }]);
    await clock.advance(4_000);
    for (let index = 0; index < 6; index++) writeFileSync(join(folder, `f${index}`, 'b.jsonl'), '{}\n');
    await clock.advance(4_100);
    await eventually(() => expect(found.length).toBe(12));
  });

  test('a watcher that reports nothing is discovered by the sweep, and the file is checked every 2 s from then on', async () => {
    const { fs } = watched({ silent: true });
    const path = join(folder, 'a.jsonl');
    writeFileSync(path, '{"a":1}\n');
    const { lines } = follow(newTail({ fs }), path);
    await eventually(() => expect(lines.length).toBe(1));
    // A quiet file is checked less and less often, but still once a minute.
    await clock.advance(120_000);
    appendFileSync(path, '{"a":2}\n');
    await clock.advance(62_000);
    await eventually(() => expect(lines.length).toBe(2));
    for (let time = 3; time < 6; time++) {
      await clock.advance(30_000);
      appendFileSync(path, `{"a":${time}}\n`);
      await clock.advance(2_100);
      await eventually(() => expect(lines.length).toBe(time));
    }
  });

  test('a folder that appears in the first minute and is not reported is found by the first walk', async () => {
    const { fs } = watched({ silent: true });
    const found: string[] = [];
    const tail = newTail({ fs });
    tail.watch({ path: folder, depth: 2, matches: () => true, onFile: ({ path }) => void found.push(path) });
    await settle();
    mkdirSync(join(folder, 'session', 'subagents'), { recursive: true });
    const path = join(folder, 'session', 'subagents', 'a.jsonl');
    writeFileSync(path, '{"a":1}\n');
    await clock.advance(30_000);
    expect(found).toEqual([]);
    await clock.advance(32_000);
    await eventually(() => expect(found).toEqual([path]));
  });

  test('a file that is watched and quiet is checked less and less often', async () => {
    const { fs, counts } = watched({});
    const path = join(folder, 'a.jsonl');
    writeFileSync(path, '{"a":1}\n');
    const { lines } = follow(newTail({ fs }), path);
    await eventually(() => expect(lines.length).toBe(1));
    counts.statuses = 0;
    await clock.advance(30_000);
    expect(counts.statuses).toBeLessThanOrEqual(5);
    expect(counts.statuses).toBeGreaterThanOrEqual(3);
  });

  test('a folder above that is moved away unnoticed is discovered by the walk', async () => {
    mkdirSync(join(folder, 'x', 'y'), { recursive: true });
    const path = join(folder, 'x', 'y', 'a.jsonl');
    writeFileSync(path, '{"a":1}\n');
    const { lines, resets } = follow(newTail(), path);
    await eventually(() => expect(lines.length).toBe(1));
    // The first walk determines which folder is watched.
    await clock.advance(62_000);
    renameSync(join(folder, 'x'), join(folder, 'x.old'));
    mkdirSync(join(folder, 'x', 'y'), { recursive: true });
    writeFileSync(path, '{"b":1}\n');
    await clock.advance(62_000);
    await eventually(() => expect(lines).toEqual(['{"a":1}', '{"b":1}']));
    expect(resets).toEqual(['replaced']);
    appendFileSync(path, '{"b":2}\n');
    await eventually(() => expect(lines.length).toBe(3));
  });
});

describe('many files at once', () => {
  test('1000 appends to 1000 files: each line once, in order', async () => {
    const tail = createTail({ log: silentLog });
    tails.push(tail);
    const all: string[] = [];
    for (let index = 0; index < 1000; index++) {
      const inner = join(folder, `p${index % 50}`);
      if (index < 50) mkdirSync(inner);
      const path = join(inner, `${index}.jsonl`);
      writeFileSync(path, '{"n":0}\n');
      all.push(path);
    }
    const followed = all.map((path) => follow(tail, path));
    await eventually(() => expect(followed.every(({ lines }) => lines.length === 1)).toBe(true));
    for (let round = 1; round <= 3; round++) {
      for (const path of all) appendFileSync(path, `{"n":${round}}\n`);
      await eventually(() => expect(followed.filter(({ lines }) => lines.length <= round).length).toBe(0));
    }
    const expected = [0, 1, 2, 3].map((round) => `{"n":${round}}`);
    for (const { lines, resets } of followed) {
      expect(lines).toEqual(expected);
      expect(resets).toEqual([]);
    }
  });
});

describe('the store of an agent that is not installed', () => {
  /** The number of queries for any folder. The watches report nothing, as with a store that is mounted late. */
  function asking() {
    let asked = 0;
    const fs: TailFs = {
      ...watched({ silent: true }).fs,
      exists: (path) => {
        asked++;
        return systemFs.exists(path);
      },
    };
    return { fs, asked: () => asked };
  }

  test('is checked often in the first minute, then twice a minute, and found when it is there', async () => {
    const { fs, asked } = asking();
    const found: string[] = [];
    const store = join(folder, '.kiro/sessions/cli');
    const tail = newTail({ fs: tracked(fs) });
    tail.watch({ path: store, depth: 1, matches: () => true, onFile: ({ path }) => void found.push(path) });
    await clock.advance(60_000);
    const early = asked();
    await clock.advance(60_000);
    expect(asked() - early).toBeLessThanOrEqual(early / 5);
    mkdirSync(store, { recursive: true });
    writeFileSync(join(store, 'a.jsonl'), '');
    await clock.advance(60_000);
    await eventually(() => expect(found).toEqual([join(store, 'a.jsonl')]));
  });
});

describe('at rest', () => {
  const MINUTE = 60_000;

  /** Two files that are not written and two stores that do not exist, over a beat whose wake-ups are counted, three minutes after the start. */
  async function resting(fails: (fs: TailFs) => TailFs = (fs) => fs) {
    const counted = { wakes: 0, asked: [] as string[] };
    const beat = new Beat({
      now: clock.now,
      after: (milliseconds, run) => clock.after(milliseconds, () => (counted.wakes++, run())),
    });
    const ask = (path: string) => void counted.asked.push(path.slice(folder.length + 1));
    const { fs, ...watches } = watched({});
    const tail = newTail({
      beat,
      fs: fails({
        ...fs,
        exists: (path) => (ask(path), systemFs.exists(path)),
        status: (path) => (ask(path), fs.status(path)),
      }),
    });
    for (const store of ['.kiro/sessions/cli', '.local/share/opencode'])
      tail.watch({ path: join(folder, store), depth: 1, matches: () => true, onFile: () => {} });
    const paths = ['a.jsonl', 'b.jsonl'].map((name) => join(folder, name));
    for (const path of paths) writeFileSync(path, '{"n":0}\n');
    const followed: ReturnType<typeof follow>[] = [];
    for (const path of paths) {
      followed.push(follow(tail, path));
      // They are not due at the same time.
      await clock.advance(7_000);
    }
    await eventually(() => expect(followed.map(({ lines }) => lines.length)).toEqual([1, 1]));
    await clock.advance(3 * MINUTE);
    counted.wakes = 0;
    counted.asked = [];
    return { counted, paths, followed, ...watches };
  }

  test('it wakes at most three times a minute, and checks only the folder of a missing store that would appear first', async () => {
    const { counted } = await resting();
    await clock.advance(10 * MINUTE);
    expect(counted.wakes).toBeLessThanOrEqual(30);
    const stores = counted.asked.filter((path) => path.startsWith('.'));
    expect(new Set(stores)).toEqual(new Set(['.kiro', '.local']));
    expect(stores.length).toBeGreaterThanOrEqual(2 * 18);
    expect(stores.length).toBeLessThanOrEqual(2 * 20);
  });

  test('an append is seen at once, and then watched closely again', async () => {
    const { counted, paths, followed } = await resting();
    await clock.advance(10 * MINUTE);
    appendFileSync(paths[0] as string, '{"n":1}\n');
    await eventually(() => expect(followed[0]?.lines.length).toBe(2));
    counted.wakes = 0;
    await clock.advance(15_000);
    // After 2, 4 and 8 more seconds.
    expect(counted.wakes).toBeGreaterThanOrEqual(3);
  });

  test('a folder whose watcher breaks then is checked within seconds, and every 2 s from then on', async () => {
    const { fails, paths, followed } = await resting();
    await clock.advance(10 * MINUTE + 5_000);
    for (const fail of fails) fail(Object.assign(new Error('gone'), { code: 'EIO' }));
    await settle();
    for (let time = 2; time < 5; time++) {
      appendFileSync(paths[0] as string, '{"n":1}\n');
      await clock.advance(2_600);
      await eventually(() => expect(followed[0]?.lines.length).toBe(time));
    }
  });
});
