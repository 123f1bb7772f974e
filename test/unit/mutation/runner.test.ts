import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

/**
 * A room of a few lines, tried as `npm run mutate` tries the rooms of the project. The outcome of each change is known beforehand: a faster runner is
 * worth nothing if it calls a change noticed that no test notices, or the other way round.
 */

interface Case {
  readonly code: string;
  readonly test: string;
  /** `what is there -> what replaces it`, and its outcome. A block without a name is the body of the function. */
  readonly changes: Readonly<Record<string, 'Killed' | 'Survived' | 'NoCoverage' | 'Timeout'>>;
  /** True if its tests decide about all changes that they cover in the first run, so that none needs a separate run. */
  readonly isDecidedAtOnce: boolean;
}

const CASES: Readonly<Record<string, Case>> = {
  noticed: {
    code: `export function sum(a, b) { return a + b; }`,
    test: `it('adds', () => expect(sum(2, 3)).toBe(5));`,
    changes: { '{ return a + b; } -> {}': 'Killed', 'a + b -> a - b': 'Killed' },
    isDecidedAtOnce: true,
  },
  unnoticed: {
    code: `export function isAdult(age) { return age >= 18; }`,
    test: `it('says who is of age', () => expect(isAdult(30)).toBe(true));`,
    changes: {
      '{ return age >= 18; } -> {}': 'Killed',
      'age >= 18 -> true': 'Survived',
      'age >= 18 -> false': 'Killed',
      'age >= 18 -> age > 18': 'Survived',
      'age >= 18 -> age < 18': 'Killed',
    },
    isDecidedAtOnce: true,
  },
  'not covered': {
    code: `export function half(n) { return n / 2; }`,
    test: `it('is there', () => expect(half).toBeDefined());`,
    changes: { '{ return n / 2; } -> {}': 'NoCoverage', 'n / 2 -> n * 2': 'NoCoverage' },
    isDecidedAtOnce: true,
  },
  'a loop without end': {
    code: `export function countTo(end) { let n = 0; for (; n !== end; n++); return n; }`,
    test: `it('counts', () => expect(countTo(3)).toBe(3));`,
    changes: {
      '{ let n = 0; for (; n !== end; n++); return n; } -> {}': 'Killed',
      'n !== end -> false': 'Killed',
      'n !== end -> n === end': 'Killed',
      'n++ -> n--': 'Timeout',
    },
    isDecidedAtOnce: true,
  },
  'a wait without end': {
    code: `export function answer(resolve) { resolve('yes'); }`,
    test: `it('answers', async () => expect(await new Promise((resolve) => answer(resolve))).toBe('yes'));`,
    changes: { "{ resolve('yes'); } -> {}": 'Timeout', '\'yes\' -> ""': 'Killed' },
    isDecidedAtOnce: true,
  },
  'what a module does while it loads': {
    code: `const LIMIT = 5 + 1; export function isOver(n) { return n > LIMIT; }`,
    test: `it('knows the limit', () => expect(isOver(6)).toBe(false)); it('ends', () => expect(isOver(7)).toBe(true));`,
    changes: {
      '5 + 1 -> 5 - 1': 'Killed',
      '{ return n > LIMIT; } -> {}': 'Killed',
      'n > LIMIT -> true': 'Killed',
      'n > LIMIT -> false': 'Killed',
      'n > LIMIT -> n >= LIMIT': 'Killed',
      'n > LIMIT -> n <= LIMIT': 'Killed',
    },
    isDecidedAtOnce: true,
  },
  'a change that no test asks for while the module loads': {
    code: `export const OPTIONS = { name: 'x', size: 2 };`,
    test: `it('has a size', () => expect(OPTIONS.size).toBe(2));`,
    changes: { "{ name: 'x', size: 2 } -> {}": 'Killed', '\'x\' -> ""': 'Survived' },
    isDecidedAtOnce: false,
  },
  'a module that no longer loads': {
    code: `export const OPTIONS = JSON.parse('{"size":2}');`,
    test: `it('has a size', () => expect(OPTIONS.size).toBe(2));`,
    changes: { '\'{"size":2}\' -> ""': 'Killed' },
    isDecidedAtOnce: false,
  },
  'a test that cannot run twice': {
    code: `let last = 0; export function next() { if (last < 9) last += 1; return last; }`,
    test: `it('begins with one', () => expect(next()).toBe(1));`,
    changes: {
      '{ if (last < 9) last += 1; return last; } -> {}': 'Killed',
      'last < 9 -> true': 'Survived',
      'last < 9 -> false': 'Killed',
      'last < 9 -> last <= 9': 'Survived',
      'last < 9 -> last >= 9': 'Killed',
      'last += 1 -> last -= 1': 'Killed',
    },
    isDecidedAtOnce: false,
  },
  'a change that leaves something behind': {
    code: `let isShut = false; export function enter(key) { if (key === 0) isShut = true; return isShut ? 7 : key; }`,
    test: `it('lets in', () => expect(enter(3)).toBe(3));`,
    changes: {
      'false -> true': 'Killed',
      '{ if (key === 0) isShut = true; return isShut ? 7 : key; } -> {}': 'Killed',
      'key === 0 -> true': 'Killed',
      'key === 0 -> false': 'Survived',
      'key === 0 -> key !== 0': 'Killed',
      'true -> false': 'NoCoverage',
    },
    isDecidedAtOnce: false,
  },
  'a test with hooks': {
    code: `export class Basket { things = 0; add(n) { return (this.things += n); } }`,
    test: `let basket; beforeEach(() => { basket = new Basket(); return () => { basket = undefined; }; });
      it('gathers', () => expect([basket.add(1), basket.add(2)]).toEqual([1, 3]));`,
    changes: {
      '{ return (this.things += n); } -> {}': 'Killed',
      'this.things += n -> this.things -= n': 'Killed',
    },
    isDecidedAtOnce: true,
  },
  'a property with millions of examples': {
    code: `export function double(n) { return n + n; }`,
    test: `const property = fc.property(fc.integer(), (n) => double(n) === 2 * n);
      it('doubles', () => fc.assert(property, { numRuns: 10_000_000 }));`,
    changes: { '{ return n + n; } -> {}': 'Killed', 'n + n -> n - n': 'Killed' },
    isDecidedAtOnce: true,
  },
  'a slow test': {
    code: `export function later(n) { return n + 1; }`,
    test: `it('waits', async () => { await new Promise((go) => setTimeout(go, 5_050)); expect(later(1)).toBe(2); });`,
    changes: { '{ return n + 1; } -> {}': 'Killed', 'n + 1 -> n - 1': 'Killed' },
    isDecidedAtOnce: true,
  },
};

const ROOT = process.cwd();
const names = Object.keys(CASES).map((title, number) => ({ title, file: `case-${number}` }));
const room = mkdtempSync(join(tmpdir(), 'unstuck-room-'));
let found: ReadonlyMap<string, Readonly<Record<string, string>>>;
let decidedAtOnce: ReadonlyMap<string, boolean>;

function write(name: string, text: string): void {
  writeFileSync(join(room, name), text);
}

beforeAll(async () => {
  mkdirSync(join(room, 'src'));
  symlinkSync(resolve(ROOT, 'node_modules'), join(room, 'node_modules'), 'junction');
  write('package.json', '{ "type": "module" }');
  for (const { title, file } of names) {
    const { code, test } = CASES[title] as Case;
    const exported = /export (?:function|const|class) (\w+)/.exec(code)?.[1] ?? '';
    write(`src/${file}.mjs`, code);
    write(
      `${file}.test.mjs`,
      `import fc from 'fast-check';
      import { beforeEach, expect, it } from 'vitest';
      import { ${exported} } from './src/${file}.mjs';
      ${test}`,
    );
  }
  const mutation = (name: string) => JSON.stringify(pathToFileURL(resolve(ROOT, 'test/mutation', name)).href);
  const rerun = JSON.stringify(resolve(ROOT, 'test/mutation/rerun.mjs'));
  write(
    'vitest.config.mjs',
    `export default { test: { include: ['*.test.mjs'], runner: ${rerun}, isolate: false, testTimeout: 180_000 } };`,
  );
  write(
    'stryker.config.mjs',
    `import settings from ${mutation('stryker.config.mjs')};
    export default {
      ...settings,
      plugins: [${mutation('runner.mjs')}],
      testRunner: 'rerun',
      vitest: { configFile: 'vitest.config.mjs' },
      mutate: ['src/*.mjs'],
      tempDirName: 'copy',
      cleanTempDir: false,
      incremental: false,
      reporters: ['json'],
      jsonReporter: { fileName: 'report.json' },
    };`,
  );
  await promisify(execFile)(
    process.execPath,
    [resolve(ROOT, 'node_modules/@stryker-mutator/core/bin/stryker.js'), 'run', 'stryker.config.mjs'],
    { cwd: room, env: { ...process.env, VITEST: undefined } },
  );
  const report = readReport();
  found = becameOf(report);
  decidedAtOnce = firstRunOf(report);
});

afterAll(() => rmSync(room, { recursive: true, force: true }));

describe('the runner of mutation testing', () => {
  it.each(names)('knows the outcome of each change: $title', ({ title, file }) => {
    expect(found.get(`src/${file}.mjs`)).toEqual((CASES[title] as Case).changes);
  });

  it.each(names)('leaves to separate runs only what the first run cannot decide: $title', ({ title, file }) => {
    expect(decidedAtOnce.get(`src/${file}.mjs`)).toBe((CASES[title] as Case).isDecidedAtOnce);
  });
});

interface Report {
  readonly files: Readonly<
    Record<
      string,
      {
        readonly source: string;
        readonly mutants: readonly {
          readonly id: string;
          readonly status: string;
          readonly replacement: string;
          readonly location: { readonly start: { readonly column: number }; readonly end: { readonly column: number } };
        }[];
      }
    >
  >;
}

/** The file that `changes.mjs` writes: by the id of a change, how it was noticed, or the tests that are left to be run with it. */
interface FirstRun {
  readonly noticed: Readonly<Record<string, unknown>>;
  readonly tried: Readonly<Record<string, readonly string[]>>;
}

function readReport(): Report {
  return JSON.parse(readFileSync(join(room, 'report.json'), 'utf8')) as Report;
}

/** Files are of one line. */
function becameOf({ files }: Report): ReadonlyMap<string, Readonly<Record<string, string>>> {
  return new Map(
    Object.entries(files).map(([name, { source, mutants }]) => [
      name,
      Object.fromEntries(
        mutants.map(({ status, replacement, location: { start, end } }) => [
          `${source.slice(start.column - 1, end.column - 1)} -> ${replacement}`,
          status,
        ]),
      ),
    ]),
  );
}

/** Returns for each file whether each change that a test covers was noticed, or tried with all of them, in the first run. */
function firstRunOf({ files }: Report): ReadonlyMap<string, boolean> {
  const copies = readdirSync(join(room, 'copy'));
  const text = readFileSync(join(room, 'copy', copies[0] ?? '', 'rerun.json'), 'utf8');
  const { noticed, tried } = JSON.parse(text) as FirstRun;
  return new Map(
    Object.entries(files).map(([name, { mutants }]) => [
      name,
      mutants.every(({ id, status }) => status === 'NoCoverage' || id in noticed || tried[id]?.length === 0),
    ]),
  );
}
