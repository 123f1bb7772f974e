#!/usr/bin/env node
/**
 * Measures what the extension costs at the start of VS Code if there is no transcript: its activation time as VS Code itself shows it, next to that
 * of an empty extension in the same windows. Goal: at most 25 ms more (median of 5), and no wasm loaded.
 */
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startHost } from '../support/host.mjs';
import { projectRoot } from '../support/vscode-host.mjs';
import { workbench } from '../e2e/support/workbench.mjs';
import { packExtension } from './support/extension.mjs';

const ROUNDS = 5;
const LIMIT_MS = 25;

const root = fs.mkdtempSync(join(tmpdir(), 'unstuck-activation-'));
/** An extension that does nothing at the same moment. */
const empty = packExtension(join(root, 'empty'), {
  name: 'empty',
  displayName: 'Empty for Comparison',
  source: 'exports.activate = () => {};\n',
});
const host = await startHost({ vsix: [join(projectRoot, 'dist/unstuck.vsix'), empty] });
const wasm = installedWasm(join(host.dir, 'ext'));
// Older than its last change: with relatime the next read would be recorded.
const past = new Date(Date.now() - 3_600_000);
fs.utimesSync(wasm, past, new Date());
const before = fs.statSync(wasm).atimeMs;

/** @type {{ empty: number[], unstuck: number[] }} */
const times = { empty: [], unstuck: [] };
for (let round = 0; round < ROUNDS; round++) {
  await host.reload();
  const window = workbench(host.page);
  await window.runCommand('Developer: Show Running Extensions');
  times.unstuck.push(await activationOf('Unstuck'));
  times.empty.push(await activationOf('Empty for Comparison'));
  await window.runCommand('View: Close All Editors');
}
const wasmRead = fs.statSync(wasm).atimeMs !== before;
const seesReads = fs.readFileSync(wasm).length > 0 && fs.statSync(wasm).atimeMs !== before;
await host.close();
fs.rmSync(root, { recursive: true, force: true });

const median = (/** @type {number[]} */ values) => [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;
const more = median(times.unstuck) - median(times.empty);
console.log(
  `activation without a transcript: ${median(times.unstuck)} ms [${times.unstuck.join(' ')}], empty extension ${median(times.empty)} ms [${times.empty.join(' ')}], ${more} ms more (limit ${LIMIT_MS})`,
);
console.log(`wasm loaded: ${wasmRead ? 'yes' : seesReads ? 'no' : 'not to be told on this file system'}`);
process.exit(more <= LIMIT_MS && !wasmRead ? 0 : 1);

/** @param {string} name */
async function activationOf(name) {
  const row = host.page.locator('.runtime-extensions-editor .monaco-list-row').filter({ hasText: name }).first();
  await row.waitFor();
  for (const end = Date.now() + 30_000; Date.now() < end; ) {
    const time = /Activation: (\d+)\s?ms/.exec(await row.innerText());
    if (time) return Number(time[1]);
    await host.page.waitForTimeout(200);
  }
  throw new Error(`${name} shows no activation time: ${await row.innerText()}`);
}

/** @param {string} extensions */
function installedWasm(extensions) {
  const name = fs.readdirSync(extensions).find((one) => one.startsWith('unstuck.unstuck-'));
  return join(extensions, name ?? '', 'dist/sql-wasm.wasm');
}
