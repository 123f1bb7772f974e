#!/usr/bin/env node
/**
 * What a window costs in a home as people have it (support/used-home.mjs): processor time of the extension host from its begin until it
 * rests, and its highest memory, more than the same host with an empty extension. The first start of all; a start after it, where the 15 sessions
 * of today rest and where each has grown by 100 lines; a second and a third window. Then, without an editor, when `unstuck watch` says its
 * first state and those of all 15.
 *
 *   node test/bench/home.mjs [--rounds 3] [--json]
 */
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startHost } from '../support/host.mjs';
import { projectRoot } from '../support/vscode-host.mjs';
import { ask, probeExtension } from './editor/probe.mjs';
import { packExtension } from './support/extension.mjs';
import { median, spread } from './support/measure.mjs';
import { steps, turnEnd, usedHome } from './support/used-home.mjs';

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '3' }, json: { type: 'boolean' } } });
const ROUNDS = Number(values.rounds);
const GROWN_STEPS = 50;
/** The host rests when it used no more than this in each of so many stretches, one after the other. What waits for idle time is counted. */
const REST = { used: 60, ms: 10_000, times: 3 };
const LONGEST_MS = 10 * 60_000;

const place = usedHome();
if (!place) {
  console.error('skipped: the generator of transcripts is absent');
  process.exit(0);
}
const root = fs.mkdtempSync(join(tmpdir(), 'unstuck-home-'));
const probe = probeExtension(join(root, 'probe'));
const empty = packExtension(join(root, 'empty'), {
  name: 'empty',
  displayName: 'Empty for Comparison',
  source: 'exports.activate = () => {};\n',
});
/** @type {{ what: string, limit: number, unit: string, values: number[], holds: boolean }[]} */
const results = [];
try {
  const off = await open('off', [empty, probe]);
  const bareFirst = await rested(off.socket);
  const bare = await reloaded(off);
  const bareWindow = await another(off);
  await off.host.close();

  // What the command line or a run before left must not help the first start.
  for (const left of ['.cache/unstuck', '.unstuck'])
    fs.rmSync(join(place.home, left), { recursive: true, force: true });
  const on = await open('on', [join(projectRoot, 'dist/unstuck.vsix'), probe]);
  const first = await rested(on.socket);
  report('first start of all', 4.5, ' s', [first.seconds - bareFirst.seconds]);
  // Garbage of reading everything once: it has no goal, but should be known.
  console.log(`        first start of all: highest memory  ${Math.round(first.megabytes - bareFirst.megabytes)} MB`);
  const resting = [];
  const grown = [];
  for (let round = 0; round < ROUNDS; round++) {
    for (const session of place.today) fs.appendFileSync(session.path, turnEnd(session));
    await rested(on.socket);
    resting.push(await reloaded(on));
    for (const session of place.today) fs.appendFileSync(session.path, steps(session, GROWN_STEPS));
    await rested(on.socket);
    for (const session of place.today) fs.appendFileSync(session.path, steps(session, GROWN_STEPS));
    grown.push(await reloaded(on));
  }
  report(
    'later start, today’s sessions rest',
    0.5,
    ' s',
    resting.map(({ seconds }) => seconds - bare.seconds),
  );
  report(
    'later start, each has grown by 100 lines',
    1,
    ' s',
    grown.map(({ seconds }) => seconds - bare.seconds),
  );
  report(
    'later start: highest memory',
    60,
    ' MB',
    resting.map(({ megabytes }) => megabytes - bare.megabytes),
  );
  for (const session of place.today) fs.appendFileSync(session.path, turnEnd(session));
  await rested(on.socket);
  report('second and third window', 0.5, ' s', [
    (await another(on)).seconds - bareWindow.seconds,
    (await another(on)).seconds - bareWindow.seconds,
  ]);
  await on.host.close();

  const watched = [];
  for (let round = 0; round < ROUNDS; round++) watched.push(await watch());
  report(
    '`watch`: first state',
    0.3,
    ' s',
    watched.map(({ first }) => first),
  );
  report(
    '`watch`: all 15 sessions',
    0.8,
    ' s',
    watched.map(({ all }) => all),
  );
} finally {
  fs.rmSync(root, { recursive: true, force: true });
}
if (values.json) console.log(JSON.stringify(results));
process.exit(results.every(({ holds }) => holds) ? 0 : 1);

function report(what, limit, unit, found) {
  const holds = median(found) <= limit;
  results.push({ what, limit, unit, values: found, holds });
  console.log(`${holds ? 'met   ' : 'MISSED'}  ${what}  ≤ ${limit}${unit}  ${spread(found, unit)}`);
}

async function open(/** @type {string} */ name, /** @type {string[]} */ vsix) {
  const socket = join(root, `${name}.sock`);
  const settings = { 'remote.autoForwardPorts': false, 'remote.autoForwardPortsSource': 'output' };
  const env = { UNSTUCK_BENCH_SOCKET: socket };
  return { host: await startHost({ vsix, settings, env, home: place.home, workspace: place.workspace }), socket };
}

async function reloaded(/** @type {{ host: import('../support/host.mjs').Host, socket: string }} */ { host, socket }) {
  const { pid } = await ask(socket, '/cpu');
  await host.reload();
  return rested(socket, pid);
}

async function another(/** @type {{ host: import('../support/host.mjs').Host, socket: string }} */ { host, socket }) {
  const { pid } = await ask(socket, '/cpu');
  await host.openWindow();
  return rested(socket, pid);
}

/** Waits until the host rests; what it had used by then. @param {string} socket @param {number} [before] process id of the host that answered before */
async function rested(socket, before) {
  const end = performance.now() + LONGEST_MS;
  for (let last = Number.NaN, calm = 0; performance.now() < end; await wait(REST.ms)) {
    const now = await ask(socket, '/cpu').catch(() => undefined);
    if (!now || now.pid === before) continue;
    const used = (now.user + now.system) / 1000;
    calm = used - last <= REST.used ? calm + 1 : 0;
    last = used;
    if (calm < REST.times) continue;
    const status = fs.readFileSync(`/proc/${now.pid}/status`, 'utf8');
    return { seconds: used / 1000, megabytes: Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1024 };
  }
  throw new Error(`The host did not come to rest within ${LONGEST_MS / 60_000} minutes.`);
}

async function watch() {
  const began = performance.now();
  const program = spawn(process.execPath, [join(projectRoot, 'dist/cli.js'), 'watch', '--json'], {
    cwd: place.workspace,
    env: { PATH: process.env['PATH'], HOME: place.home },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const seen = new Set();
  let first = Number.NaN;
  for await (const line of createInterface({ input: program.stdout })) {
    const record = JSON.parse(line);
    const session = record.session ?? record.id;
    if (session === undefined) continue;
    if (seen.size === 0) first = (performance.now() - began) / 1000;
    seen.add(session);
    if (seen.size === place.today.length) break;
  }
  const all = (performance.now() - began) / 1000;
  program.kill();
  return { first, all };
}
