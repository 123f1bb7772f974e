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
/**
 * The host rests when it worked no longer than this in each of so many stretches, one after the other. What waits for idle time is counted. An
 * idle window uses 20 ms of each stretch, give or take a small collection of garbage; a limit of 30 ms was never reached on some machines.
 */
const REST = { used: 60, ms: 10_000, times: 3 };
const LONGEST_MS = 10 * 60_000;
/** How long the control takes to start, with the collection of garbage that comes two minutes later. What it uses from then on is idle. */
const CONTROL_STARTS_MS = 150_000;

/** @type {Awaited<ReturnType<typeof open>>} */
let control;

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
  // An idle host beside all others. It says how long a host works that has nothing to do, on this machine in the same seconds.
  control = await open('control', [empty, probe]);
  await wait(CONTROL_STARTS_MS);
  const off = await open('off', [empty, probe]);
  const bareFirst = await rested(off);
  const bare = await reloaded(off);
  const bareWindow = await another(off);
  await off.host.close();
  // The yardstick: one machine may need more than twice the time of another.
  const seconds = [bareFirst, bare, bareWindow].map((one) => `${one.seconds.toFixed(2)} s`);
  console.log(
    `        with an empty extension: first start ${seconds[0]}, later start ${seconds[1]}, window ${seconds[2]}`,
  );

  // What the command line or a run before left must not help the first start.
  for (const left of ['.cache/unstuck', '.unstuck'])
    fs.rmSync(join(place.home, left), { recursive: true, force: true });
  const on = await open('on', [join(projectRoot, 'dist/unstuck.vsix'), probe]);
  const first = await rested(on);
  report('first start of all', 4.5, ' s', [first.seconds - bareFirst.seconds]);
  // Garbage of reading everything once: it has no goal, but should be known.
  console.log(`        first start of all: highest memory  ${Math.round(first.megabytes - bareFirst.megabytes)} MB`);
  const resting = [];
  const grown = [];
  for (let round = 0; round < ROUNDS; round++) {
    for (const session of place.today) fs.appendFileSync(session.path, turnEnd(session));
    await rested(on);
    resting.push(await reloaded(on));
    for (const session of place.today) fs.appendFileSync(session.path, steps(session, GROWN_STEPS));
    await rested(on);
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
  await rested(on);
  report('second and third window', 0.5, ' s', [
    (await another(on)).seconds - bareWindow.seconds,
    (await another(on)).seconds - bareWindow.seconds,
  ]);
  await on.host.close();
  await control.host.close();

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
  const before = control ? await usedBy(control.socket) : undefined;
  return {
    host: await startHost({ vsix, settings, env, home: place.home, workspace: place.workspace }),
    socket,
    before,
  };
}

async function reloaded(/** @type {Awaited<ReturnType<typeof open>>} */ { host, socket }) {
  const { pid } = await usedBy(socket);
  const before = await usedBy(control.socket);
  await host.reload();
  return rested({ socket, before }, pid);
}

async function another(/** @type {Awaited<ReturnType<typeof open>>} */ { host, socket }) {
  const { pid } = await usedBy(socket);
  const before = await usedBy(control.socket);
  await host.openWindow();
  return rested({ socket, before }, pid);
}

/** The process of a host, and its processor time in milliseconds. */
async function usedBy(/** @type {string} */ socket) {
  const { pid, user, system } = await ask(socket, '/cpu');
  return { pid, used: (user + system) / 1000 };
}

/**
 * Waits until a host rests. Returns how long it worked by then, without what the control used meanwhile.
 * @param {{ socket: string, before: { used: number } }} host @param {number} [last] process of the host that answered before
 */
async function rested({ socket, before }, last) {
  const end = performance.now() + LONGEST_MS;
  for (let worked = Number.NaN, calm = 0; performance.now() < end; await wait(REST.ms)) {
    const now = await usedBy(socket).catch(() => undefined);
    if (!now || now.pid === last) continue;
    const work = now.used - ((await usedBy(control.socket)).used - before.used);
    calm = work - worked <= REST.used ? calm + 1 : 0;
    worked = work;
    if (calm < REST.times) continue;
    const status = fs.readFileSync(`/proc/${now.pid}/status`, 'utf8');
    return { seconds: worked / 1000, megabytes: Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1024 };
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
