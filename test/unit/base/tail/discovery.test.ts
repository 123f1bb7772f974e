import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Candidate, type RootOptions, type Tail, createTail } from '../../../../src/base/tail';
import { type LocalFs, systemFs } from '../../../../src/base/tail/file-system';
import { monotonicClock } from '../../../../src/base/tail/pace/clock';
import { silentLog } from '../../../../src/base/util/log';
import { FakeClock, eventually, settle, temporaryFolder, threadedFs, tracked } from './support';

let folder: string;
let tail: Tail;

beforeEach(() => {
  folder = temporaryFolder();
  tail = createTail({ log: silentLog });
});

afterEach(() => tail.dispose());

function find(options: Partial<RootOptions> = {}, of: Tail = tail) {
  const found: string[] = [];
  const candidates: Candidate[] = [];
  const walked: { done: boolean } = { done: false };
  const root = options.path ?? folder;
  const watching = of.watch({
    path: root,
    depth: 3,
    matches: (path) => path.endsWith('.jsonl'),
    onFile: (candidate) => {
      candidates.push(candidate);
      found.push(relative(root, candidate.path));
    },
    onWalked: () => void (walked.done = true),
    ...options,
  });
  return { found, candidates, walked, watching };
}

const write = (...path: string[]): string => {
  const file = join(folder, ...path);
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, '{"a":1}\n');
  return file;
};

describe('finding files below a root', () => {
  test('reports the matching ones, newest first, down to the depth', async () => {
    const times: Record<string, number> = {
      'old.jsonl': 1000,
      'a/newest.jsonl': 3000,
      'a/b/newer.jsonl': 2000,
      'a/b/c/deep.jsonl': 500,
    };
    for (const [name, time] of Object.entries(times)) utimesSync(write(name), time, time);
    write('a/b/c/d/too-deep.jsonl');
    write('a/note.txt');
    const { found, candidates, walked } = find();
    await eventually(() => expect(walked.done).toBe(true));
    expect(found).toEqual(['a/newest.jsonl', 'a/b/newer.jsonl', 'old.jsonl', 'a/b/c/deep.jsonl']);
    expect(candidates[0]).toMatchObject({ size: 8, modifiedAt: 3_000_000, appeared: false });
  });

  describe('more folders than a window may hold', () => {
    const fill = (name: string, folders: number) => {
      for (let index = 0; index < folders; index++) write(`${name}/f${index}/a.jsonl`);
    };

    test('are left out, which is reported once with the number of held ones; there is room left for those that appear later', async () => {
      fill('.', 30);
      const own = createTail({ log: silentLog, folderLimit: 40 });
      try {
        const limits: number[] = [];
        const { found, walked } = find({ onLimit: (held) => void limits.push(held) }, own);
        await eventually(() => expect(walked.done).toBe(true));
        // In the first walk 18 of the 20 of one root: the root itself is one of them.
        expect(found).toHaveLength(17);
        expect(limits).toEqual([18]);
        write('late/a.jsonl');
        await eventually(() => expect(found).toContain('late/a.jsonl'));
        for (const index of [0, 1, 2]) write(`later${index}/a.jsonl`);
        // The one that finds room is the last of the 20.
        await eventually(() => expect(found).toHaveLength(19));
        expect(limits).toEqual([18]);
      } finally {
        own.dispose();
      }
    });

    test('below one root leave half of them to other roots', async () => {
      for (const name of ['one', 'two', 'three']) fill(name, 30);
      const own = createTail({ log: silentLog, folderLimit: 40 });
      try {
        const held: number[] = [];
        for (const name of ['one', 'two', 'three']) {
          const { walked } = find({ path: join(folder, name), onLimit: (count) => void held.push(count) }, own);
          await eventually(() => expect(walked.done).toBe(true));
        }
        expect(held).toEqual([18, 18, 1]);
      } finally {
        own.dispose();
      }
    });

    test('find room when others are removed', async () => {
      fill('.', 30);
      const own = createTail({ log: silentLog, folderLimit: 40 });
      try {
        const { found, walked } = find({}, own);
        await eventually(() => expect(walked.done).toBe(true));
        for (const path of found.slice(0, 10)) rmSync(join(folder, dirname(path)), { recursive: true });
        let made = 0;
        await eventually(() => {
          write(`new${made++}/a.jsonl`);
          // Two could be held without the removed ones.
          expect(found.filter((path) => path.startsWith('new')).length).toBeGreaterThan(2);
        });
      } finally {
        own.dispose();
      }
    });
  });

  test('finds a folder that got the inode of one whose removal is reported late', async () => {
    // first/ is removed, second/ made with its inode; the look at second/ comes back before the one at first/
    write('first/a.jsonl');
    let slow = false;
    const fs = threadedFs({
      status: async (path) => {
        if (slow && path.endsWith('first')) await new Promise((resolve) => setTimeout(resolve, 100));
        return systemFs.status(path);
      },
    });
    const own = createTail({ log: silentLog, fs });
    try {
      const { found } = find({}, own);
      await eventually(() => expect(found).toEqual(['first/a.jsonl']));
      slow = true;
      const { ino } = statSync(join(folder, 'first'));
      rmSync(join(folder, 'first'), { recursive: true });
      mkdirSync(join(folder, 'second'));
      if (statSync(join(folder, 'second')).ino !== ino) console.log('This file system gave the folder another inode.');
      write('second/b.jsonl');
      await eventually(() => expect(found).toEqual(['first/a.jsonl', 'second/b.jsonl']));
    } finally {
      own.dispose();
    }
  });

  // session/ is read, and is empty │ session/subagents/ appears, is found and watched │ the reading returns: it knows nothing of subagents/
  test('keeps a folder that appears while the folder above it is being read', async () => {
    let isRead = false;
    let returns = () => {};
    const returned = new Promise<void>((resolve) => void (returns = resolve));
    const fs = threadedFs({
      entries: async (path) => {
        const entries = await systemFs.entries(path);
        isRead ||= path.endsWith('session');
        if (path.endsWith('session')) await returned;
        return entries;
      },
    });
    const own = createTail({ log: silentLog, fs });
    try {
      const { found, walked } = find({}, own);
      await eventually(() => expect(walked.done).toBe(true));
      mkdirSync(join(folder, 'session'));
      await eventually(() => expect(isRead).toBe(true));
      write('session/subagents/first.jsonl');
      await eventually(() => expect(found).toEqual(['session/subagents/first.jsonl']));
      returns();
      await settle();
      write('session/subagents/second.jsonl');
      await eventually(() => expect(found[1]).toBe('session/subagents/second.jsonl'));
    } finally {
      own.dispose();
    }
  });

  test('keeps what it knows of a folder while no descriptor is left, and reads it again after 5 s', async () => {
    let isLeft = true;
    const clock = new FakeClock();
    const fs = tracked({
      ...systemFs,
      entries: async (path) => {
        if (!isLeft) throw Object.assign(new Error('EMFILE'), { code: 'EMFILE' });
        return systemFs.entries(path);
      },
    });
    const own = createTail({ log: silentLog, clock, fs });
    try {
      write('a/known.jsonl');
      const { found, walked } = find({}, own);
      await eventually(() => expect(walked.done).toBe(true));
      isLeft = false;
      write('b/new.jsonl');
      await settle();
      await clock.advance(4_000);
      expect(found).toEqual(['a/known.jsonl']);
      isLeft = true;
      await clock.advance(2_000);
      expect(found).toEqual(['a/known.jsonl', 'b/new.jsonl']);
    } finally {
      own.dispose();
    }
  });

  // 100 files │ each query is answered at once: no thread │ the tenth waits for the disk: a thread queries those after it
  test.each([
    [0, 100, 100],
    [10, 10, 26],
  ])(
    'queries a local disk directly for the status of new files, until that blocks (%s)',
    async (waits, least, most) => {
      for (let file = 0; file < 100; file++) write(`old/${file}.jsonl`);
      let asked = 0;
      let waited = 0;
      const byThread: string[] = [];
      const own = createTail({
        log: silentLog,
        clock: { ...monotonicClock, now: () => waited },
        fs: {
          ...systemFs,
          status: (path) => {
            byThread.push(path);
            return systemFs.status(path);
          },
          local: {
            ...(systemFs.local as LocalFs),
            holds: async () => true,
            status: (path) => {
              if (path.endsWith('.jsonl') && ++asked === waits) waited += 5;
              return (systemFs.local as LocalFs).status(path);
            },
          },
        },
      });
      try {
        const { found } = find({}, own);
        await eventually(() => expect(found).toHaveLength(100));
        const threaded = byThread.filter((path) => path.endsWith('.jsonl'));
        expect(asked).toBeGreaterThanOrEqual(least);
        expect(asked).toBeLessThanOrEqual(most);
        expect(threaded).toHaveLength(100 - asked);
      } finally {
        own.dispose();
      }
    },
  );

  test('does not open folders that cannot contain what is searched for', async () => {
    write('mine/a.jsonl');
    write('theirs/b.jsonl');
    const { found } = find({ enters: (path) => path === 'mine' });
    await eventually(() => expect(found).toEqual(['mine/a.jsonl']));
    write('theirs/c.jsonl');
    write('mine/d.jsonl');
    await eventually(() => expect(found).toEqual(['mine/a.jsonl', 'mine/d.jsonl']));
  });

  test('reports new files in new folders of new folders', async () => {
    const { found, candidates, walked } = find();
    await eventually(() => expect(walked.done).toBe(true));
    write('2026/11/20/rollout.jsonl');
    await eventually(() => expect(found).toEqual(['2026/11/20/rollout.jsonl']));
    expect(candidates[0]?.appeared).toBe(true);
    write('2026/11/21/rollout.jsonl');
    await eventually(() => expect(found[1]).toBe('2026/11/21/rollout.jsonl'));
  });

  test('reports a file that appears by a rename, and one that is there again', async () => {
    const { found, walked } = find();
    await eventually(() => expect(walked.done).toBe(true));
    renameSync(write('a.tmp'), join(folder, 'a.jsonl'));
    await eventually(() => expect(found).toEqual(['a.jsonl']));
    unlinkSync(join(folder, 'a.jsonl'));
    await settle();
    await new Promise((resolve) => setTimeout(resolve, 50));
    write('a.jsonl');
    await eventually(() => expect(found).toEqual(['a.jsonl', 'a.jsonl']));
  });

  test('waits for a root that does not exist, nor do the folders above it', async () => {
    const root = join(folder, 'home', '.agent', 'sessions');
    const { found, walked } = find({ path: root });
    await eventually(() => expect(walked.done).toBe(true));
    write('home/.agent/sessions/p/a.jsonl');
    await eventually(() => expect(found).toEqual(['p/a.jsonl']));
    rmSync(join(folder, 'home'), { recursive: true });
    await settle();
    write('home/.agent/sessions/q/b.jsonl');
    await eventually(() => expect(found).toContain('q/b.jsonl'));
  });

  test('follows links to folders and files, but not in circles', async () => {
    const elsewhere = temporaryFolder();
    mkdirSync(join(elsewhere, 'x'));
    writeFileSync(join(elsewhere, 'x', 'linked.jsonl'), '{}\n');
    write('a/b.jsonl');
    symlinkSync(folder, join(folder, 'a', 'up'));
    symlinkSync(join(folder, 'a'), join(folder, 'again'));
    symlinkSync(elsewhere, join(folder, 'out'));
    symlinkSync(join(folder, 'loop.jsonl'), join(folder, 'loop.jsonl'));
    symlinkSync(join(elsewhere, 'x', 'linked.jsonl'), join(folder, 'one.jsonl'));
    const { found, walked } = find({ depth: 10 });
    await eventually(() => expect(walked.done).toBe(true));
    expect(found.sort()).toEqual(['a/b.jsonl', 'one.jsonl', 'out/x/linked.jsonl']);
  });

  test('does not report pipes and folders with a matching name', async () => {
    mkdirSync(join(folder, 'folder.jsonl'));
    execFileSync('mkfifo', [join(folder, 'pipe.jsonl')]);
    write('file.jsonl');
    const { found, walked } = find();
    await eventually(() => expect(walked.done).toBe(true));
    execFileSync('mkfifo', [join(folder, 'later.jsonl')]);
    write('file2.jsonl');
    await eventually(() => expect(found).toEqual(['file.jsonl', 'file2.jsonl']));
  });

  test('reports a file that is not open again when it changes, at most every 2 s, and never if that was requested', async () => {
    const clock = new FakeClock();
    const slow = createTail({ log: silentLog, clock, fs: tracked() });
    const kept = write('kept.jsonl');
    const never = write('never.jsonl');
    const told: string[] = [];
    const { watching } = find(
      {
        onFile: (candidate) => (
          told.push(relative(folder, candidate.path)), candidate.path === never ? 'never' : undefined
        ),
      },
      slow,
    );
    await eventually(() => expect(told.length).toBe(2));
    told.length = 0;
    await clock.advance(3_000);
    for (let time = 0; time < 4; time++) {
      appendFileSync(kept, '{}\n');
      appendFileSync(never, '{}\n');
      await new Promise((resolve) => setTimeout(resolve, 20));
      await clock.advance(300);
    }
    expect(told).toEqual(['kept.jsonl']);
    await clock.advance(2_000);
    await eventually(() => expect(told).toEqual(['kept.jsonl', 'kept.jsonl']));
    watching.dispose();
    slow.dispose();
  });

  test('does not report a file that is open', async () => {
    const path = write('a.jsonl');
    const { found } = find();
    await eventually(() => expect(found).toEqual(['a.jsonl']));
    const lines: string[] = [];
    tail.open(path, { unit: 'line', from: 'start', markers: [], line: (line) => void lines.push(line.text) });
    await eventually(() => expect(lines.length).toBe(1));
    appendFileSync(path, '{"a":2}\n');
    await eventually(() => expect(lines.length).toBe(2));
    expect(found).toEqual(['a.jsonl']);
  });
});
