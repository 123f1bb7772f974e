import { execFileSync } from 'node:child_process';
import { appendFileSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type Tail, createTail, readWholeFile } from '../../../../src/base/tail';
import type { OpenOptions, TailOptions } from '../../../../src/base/tail/types';
import { type TailFs, systemFs } from '../../../../src/base/tail/file-system';
import { Budget } from '../../../../src/base/tail/pace/budget';
import { monotonicClock } from '../../../../src/base/tail/pace/clock';
import { isCut } from '../../../../src/base/util/cut';
import { silentLog } from '../../../../src/base/util/log';
import { FakeClock, eventually, settle, temporaryFolder, threadedFs, tracked } from './support';

let folder: string;
const tails: Tail[] = [];

function newTail(options: Partial<TailOptions> = {}): Tail {
  const tail = createTail({ log: silentLog, ...options });
  tails.push(tail);
  return tail;
}

function open(tail: Tail, path: string, options: Partial<OpenOptions> = {}) {
  const seen = {
    lines: [] as { text: string; line: number; offset: number; calls: number }[],
    documents: [] as [string, number][],
    databases: [] as [string, string | null][],
    problems: [] as string[],
    resets: [] as string[],
    caughtUp: 0,
    gone: 0,
  };
  const reader = tail.open(path, {
    unit: 'line',
    from: 'start',
    markers: ['"call"'],
    line: (line, calls) => void seen.lines.push({ ...line, calls }),
    document: (text, calls) => void seen.documents.push([text, calls]),
    database: (database, log) =>
      void seen.databases.push([Buffer.from(database).toString(), log && Buffer.from(log).toString()]),
    problem: (problem) => void seen.problems.push(`${problem.code}: ${problem.why}`),
    reset: (reason) => void seen.resets.push(reason),
    caughtUp: () => void seen.caughtUp++,
    gone: () => void seen.gone++,
    ...options,
  });
  return { seen, reader };
}

const texts = (seen: { lines: { text: string }[] }): string[] => seen.lines.map((line) => line.text);

beforeEach(() => {
  folder = temporaryFolder();
});

afterEach(() => {
  for (const tail of tails.splice(0)) tail.dispose();
});

describe('reading lines', () => {
  test('reports when everything is read, even of an empty file, and after each batch', async () => {
    const path = join(folder, 'a.jsonl');
    writeFileSync(path, '');
    const { seen, reader } = open(newTail(), path);
    await eventually(() => expect(seen.caughtUp).toBe(1));
    appendFileSync(path, '{"type":"call"}\n{"half":');
    await eventually(() => expect(seen.caughtUp).toBe(2));
    expect(seen.lines).toEqual([{ text: '{"type":"call"}', line: 1, offset: 0, calls: 1 }]);
    expect(reader.offset).toBe(24);
  });

  test('yields a complete last object without its line break once the file is quiet', async () => {
    const path = join(folder, 'a.jsonl');
    writeFileSync(path, '{"a":1}\n{"b":2}');
    const clock = new FakeClock();
    const { seen } = open(newTail({ clock, fs: tracked() }), path);
    await eventually(() => expect(texts(seen)).toEqual(['{"a":1}']));
    await clock.advance(2_000);
    await eventually(() => expect(texts(seen)).toEqual(['{"a":1}', '{"b":2}']));
    appendFileSync(path, '\n{"c":3}\n');
    await clock.advance(50);
    await eventually(() =>
      expect(seen.lines.map((line) => [line.text, line.line])).toEqual([
        ['{"a":1}', 1],
        ['{"b":2}', 2],
        ['{"c":3}', 3],
      ]),
    );
  });

  test('begins with the last 256 KB, counts the lines before on request, and numbers what follows', async () => {
    const path = join(folder, 'a.jsonl');
    const all = Array.from({ length: 10_000 }, (_, index) => JSON.stringify({ index, text: 'ü'.repeat(40) }));
    writeFileSync(path, `${all.join('\n')}\n`);
    const tail = newTail();
    const { seen, reader } = open(tail, path, { from: 256 * 1024 });
    await eventually(() => expect(seen.caughtUp).toBe(1));
    expect(texts(seen)).toEqual(all.slice(-seen.lines.length));
    const bytes = Buffer.byteLength(`${texts(seen).join('\n')}\n`);
    expect(bytes).toBeLessThanOrEqual(256 * 1024);
    expect(bytes).toBeGreaterThan(255 * 1024);
    expect(seen.lines.every((line) => line.line === 0)).toBe(true);
    expect(await tail.countLines(path, reader.seedOffset)).toBe(10_000 - seen.lines.length);

    const history: number[] = [];
    let done = 0;
    const state = await reader.readHistory(
      (line) => {
        expect(line.text).toBe(all[line.line - 1]);
        history.push(line.line);
      },
      () => done++,
    );
    expect([state, done]).toEqual(['done', 1]);
    expect(history).toEqual(Array.from({ length: 10_000 }, (_, index) => index + 1));
    appendFileSync(path, '{"last":1}\n');
    await eventually(() => expect(seen.lines.at(-1)).toMatchObject({ text: '{"last":1}', line: 10_001 }));
  });

  test('yields history and what is written meanwhile without a gap and without a repetition', async () => {
    const path = join(folder, 'a.jsonl');
    const text = (index: number) => JSON.stringify({ index, text: 'x'.repeat(60) });
    let written = 20_000;
    writeFileSync(path, `${Array.from({ length: written }, (_, index) => text(index)).join('\n')}\n`);
    const { seen, reader } = open(newTail(), path, { from: 256 * 1024 });
    await eventually(() => expect(seen.caughtUp).toBe(1));
    const whole: number[] = [];
    let handedOver = -1;
    await reader.readHistory(
      (line) => {
        whole.push(line.line);
        // This applies to a partial line, too: it belongs to what comes after.
        if (whole.length % 1_500 === 0) appendFileSync(path, `${text(written++)}\n${text(written++)}\n{"part`);
        if (whole.length % 1_500 === 700 && written > 20_000) appendFileSync(path, `":${written++}}\n`);
      },
      () => (handedOver = seen.lines.length),
    );
    appendFileSync(path, '\n{"last":1}\n');
    await eventually(() => expect(seen.lines.at(-1)?.text).toBe('{"last":1}'));
    const after = seen.lines.slice(handedOver).map((line) => line.line);
    const all = [...whole, ...after];
    expect(all).toEqual(Array.from({ length: all.length }, (_, index) => index + 1));
  });

  // {"d":4} has no line break, and after two quiet seconds it counts as a line │ the history is read │ its line break arrives, with {"e":5}
  test('yields history up to a last object without its line break, and waits for nothing', async () => {
    const path = join(folder, 'a.jsonl');
    writeFileSync(path, '{"a":1}\n{"b":2}\n{"c":3}\n{"d":4}');
    const clock = new FakeClock();
    const { seen, reader } = open(newTail({ clock, fs: tracked() }), path, { from: 20 });
    await eventually(() => expect(texts(seen)).toEqual(['{"c":3}']));
    await clock.advance(2_000);
    expect(texts(seen)).toEqual(['{"c":3}', '{"d":4}']);
    // A promise that is settled at once lets nothing else run: without this, the test would never end.
    let turns = 0;
    const turn = vi.spyOn(Budget.prototype, 'turn').mockImplementation(async () => {
      if (++turns > 1_000) throw new Error('the history waits for the line break, and holds up everything else');
    });
    const whole: [string, number, number][] = [];
    const ended = await reader.readHistory(
      ({ text, line, offset }) => void whole.push([text, line, offset]),
      () => undefined,
    );
    turn.mockRestore();
    expect(ended).toBe('done');
    expect(whole).toEqual([
      ['{"a":1}', 1, 0],
      ['{"b":2}', 2, 8],
      ['{"c":3}', 3, 16],
      ['{"d":4}', 4, 24],
    ]);
    appendFileSync(path, '\n{"e":5}\n');
    await clock.advance(50);
    await eventually(() => expect(seen.lines.at(-1)).toMatchObject({ text: '{"e":5}', line: 5 }));
    expect(seen.lines.length).toBe(3);
  });

  test('begins with the last line if that alone is longer than 256 KB', async () => {
    const path = join(folder, 'a.jsonl');
    writeFileSync(path, `{"first":1}\n${JSON.stringify({ id: 2, output: 'o'.repeat(3_000_000) })}\n`);
    const { seen, reader } = open(newTail(), path, { from: 256 * 1024 });
    await eventually(() => expect(seen.caughtUp).toBe(1));
    expect(seen.lines.map((line) => JSON.parse(line.text).id)).toEqual([2]);
    expect(reader.seedOffset).toBe(12);
  });

  test('ignores the history of a file that is replaced meanwhile', async () => {
    const path = join(folder, 'a.jsonl');
    writeFileSync(path, '{"a":1}\n'.repeat(100_000));
    const { seen, reader } = open(newTail(), path, { from: 256 * 1024 });
    await eventually(() => expect(seen.caughtUp).toBe(1));
    let replaced = false;
    const result = await reader.readHistory(
      () => {
        if (replaced) return;
        replaced = true;
        writeFileSync(join(folder, 'next'), '{"b":1}\n');
        renameSync(join(folder, 'next'), path);
        const end = performance.now() + 300;
        while (performance.now() < end);
        reader.poke();
      },
      () => undefined,
    );
    await eventually(() => expect(seen.resets).toEqual(['replaced']));
    // The line of the new file follows its reset, not always in the same turn.
    await eventually(() => expect(seen.lines.at(-1)).toMatchObject({ text: '{"b":1}', line: 1 }));
    expect(['replaced', 'done']).toContain(result);
  });

  test('a line of 64 MB is shortened, and read in many turns of the event loop', async () => {
    const path = join(folder, 'a.jsonl');
    const small = `${JSON.stringify({ type: 'call', text: 'x'.repeat(500) })}\n`;
    writeFileSync(path, small.repeat(1000));
    for (let part = 0; part < 64; part++)
      appendFileSync(path, part === 0 ? `{"id":1,"output":"${'z'.repeat(1 << 20)}` : 'z'.repeat(1 << 20));
    appendFileSync(path, `","after":2}\n${small.repeat(1000)}`);
    let turns = 0;
    const clock = {
      ...monotonicClock,
      soon: (run: () => void) => {
        turns++;
        monotonicClock.soon(run);
      },
    };
    const { seen } = open(newTail({ clock, fs: tracked() }), path);
    await eventually(() => expect(seen.lines.length).toBe(2001));
    const big = seen.lines[1000];
    expect(JSON.parse(big?.text ?? '')).toMatchObject({ id: 1, after: 2 });
    expect(isCut(JSON.parse(big?.text ?? '').output)).toBe(true);
    expect(seen.lines[1001]).toMatchObject({ line: 1002, calls: 1 });
    // At least one per MB. The benchmark measures how long a turn takes.
    expect(turns).toBeGreaterThan(60);
  });

  test('loses nothing if reads return less than they could', async () => {
    const path = join(folder, 'a.jsonl');
    const all = Array.from({ length: 3000 }, (_, index) => JSON.stringify({ index, text: 'ü'.repeat(index % 90) }));
    writeFileSync(path, `${all.join('\n')}\n`);
    let reads = 0;
    const fs = threadedFs({
      read: (descriptor, into, at, length, position) =>
        systemFs.read(descriptor, into, at, Math.min(length, 1024 + ((reads++ * 7919) % 5000)), position),
    });
    const tail = newTail({ fs });
    const whole = open(tail, path);
    const end = open(tail, path, { from: 256 * 1024 });
    await eventually(() => expect(texts(whole.seen)).toEqual(all));
    await eventually(() => expect(end.seen.lines.at(-1)?.text).toBe(all.at(-1)));
    expect(texts(end.seen)).toEqual(all.slice(-end.seen.lines.length));
  });

  test('reports a disk that fails for a while, and continues when it works again', async () => {
    const path = join(folder, 'a.jsonl');
    writeFileSync(path, '{"a":1}\n');
    let fails = false;
    const fs = threadedFs({ read: (...read) => (fails ? Promise.reject(failure('EIO')) : systemFs.read(...read)) });
    const clock = new FakeClock();
    const { seen } = open(newTail({ clock, fs: tracked(fs) }), path);
    await eventually(() => expect(seen.lines.length).toBe(1));
    fails = true;
    appendFileSync(path, '{"a":2}\n');
    await clock.advance(5_000);
    await eventually(() => expect(seen.problems).toEqual(['unreadable: the disk cannot be read']));
    fails = false;
    await clock.advance(10_000);
    await eventually(() => expect(texts(seen)).toEqual(['{"a":1}', '{"a":2}']));
    expect(seen.resets).toEqual([]);
  });

  test('makes a consumer that throws on a line miss only that line', async () => {
    const path = join(folder, 'a.jsonl');
    writeFileSync(path, 'a\nb\nc\n');
    const lines: string[] = [];
    const { seen } = open(newTail(), path, {
      line: (line) => {
        if (line.text === 'b') throw new Error('no');
        lines.push(line.text);
      },
    });
    await eventually(() => expect(lines).toEqual(['a', 'c']));
    expect(seen.problems).toEqual(['consumer: could not be processed']);
  });

  test('yields nothing after the end, even in the middle of a file', async () => {
    const path = join(folder, 'a.jsonl');
    writeFileSync(path, '{"a":1}\n'.repeat(200_000));
    const lines: number[] = [];
    const { reader } = open(newTail(), path, {
      line: (line) => {
        lines.push(line.line);
        if (line.line === 1000) reader.dispose();
      },
    });
    await eventually(() => expect(lines.length).toBe(1000));
    await settle();
    expect(lines.length).toBe(1000);
  });
});

describe('files that cannot be read', () => {
  test('one without permission is reported once, the others are still read, and it is read when that changes', async () => {
    const locked = join(folder, 'locked.jsonl');
    const free = join(folder, 'free.jsonl');
    for (const path of [locked, free]) writeFileSync(path, '{"a":1}\n');
    let isLocked = true;
    const fs = threadedFs({
      open: (path) => (isLocked && path === locked ? Promise.reject(failure('EACCES')) : systemFs.open(path)),
    });
    const tail = newTail({ fs });
    const first = open(tail, locked);
    const second = open(tail, free);
    await eventually(() => expect(texts(second.seen)).toEqual(['{"a":1}']));
    for (let time = 2; time < 6; time++) {
      appendFileSync(locked, `{"a":${time}}\n`);
      appendFileSync(free, `{"a":${time}}\n`);
      await eventually(() => expect(second.seen.lines.length).toBe(time));
    }
    expect(first.seen.problems).toEqual(['unreadable: no permission to read it']);
    isLocked = false;
    appendFileSync(locked, '{"a":6}\n');
    await eventually(() => expect(first.seen.lines.length).toBe(6));
    await expect(tail.readHead(join(folder, 'missing'))).rejects.toMatchObject({ code: 'ENOENT' });
  });

  test('a named pipe is never opened', async () => {
    const pipe = join(folder, 'pipe.jsonl');
    execFileSync('mkfifo', [pipe]);
    const opened: string[] = [];
    const fs = threadedFs({ open: (path) => (opened.push(path), systemFs.open(path)) });
    const tail = newTail({ fs });
    const { seen } = open(tail, pipe);
    await eventually(() => expect(seen.problems).toEqual(['not-a-file: is a pipe or device']));
    await expect(tail.readHead(pipe)).rejects.toMatchObject({ code: 'NOTFILE' });
    await expect(readWholeFile(pipe, { unit: 'line', markers: [], fs })).rejects.toMatchObject({ code: 'NOTFILE' });
    expect(opened).toEqual([]);
  });

  test('a named pipe that replaces a file is never opened; a file that replaces the pipe is read', async () => {
    const path = join(folder, 'a.jsonl');
    writeFileSync(path, '{"a":1}\n');
    const local = systemFs.local as NonNullable<TailFs['local']>;
    const opened: string[] = [];
    const openIt = (name: string): number => {
      opened.push(name);
      // Once, and all files that are not being read are closed.
      if (opened.length === 2) throw failure('EMFILE');
      return local.open(name);
    };
    const tail = newTail({ fs: { ...systemFs, local: { ...local, open: openIt } } });
    const { seen } = open(tail, path);
    await eventually(() => expect(texts(seen)).toEqual(['{"a":1}']));
    writeFileSync(join(folder, 'b.jsonl'), '{"b":1}\n');
    const other = open(tail, join(folder, 'b.jsonl'));
    await eventually(() => expect(texts(other.seen)).toEqual(['{"b":1}']));
    opened.length = 0;
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    renameSync(join(folder, 'pipe'), path);
    await eventually(() => expect(seen.problems).toEqual(['not-a-file: is a pipe or device']));
    expect(opened).toEqual([]);
    writeFileSync(join(folder, 'new'), '{"c":1}\n');
    renameSync(join(folder, 'new'), path);
    await eventually(() => expect(texts(seen)).toEqual(['{"a":1}', '{"c":1}']));
  });

  test('too many open files: unused ones are closed, and the file is read', async () => {
    const path = join(folder, 'a.jsonl');
    writeFileSync(path, '{"a":1}\n');
    let refusals = 1;
    const fs = threadedFs({
      open: (name) => (refusals-- > 0 ? Promise.reject(failure('EMFILE')) : systemFs.open(name)),
    });
    const { seen } = open(newTail({ fs }), path);
    await eventually(() => expect(texts(seen)).toEqual(['{"a":1}']));
    expect(seen.problems).toEqual([]);
  });

  test('more files than may be held open are all followed', async () => {
    const tail = newTail();
    const all = Array.from({ length: 400 }, (_, index) => join(folder, `${index}.jsonl`));
    for (const path of all) writeFileSync(path, '{"a":1}\n');
    const opened = all.map((path) => open(tail, path));
    await eventually(() => expect(opened.every(({ seen }) => seen.lines.length === 1)).toBe(true));
    for (const path of all) appendFileSync(path, '{"a":2}\n');
    await eventually(() => expect(opened.every(({ seen }) => seen.lines.length === 2)).toBe(true));
    expect(opened.some(({ seen }) => seen.resets.length > 0)).toBe(false);
  });
});

describe('documents that are rewritten as a whole', () => {
  test('are passed on when their content has changed, with the markers that were added', async () => {
    const path = join(folder, 'chat.json');
    writeFileSync(path, '{"m":["call"]}');
    const { seen } = open(newTail(), path, { unit: 'document' });
    await eventually(() => expect(seen.documents).toEqual([['{"m":["call"]}', 1]]));
    writeFileSync(path, '{"m":["call"]}');
    writeFileSync(join(folder, 'next'), '{"m":["call","call"]}');
    renameSync(join(folder, 'next'), path);
    await eventually(() => expect(seen.documents[1]).toEqual(['{"m":["call","call"]}', 1]));
    expect(seen.resets).toEqual([]);
  });

  test('are passed on at most once per 250 ms, and the last text for certain', async () => {
    const path = join(folder, 'chat.json');
    writeFileSync(path, '[0]');
    const clock = new FakeClock();
    const { seen } = open(newTail({ clock, fs: tracked() }), path, { unit: 'document' });
    await eventually(() => expect(seen.documents.length).toBe(1));
    for (let version = 1; version <= 20; version++) {
      writeFileSync(path, `[${version}]`);
      await new Promise((resolve) => setTimeout(resolve, 3));
      await clock.advance(25);
    }
    await clock.advance(500);
    await eventually(() => expect(seen.documents.at(-1)?.[0]).toBe('[20]'));
    expect(seen.documents.length).toBeLessThanOrEqual(4);
  });

  test('are awaited if they end in the middle', async () => {
    const path = join(folder, 'chat.json');
    writeFileSync(path, '\ufeff{"a": [1, 2');
    const clock = new FakeClock();
    const { seen } = open(newTail({ clock, fs: tracked() }), path, { unit: 'document' });
    await settle();
    await clock.advance(600);
    expect(seen.documents).toEqual([]);
    appendFileSync(path, ', 3]}\n');
    await clock.advance(1_000);
    await eventually(() => expect(seen.documents).toEqual([['{"a": [1, 2, 3]}\n', 0]]));
    writeFileSync(path, '{"broken": ');
    for (let look = 0; look < 10 && seen.documents.length < 2; look++) {
      await new Promise((resolve) => setTimeout(resolve, 10));
      await clock.advance(600);
    }
    await eventually(() => expect(seen.documents[1]).toEqual(['{"broken": ', 0]));
  });

  test('are not read over the limit, which is reported once', async () => {
    const path = join(folder, 'chat.json');
    writeFileSync(path, JSON.stringify({ a: 'x'.repeat(3 << 20) }));
    const { seen } = open(newTail({ documentLimit: 2 << 20 }), path, { unit: 'document' });
    await eventually(() => expect(seen.problems).toEqual(['document-too-large: larger than 2 MB']));
    writeFileSync(path, '{"a":1}');
    await eventually(() => expect(seen.documents).toEqual([['{"a":1}', 0]]));
  });

  test('have their long strings cut like lines', async () => {
    const path = join(folder, 'chat.json');
    const long = 'ä'.repeat(20_000);
    writeFileSync(path, JSON.stringify({ a: long, b: [long, 'short'] }, null, 2));
    const { seen } = open(newTail(), path, { unit: 'document' });
    await eventually(() => expect(seen.documents.length).toBe(1));
    const { a, b } = JSON.parse(seen.documents[0]?.[0] ?? '');
    expect(isCut(a)).toBe(true);
    expect(b).toEqual([a, 'short']);
  });
});

describe('databases', () => {
  test('are passed on with their write-ahead log when one of the two changes, at most once a second', async () => {
    const path = join(folder, 'a.db');
    writeFileSync(path, 'one');
    const clock = new FakeClock();
    const { seen } = open(newTail({ clock, fs: tracked() }), path, { unit: 'database' });
    await eventually(() => expect(seen.databases).toEqual([['one', null]]));
    for (let version = 0; version < 5; version++) {
      writeFileSync(`${path}-wal`, `log ${version}`);
      await new Promise((resolve) => setTimeout(resolve, 5));
      await clock.advance(150);
    }
    expect(seen.databases.length).toBe(1);
    await clock.advance(1_000);
    await eventually(() =>
      expect(seen.databases).toEqual([
        ['one', null],
        ['one', 'log 4'],
      ]),
    );
  });
});

describe('reading a whole file', () => {
  test('yields a last line without a line break, too, and reports its progress', async () => {
    const path = join(folder, 'a.jsonl');
    writeFileSync(path, `${'{"type":"call"}\n'.repeat(100_000)}{"last":1}`);
    const lines: string[] = [];
    const progress: number[] = [];
    let calls = 0;
    const bytes = await readWholeFile(path, {
      unit: 'line',
      markers: ['"call"'],
      line: (line, hits) => {
        lines.push(line.text);
        calls += hits;
      },
      progress: (read) => void progress.push(read),
    });
    expect(bytes).toBe(readFileSync(path).length);
    expect(lines.length).toBe(100_001);
    expect(lines.at(-1)).toBe('{"last":1}');
    expect(calls).toBe(100_000);
    expect(progress.at(-1)).toBe(bytes);
  });

  test('works for the other formats', async () => {
    const path = join(folder, 'a');
    writeFileSync(path, '["call"]');
    writeFileSync(`${path}-wal`, 'log');
    const got: unknown[] = [];
    await readWholeFile(path, {
      unit: 'document',
      markers: ['"call"'],
      document: (text, calls) => void got.push(text, calls),
    });
    await readWholeFile(path, {
      unit: 'database',
      markers: [],
      database: (database, log) => void got.push(database.length, log?.length),
    });
    expect(got).toEqual(['["call"]', 1, 8, 3]);
    await expect(readWholeFile(path, { unit: 'document', markers: [], documentLimit: 4 })).rejects.toMatchObject({
      code: 'TOOLARGE',
    });
  });

  test('cuts the head at a line break if there is one', async () => {
    const path = join(folder, 'a.jsonl');
    writeFileSync(path, '\ufeff{"a":1}\n{"b":2}\n{"c":3}');
    const tail = newTail();
    expect(await tail.readHead(path)).toBe('{"a":1}\n{"b":2}\n{"c":3}');
    expect(await tail.readHead(path, 12)).toBe('{"a":1}\n');
    expect(await tail.readHead(path, 6)).toBe('{"a');
  });
});

function failure(code: string): NodeJS.ErrnoException {
  return Object.assign(new Error(code), { code });
}
