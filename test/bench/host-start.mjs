#!/usr/bin/env node
/**
 * Measures what the start costs the extension host of a real VS Code if there is no transcript: the host's processor time from its beginning until
 * `activate` has resolved and the host rests, beyond that of the same host with an empty extension; windows with and without alternate. The first
 * start compiles all code, the second finds it in the compile cache. Goals: at most 100 ms and 60 ms more, medians.
 *
 *   node test/bench/host-start.mjs [--rounds 5] [--json]
 */
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startHost } from '../support/host.mjs';
import { projectRoot } from '../support/vscode-host.mjs';
import { ask, probeExtension } from './editor/probe.mjs';
import { packExtension } from './support/extension.mjs';
import { median, spread } from './support/measure.mjs';

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '5' }, json: { type: 'boolean' } } });
const ROUNDS = Number(values.rounds);
const LIMITS = { first: 100, second: 60 };
/** The host rests if it used no more than this within that many milliseconds. */
const REST = { used: 15, ms: 2_000 };
const LONGEST_MS = 120_000;

const root = fs.mkdtempSync(join(tmpdir(), 'unstuck-host-start-'));
const probe = probeExtension(join(root, 'probe'));
const empty = packExtension(join(root, 'empty'), {
  name: 'empty',
  displayName: 'Empty for Comparison',
  source: 'exports.activate = () => {};\n',
});
let missed = 0;
try {
  const on = await open('on', [join(projectRoot, 'dist/unstuck.vsix'), probe]);
  const off = await open('off', [empty, probe]);
  await restingCost(on);
  await restingCost(off);
  /** @type {{ first: number[], second: number[] }} */
  const more = { first: [], second: [] };
  for (let round = 0; round < ROUNDS; round++) {
    for (const start of /** @type {const} */ (['first', 'second'])) {
      if (start === 'first') for (const folder of compiled(on.host.dir)) fs.rmSync(folder, { recursive: true });
      const bare = await startCost(off);
      more[start].push((await startCost(on)) - bare);
    }
  }
  const results = /** @type {const} */ (['first', 'second']).map((start) => ({
    what: `processor time of the host until it rests, ${start} start, more than with an empty extension`,
    limit: LIMITS[start],
    values: more[start],
    holds: median(more[start]) <= LIMITS[start],
  }));
  missed = results.filter(({ holds }) => !holds).length;
  for (const { what, limit, values: found, holds } of results)
    console.log(`${holds ? 'met   ' : 'MISSED'}  ${what}  ≤ ${limit} ms  ${spread(found, ' ms')}`);
  if (values.json) console.log(JSON.stringify(results));
  await on.host.close();
  await off.host.close();
} finally {
  fs.rmSync(root, { recursive: true, force: true });
}
process.exit(missed > 0 ? 1 : 0);

async function open(/** @type {string} */ name, /** @type {string[]} */ vsix) {
  const socket = join(root, `${name}.sock`);
  const settings = { 'remote.autoForwardPorts': false, 'remote.autoForwardPortsSource': 'output' };
  return { host: await startHost({ vsix, settings, env: { UNSTUCK_BENCH_SOCKET: socket } }), socket };
}

/** Restarts the extension host, and returns what it had used when it came to rest, milliseconds. */
async function startCost(/** @type {{ host: import('../support/host.mjs').Host, socket: string }} */ window) {
  const before = await ask(window.socket, '/cpu').then(({ pid }) => pid);
  await window.host.reload();
  return await restingCost(window, before);
}

/** @param {number} [before] process id of the previous host */
async function restingCost(/** @type {{ socket: string }} */ { socket }, before) {
  const end = performance.now() + LONGEST_MS;
  for (let last = Number.NaN; performance.now() < end; await wait(REST.ms)) {
    const now = await ask(socket, '/cpu').catch(() => undefined);
    if (!now || now.pid === before) continue;
    const used = (now.user + now.system) / 1000;
    if (used - last <= REST.used) return used;
    last = used;
  }
  throw new Error(`The host did not come to rest within ${LONGEST_MS / 1000} s.`);
}

/** Compile caches of extensions below a folder. */
function compiled(/** @type {string} */ folder) {
  return fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name === 'compiled' && /unstuck/i.test(entry.parentPath))
    .map((entry) => join(entry.parentPath, entry.name));
}
