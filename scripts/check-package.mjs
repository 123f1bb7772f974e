#!/usr/bin/env node
/**
 * Checks what is in the extension and in the package for npm, file by file, that the extension stays small, and that third-party parts are unchanged.
 * `--update` writes the lists again.
 */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { join } from 'node:path';
import { projectRoot, WASM } from './bundles.mjs';
import { ICON_FONT, iconFont } from './icon-font.mjs';

/** Bytes. A sixth of it is the pictures of the walkthrough; of the rest, a third is the compiled SQLite and a third the extension. */
const LARGEST = 1_500_000;
const vsix = join(projectRoot, 'dist/unstuck.vsix');

/** Returns the output of a command, run without a shell. */
function output(/** @type {string} */ command, /** @type {string[]} */ args) {
  const { status, stdout } = spawnSync(command, args, { cwd: projectRoot, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed`);
  return stdout.trim();
}

/** Files of the extension that two of its parts share are named after their contents. */
const inExtension = output('npx', ['vsce', 'ls', '--no-dependencies']).replace(/-[A-Z0-9]{8}\.mjs$/gm, '-*.mjs');
const [forNpm] = JSON.parse(output('npm', ['pack', '--dry-run', '--json']));
/** @type {readonly { readonly name: string, readonly list: string, readonly found: string[] }[]} */
const packages = [
  { name: 'the extension', list: 'test/package-files.txt', found: inExtension.split('\n') },
  {
    name: 'the package for npm',
    list: 'test/npm-package-files.txt',
    found: forNpm.files.map((/** @type {{ path: string }} */ { path }) => path),
  },
];
let problems = 0;
for (const { name, list, found } of packages) {
  const files = [...new Set(found)].sort();
  if (process.argv.includes('--update')) fs.writeFileSync(join(projectRoot, list), `${files.join('\n')}\n`);
  const expected = fs.readFileSync(join(projectRoot, list), 'utf8').trim().split('\n');
  const extra = files.filter((file) => !expected.includes(file));
  const missing = expected.filter((file) => !files.includes(file));
  for (const file of extra) console.error(`in ${name}, but not in ${list}: ${file}`);
  for (const file of missing) console.error(`not in ${name}: ${file}`);
  problems += extra.length + missing.length;
  console.log(`${name}: ${files.length} files`);
}
const beside = [
  { ...WASM, bytes: fs.readFileSync(WASM.from) },
  { ...ICON_FONT, bytes: await iconFont() },
];
const changed = beside.filter(({ to, bytes }) => !bytes.equals(fs.readFileSync(join(projectRoot, to))));
const { size } = fs.statSync(vsix);
for (const copy of changed) console.error(`not as ${copy.package} has it: ${copy.to}`);
if (size >= LARGEST) console.error(`the extension has ${size} bytes; ${LARGEST} is the limit`);
console.log(`the extension: ${size} bytes`);
process.exit(problems + changed.length > 0 || size >= LARGEST ? 1 : 0);
