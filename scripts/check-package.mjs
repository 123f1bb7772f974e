#!/usr/bin/env node
/** What is in the package, file by file, that it stays small, and that what packages bring is as they have it. `--update` writes the list anew. */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { join } from 'node:path';
import { WASM } from './bundles.mjs';
import { ICON_FONT, iconFont } from './icon-font.mjs';
import { projectRoot } from '../test/support/vscode-host.mjs';

/** Bytes. A sixth of it is the pictures of the walkthrough, of the rest a third the compiled SQLite and a third the extension. */
const LARGEST = 1_500_000;
const listFile = join(projectRoot, 'test/package-files.txt');
const vsix = join(projectRoot, 'dist/unstuck.vsix');

const { status, stdout } = spawnSync('npx', ['vsce', 'ls', '--no-dependencies'], {
  cwd: projectRoot,
  encoding: 'utf8',
});
if (status !== 0) throw new Error('vsce ls failed');
// Files that two parts of the extension share are named after what is in them.
const named = stdout.trim().replace(/-[A-Z0-9]{8}\.mjs$/gm, '-*.mjs');
const files = [...new Set(named.split('\n'))].sort();
if (process.argv.includes('--update')) fs.writeFileSync(listFile, `${files.join('\n')}\n`);
const expected = fs.readFileSync(listFile, 'utf8').trim().split('\n');
const extra = files.filter((file) => !expected.includes(file));
const missing = expected.filter((file) => !files.includes(file));
const beside = [
  { ...WASM, bytes: fs.readFileSync(WASM.from) },
  { ...ICON_FONT, bytes: await iconFont() },
];
const changed = beside.filter(({ to, bytes }) => !bytes.equals(fs.readFileSync(join(projectRoot, to))));
const { size } = fs.statSync(vsix);
for (const file of extra) console.error(`in the package, but not in test/package-files.txt: ${file}`);
for (const file of missing) console.error(`not in the package: ${file}`);
for (const copy of changed) console.error(`not as ${copy.package} has it: ${copy.to}`);
if (size >= LARGEST) console.error(`the package has ${size} bytes; ${LARGEST} is the limit`);
console.log(`package: ${files.length} files, ${size} bytes`);
process.exit(extra.length + missing.length + changed.length > 0 || size >= LARGEST ? 1 : 0);
