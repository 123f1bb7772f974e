import { appendFileSync, mkdirSync, renameSync, rmSync, truncateSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Reader, type Tail, createTail } from '../../../../src/base/tail';
import type { ResetReason } from '../../../../src/base/tail/types';
import { silentLog } from '../../../../src/base/util/log';
import { eventually, temporaryFolder } from './support';

let folder: string;
let tail: Tail;

/** Consumer's view: the lines of each generation. */
interface Followed {
  readonly reader: Reader;
  readonly generations: string[][];
  readonly resets: ResetReason[];
  gone: number;
}

function follow(path: string, from: 'start' | number = 'start'): Followed {
  const generations: string[][] = [[]];
  const resets: ResetReason[] = [];
  const followed: Followed = {
    generations,
    resets,
    gone: 0,
    reader: tail.open(path, {
      unit: 'line',
      from,
      markers: [],
      line: (line) => void generations.at(-1)?.push(line.text),
      reset: (reason) => {
        resets.push(reason);
        generations.push([]);
      },
      gone: () => void followed.gone++,
    }),
  };
  return followed;
}

const lines = (from: number, to: number, mark = 'line'): string =>
  Array.from({ length: to - from }, (_, index) => `{"${mark}":${from + index}}\n`).join('');
const texts = (from: number, to: number, mark = 'line'): string[] => lines(from, to, mark).split('\n').slice(0, -1);

beforeEach(() => {
  folder = temporaryFolder();
  tail = createTail({ log: silentLog });
});

afterEach(() => tail.dispose());

describe('a file that is followed', () => {
  test('appended to: each line once, in order', async () => {
    const path = join(folder, 'a.jsonl');
    writeFileSync(path, lines(0, 3));
    const { generations } = follow(path);
    await eventually(() => expect(generations).toEqual([texts(0, 3)]));
    for (let at = 3; at < 60; at++) appendFileSync(path, lines(at, at + 1));
    await eventually(() => expect(generations).toEqual([texts(0, 60)]));
  });

  test('replaced at once by a file with the same beginning: a new generation, read whole', async () => {
    const path = join(folder, 'a.jsonl');
    writeFileSync(path, lines(0, 50));
    const followed = follow(path);
    await eventually(() => expect(followed.generations).toEqual([texts(0, 50)]));
    writeFileSync(join(folder, 'next'), lines(0, 40) + lines(40, 80, 'other'));
    renameSync(join(folder, 'next'), path);
    const expected = [...texts(0, 40), ...texts(40, 80, 'other')];
    await eventually(() => expect(followed.generations).toEqual([texts(0, 50), expected]));
    expect(followed.resets).toEqual(['replaced']);
    appendFileSync(path, lines(80, 81));
    await eventually(() => expect(followed.generations[1]).toEqual([...expected, ...texts(80, 81)]));
  });

  test('truncated and written longer in one go: no append, a new generation', async () => {
    const path = join(folder, 'a.jsonl');
    writeFileSync(path, lines(0, 5));
    const followed = follow(path);
    await eventually(() => expect(followed.generations).toEqual([texts(0, 5)]));
    writeFileSync(path, lines(100, 200));
    await eventually(() => expect(followed.generations).toEqual([texts(0, 5), texts(100, 200)]));
    expect(['rewritten', 'truncated']).toContain(followed.resets[0]);
  });

  test('truncated and written to the same length: a new generation', async () => {
    const path = join(folder, 'a.jsonl');
    writeFileSync(path, lines(10, 20));
    const followed = follow(path);
    await eventually(() => expect(followed.generations).toEqual([texts(10, 20)]));
    writeFileSync(path, lines(20, 30));
    await eventually(() => expect(followed.generations.at(-1)).toEqual(texts(20, 30)));
  });

  test('truncated to nothing, then appended to', async () => {
    const path = join(folder, 'a.jsonl');
    writeFileSync(path, lines(0, 50));
    const followed = follow(path);
    await eventually(() => expect(followed.generations).toEqual([texts(0, 50)]));
    truncateSync(path, 0);
    await eventually(() => expect(followed.resets).toEqual(['truncated']));
    appendFileSync(path, lines(0, 2, 'new'));
    await eventually(() => expect(followed.generations).toEqual([texts(0, 50), texts(0, 2, 'new')]));
  });

  test('truncated while its writer keeps its position: the hole is left out', async () => {
    const path = join(folder, 'a.jsonl');
    writeFileSync(path, lines(0, 50));
    const followed = follow(path);
    await eventually(() => expect(followed.generations).toEqual([texts(0, 50)]));
    writeFileSync(path, Buffer.concat([Buffer.alloc(lines(0, 50).length), Buffer.from(lines(50, 52))]));
    await eventually(() => expect(followed.generations.at(-1)).toEqual(texts(50, 52)));
  });

  test('rotated: the last lines of the old file, then the new one', async () => {
    const path = join(folder, 'a.jsonl');
    writeFileSync(path, lines(0, 5));
    const followed = follow(path);
    await eventually(() => expect(followed.generations).toEqual([texts(0, 5)]));
    appendFileSync(path, lines(5, 9));
    renameSync(path, `${path}.1`);
    writeFileSync(path, lines(0, 3, 'new'));
    await eventually(() => expect(followed.generations).toEqual([texts(0, 9), texts(0, 3, 'new')]));
  });

  test('deleted and written again: reported as gone, then a new generation', async () => {
    const path = join(folder, 'a.jsonl');
    writeFileSync(path, lines(0, 5));
    const followed = follow(path);
    await eventually(() => expect(followed.generations).toEqual([texts(0, 5)]));
    unlinkSync(path);
    await eventually(() => expect(followed.gone).toBe(1));
    writeFileSync(path, lines(0, 7));
    await eventually(() => expect(followed.generations).toEqual([texts(0, 5), texts(0, 7)]));
    expect(followed.resets).toEqual(['reappeared']);
    expect(followed.gone).toBe(1);
  });

  test('deleted and rewritten at once: a new generation, and no deletion is reported', async () => {
    const path = join(folder, 'a.jsonl');
    writeFileSync(path, lines(0, 5));
    const followed = follow(path);
    await eventually(() => expect(followed.generations).toEqual([texts(0, 5)]));
    unlinkSync(path);
    writeFileSync(path, lines(0, 7));
    await eventually(() => expect(followed.generations).toEqual([texts(0, 5), texts(0, 7)]));
    expect(followed.gone).toBe(0);
  });

  test('its folder removed and made again', async () => {
    const inner = join(folder, 'project');
    mkdirSync(inner);
    const path = join(inner, 'a.jsonl');
    writeFileSync(path, lines(0, 5));
    const followed = follow(path);
    await eventually(() => expect(followed.generations).toEqual([texts(0, 5)]));
    rmSync(inner, { recursive: true });
    await eventually(() => expect(followed.gone).toBe(1));
    mkdirSync(inner);
    writeFileSync(path, lines(0, 2, 'new'));
    await eventually(() => expect(followed.generations).toEqual([texts(0, 5), texts(0, 2, 'new')]));
    appendFileSync(path, lines(2, 4, 'new'));
    await eventually(() => expect(followed.generations).toEqual([texts(0, 5), texts(0, 4, 'new')]));
  });

  test('its folder moved away and another put in its place', async () => {
    const inner = join(folder, 'project');
    mkdirSync(inner);
    const path = join(inner, 'a.jsonl');
    writeFileSync(path, lines(0, 5));
    const followed = follow(path);
    await eventually(() => expect(followed.generations).toEqual([texts(0, 5)]));
    renameSync(inner, join(folder, 'project.old'));
    mkdirSync(inner);
    writeFileSync(path, lines(0, 2, 'new'));
    await eventually(() => expect(followed.generations).toEqual([texts(0, 5), texts(0, 2, 'new')]));
    appendFileSync(path, lines(2, 4, 'new'));
    await eventually(() => expect(followed.generations.at(-1)).toEqual(texts(0, 4, 'new')));
  });

  test('not there yet, nor its folders', async () => {
    const path = join(folder, 'some', 'where', 'a.jsonl');
    const followed = follow(path);
    await eventually(() => expect(followed.gone).toBe(1));
    mkdirSync(join(folder, 'some'));
    mkdirSync(join(folder, 'some', 'where'));
    writeFileSync(path, lines(0, 2));
    await eventually(() => expect(followed.generations.at(-1)).toEqual(texts(0, 2)));
  });
});
