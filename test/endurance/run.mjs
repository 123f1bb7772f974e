#!/usr/bin/env node
/**
 * Runs Unstuck for an hour inside a real VS Code: 200 transcripts, 20 of them written at ten times the pace of real agents, with loops, waits, deaths
 * and damaged files at known times. Exactly the planned alerts must come, and nothing may grow that the plan does not need.
 *
 *   npm run endurance -- [--minutes 60] [--seed 1] [--vsix dist/unstuck.vsix] [--output test-output/endurance]
 *
 * The table, all readings and the alerts are written to the output folder. Exit code 1: an alert is wrong, or something grows.
 */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { extensionIsActive } from '../support/demo.mjs';
import { startHost } from '../support/host.mjs';
import { projectRoot } from '../support/vscode-host.mjs';
import { ask, probeExtension } from '../bench/editor/probe.mjs';
import { workbench } from '../e2e/support/workbench.mjs';
import { incidentsIn } from '../faults/support/history.mjs';
import { drive, writeOld } from './drive.mjs';
import { compareAlerts, judgeGrowth, tableOf } from './judge.mjs';
import { measure } from './measure.mjs';
import { alertsOf, LIVE, planOf, SESSIONS } from './plan.mjs';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    seed: { type: 'string', default: '1' },
    vsix: { type: 'string', default: join(projectRoot, 'dist/unstuck.vsix') },
    output: { type: 'string', default: join(projectRoot, 'test-output/endurance') },
  },
});
const MINUTES = Number(values.minutes);
const SEED = Number(values.seed);
/** Parts of the run at which the three readings are taken: each while 20 sessions are live. */
const START = Math.min(0.1, 3 / MINUTES);
const END = 0.97;
/** Time after which the latest writes are read, drawn and kept. */
const REST_MS = 8_000;
const REST_AT_THE_ENDS_MS = 60_000;
/** The longest that reading the old sessions may take on a busy machine. */
const SETTLES_MS = 15 * 60_000;

const output = resolve(values.output);
fs.mkdirSync(output, { recursive: true });
const log = fs.createWriteStream(join(output, 'log.txt'));
const root = fs.mkdtempSync(join(tmpdir(), 'unstuck-endurance-'));
const place = { home: join(root, 'home'), workspace: join(root, 'workspace') };
for (const folder of Object.values(place)) fs.mkdirSync(folder);
fs.writeFileSync(join(place.workspace, 'README.md'), '# Endurance\n');

let ok = false;
try {
  ok = await run();
} finally {
  fs.rmSync(root, { recursive: true, force: true });
  log.end();
}
process.exit(ok ? 0 : 1);

async function run() {
  const plan = planOf({ minutes: MINUTES, seed: SEED });
  const oldFiles = writeOld(plan.old, place);
  const socket = join(root, 'probe.sock');
  const host = await startHost({
    vsix: [resolve(values.vsix), probeExtension(join(root, 'probe'))],
    workspace: place.workspace,
    home: place.home,
    settings: {
      // VS Code's own search for ports starts processes every two seconds from the measured host.
      'remote.autoForwardPorts': false,
      'remote.autoForwardPortsSource': 'output',
    },
    env: { UNSTUCK_BENCH_SOCKET: socket },
  });
  try {
    await extensionIsActive(host.dir);
    await workbench(host.page).openViewContainer('Unstuck');
    while (!fs.existsSync(socket)) await sleep(200);
    await settled(plan, host.dir, socket);
    return await follow(plan, oldFiles, host, socket);
  } finally {
    await host.close();
  }
}

/** Waits until the existing files have been read: their alerts are kept, and hardly any computation is left. */
async function settled(plan, dir, socket) {
  const known = alertsOf(plan, []).length;
  const giveUp = Date.now() + SETTLES_MS;
  for (let before = await ask(socket, '/cpu'); Date.now() < giveUp; ) {
    await sleep(REST_AT_THE_ENDS_MS / 2);
    const now = await ask(socket, '/cpu');
    const load = (now.user + now.system - before.user - before.system) / 1000 / (now.at - before.at);
    if (load < 0.05 && incidentsIn(dir).length >= known) return;
    before = now;
  }
  throw new Error(`The window does not come to rest: ${incidentsIn(dir).length} of ${known} old incidents are known.`);
}

async function follow(plan, oldFiles, host, socket) {
  const readings = [];
  const since = Date.now();
  const running = { drive: null };
  const read = async (/** @type {string} */ name) => {
    const reading = await measure({ socket, dir: host.dir, since });
    const before = readings.at(-1);
    const load = before && (reading.cpu - before.cpu) / ((reading.minute - before.minute) * 60);
    const { counts } = running.drive ?? { counts: { begun: 0, steps: 0, bytes: 0 } };
    const one = { name, ...reading, load, ...counts, files: transcripts(), incidents: incidentsIn(host.dir).length };
    readings.push(one);
    say(`${name}: ${JSON.stringify(one)}`);
    fs.writeFileSync(join(output, 'readings.json'), JSON.stringify(readings, null, 2));
    fs.writeFileSync(join(output, 'incidents.json'), JSON.stringify(incidentsIn(host.dir), null, 2));
    return one;
  };
  const readAtRest = async (/** @type {string} */ name) => {
    await running.drive.hold();
    await sleep(REST_MS);
    const reading = await read(name);
    running.drive.goOn();
    return reading;
  };

  await read('before');
  const began = Date.now();
  running.drive = drive(plan, { ...place, oldFiles, log: say });
  const until = (/** @type {number} */ part) => sleep(Math.max(0, began + part * MINUTES * 60_000 - Date.now()));
  const steps = 12;
  await until(START);
  await readAtRest('start');
  for (let step = 1; step < steps; step++) {
    if (step / steps <= START) continue;
    await until(step / steps);
    if (step * 2 === steps) await readAtRest('middle');
    else await read(`${((step / steps) * MINUTES).toFixed(1)} min`);
  }
  await until(END);
  await readAtRest('end');
  await host.screenshot('endurance-end');
  await running.drive.done;
  await sleep(REST_AT_THE_ENDS_MS);
  await read('after');
  await host.screenshot('endurance-after');
  return report(plan, running.drive, readings, host);
}

/** @returns {boolean} whether everything is within its limit */
function report(plan, { told, counts }, readings, host) {
  const wanted = alertsOf(plan, told);
  const kept = incidentsIn(host.dir);
  const got = kept.map(({ session, detector }) => `${session} ${detector}`).sort();
  const { missing, extra } = compareAlerts(wanted, got);
  fs.writeFileSync(join(output, 'alerts.json'), JSON.stringify({ wanted, kept, told }, null, 2));
  const asked = recalled(host.dir);
  const of = (/** @type {string} */ name) => readings.find((one) => one.name === name);
  const [middle, end] = [of('middle'), of('end')];
  const growth = judgeGrowth(middle, end, end.begun - middle.begun);
  const lines = [
    `${MINUTES} minutes, seed ${SEED}, VS Code ${host.version}, ${process.platform} ${process.arch}: ${SESSIONS} transcripts, ${LIVE} live, ` +
      `${counts.begun} live sessions in turn, ${counts.steps} steps, ${(counts.bytes / 2 ** 20).toFixed(0)} MB written, ${counts.deleted} old transcripts deleted.`,
    '',
    tableOf(['before', 'start', 'middle', 'end', 'after'].map(of)),
    '',
    ...growth.map(
      ({ what, middle: from, end: to, bound, holds }) =>
        `${holds ? 'met   ' : 'MISSED'}  ${what}: ${round(from)} to ${round(to)}, may grow by ${round(bound)}`,
    ),
    '',
    `What went wrong: ${countsOf(told.map(({ name }) => name))}.`,
    `Alerts that must come: ${wanted.length} (${countsOf(wanted.map((alert) => alert.split(' ')[1] ?? ''))}).`,
    `${missing.length + extra.length === 0 ? 'met   ' : 'MISSED'}  alerts kept: ${got.length}; missing ${missing.length}, extra or twice ${extra.length}`,
    ...missing.map(
      (alert) => `        missing: ${alert}, ${told.filter(({ id }) => alert.startsWith(id)).map(({ name }) => name)}`,
    ),
    ...extra.map(
      (alert) => `        extra: ${alert}, ${told.filter(({ id }) => alert.startsWith(id)).map(({ name }) => name)}`,
    ),
    `${asked === got.length ? 'met   ' : 'MISSED'}  \`unstuck recall\` knows ${asked} of ${got.length}`,
  ];
  fs.writeFileSync(join(output, 'table.md'), `${lines.join('\n')}\n`);
  console.log(lines.join('\n'));
  return missing.length + extra.length === 0 && asked === got.length && growth.every(({ holds }) => holds);
}

/** The number of incidents that the command line finds in the history. */
function recalled(/** @type {string} */ dir) {
  const storage = join(dir, 'user/User/globalStorage/unstuck.unstuck/incidents');
  const journal = fs
    .readdirSync(storage, { recursive: true, encoding: 'utf8' })
    .find((name) => basename(name) === 'journal');
  // The package contains no command line; the checkout's reads the same history.
  const cli = join(projectRoot, 'dist/cli.js');
  const args = [
    cli,
    'recall',
    '--json',
    '--since',
    '30d',
    '--limit',
    '5000',
    '--store',
    dirname(join(storage, journal ?? '')),
  ];
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', maxBuffer: 2 ** 28 });
  if (stderr) say(stderr);
  return new Set(
    stdout
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line))
      .filter(({ kind }) => kind === 'incident')
      .map(({ id }) => id),
  ).size;
}

function countsOf(/** @type {string[]} */ words) {
  const counts = new Map();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts].map(([word, count]) => `${word} ${count}`).join(', ');
}

function transcripts() {
  return ['.claude/projects', '.codex/sessions', '.gemini/tmp']
    .flatMap((folder) => {
      const path = join(place.home, folder);
      return fs.existsSync(path) ? fs.readdirSync(path, { recursive: true, encoding: 'utf8' }) : [];
    })
    .filter((name) => name.endsWith('.jsonl')).length;
}

function say(/** @type {string} */ text) {
  log.write(`${new Date().toISOString()} ${text}\n`);
}

function round(/** @type {number} */ value) {
  return Math.round(value * 10) / 10;
}
