import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { build } from 'esbuild';
import { afterEach, expect, it } from 'vitest';
import { asAscii } from '../../../scripts/ascii.mjs';
import { LATER, splitLater } from '../../../scripts/later.mjs';

const made: string[] = [];
afterEach(() => {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true });
});

/** Builds main.js and later.js of some files; `src/door.ts` is the door. */
async function split(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'unstuck-split-'));
  made.push(folder);
  mkdirSync(join(folder, 'src'));
  for (const [name, text] of Object.entries(files))
    writeFileSync(join(folder, 'src', name), text.replaceAll(/^ +/gm, ''));
  const options = {
    absWorkingDir: folder,
    entryPoints: ['src/main.ts'],
    outfile: 'dist/main.js',
    bundle: true,
    format: 'cjs' as const,
    platform: 'node' as const,
    logLevel: 'silent' as const,
  };
  const { forMain, forLater } = splitLater(options, folder, /^src\/door\.ts$/);
  await build({ ...options, plugins: [forMain] });
  await build({ ...options, ...LATER, outfile: 'dist/later.js', plugins: [forLater] });
  return folder;
}

const FILES = {
  'main.ts': `import { start, Door } from './door'; import { count } from './both';
    export const run = () => start(2); export const make = () => new Door('a').name; export const counted = () => count();`,
  'door.ts': `import { count } from './both'; import { inner } from './inner';
    export function start(times: number) { count(); return inner * times; }
    export class Door { constructor(readonly name: string) {} }
    export const unused = 'unused here';`,
  'both.ts': `let calls = 0; export function count() { return ++calls; } export const text = 'text of both';`,
  'inner.ts': `export const inner = 21;`,
};

interface Main {
  readonly run: () => number;
  readonly make: () => string;
  readonly counted: () => number;
}

it('loads the later bundle at the first call, and has one of each module', async () => {
  const folder = await split(FILES);
  const require = createRequire(join(folder, 'main.js'));
  const main = require('./dist/main.js') as Main;
  const loaded = () => Object.keys(require.cache).some((file) => file === join(folder, 'dist/later.js'));
  expect(main.counted()).toBe(1);
  expect(loaded()).toBe(false);
  expect(main.run()).toBe(42);
  expect(loaded()).toBe(true);
  expect(main.make()).toBe('a');
  expect(main.counted()).toBe(3);
});

it('puts what only the doors need into the later bundle, and nothing twice', async () => {
  const folder = await split(FILES);
  const [main, later] = ['main', 'later'].map((name) => readFileSync(join(folder, `dist/${name}.js`), 'utf8'));
  expect(main).not.toContain('inner = 21');
  expect(later).toContain('inner = 21');
  expect(later).not.toContain('calls');
});

it('refuses a door that hands out what cannot wait', async () => {
  const files = { ...FILES, 'main.ts': `import { unused } from './door'; export const read = () => unused;` };
  await expect(split(files)).rejects.toThrow('unused of src/door.ts is neither a function nor a class');
});

it('writes characters as escapes that mean the same', () => {
  const code = asAscii('[/^[×…]$/.test("×"), `“${1}”`]');
  expect(code).toMatch(/^[\x20-\x7e]+$/);
  expect(runInNewContext(`JSON.stringify(${code})`)).toBe('[true,"“1”"]');
});

it.each(['/\\…/', '"\u{1F600}"'])('refuses %s, whose escape would mean something else', (code) => {
  expect(() => asAscii(code)).toThrow('Write this as an escape');
});
