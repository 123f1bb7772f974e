import { execFileSync, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { projectRoot } from '../../scripts/bundles.mjs';
import { HOSTILE, startHostile } from './support/hostile-servers.mjs';
import { CLI, freePorts, temporary, until } from './support/fleet.mjs';

/** Duration of the attack of each server, milliseconds. */
const ATTACK_MS = 8_000;
/** Limits for the effect of a hostile server: memory, MB, and the time to end after a request, seconds (five, plus what a busy machine adds). */
const MOST_MB = 64;
const MOST_SECONDS = 10;

const root = temporary('hostile');
const table = [];
const base = {};
let proof;
let other;

const urlOf = ({ port }) => `nats://127.0.0.1:${port}`;
const read = (fleet, name) => fs.readFileSync(join(root, fleet, name), 'utf8');
function proofOf(fleet) {
  execFileSync(process.execPath, [CLI, 'fleet', 'init', join(root, fleet), '--machines', 'alpha', '--viewers', 'me']);
  const hasOne = fs.existsSync(join(root, fleet, 'server.crt'));
  return hasOne ? { key: read(fleet, 'server.key'), cert: read(fleet, 'server.crt') } : null;
}

/** Peak of a process's memory, MB. */
function peakOf({ pid }) {
  const [, kilobytes] = /^VmHWM:\s+(\d+)/m.exec(fs.readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Math.round(Number(kilobytes) / 1024);
}

function startRelay(url) {
  const home = fs.mkdtempSync(join(root, 'home-'));
  const project = join(home, 'project');
  fs.mkdirSync(project);
  const t = new Date().toISOString();
  const start = { v: 1, t, session: 's1', type: 'session_start', cwd: project };
  fs.writeFileSync(join(project, 's1.agent.jsonl'), `${JSON.stringify(start)}\n`);
  const words = ['relay', project, '--servers', url, '--creds', join(root, 'fleet/alpha.creds'), '--allow', 'nudge'];
  const relay = spawn(process.execPath, [CLI, ...words, '--json'], {
    env: { PATH: process.env.PATH, HOME: home },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  relay.printed = '';
  relay.stdout.on('data', (text) => (relay.printed += text));
  return relay;
}

function startWindow(url) {
  const child = join(projectRoot, 'test/fleet/support/window-child.mjs');
  const window = fork(child, [join(projectRoot, 'dist/fleet.js'), url, join(root, 'fleet/me.creds')], { silent: true });
  window.printed = '';
  window.stdout.on('data', (text) => (window.printed += text));
  window.once('message', (said) => Object.assign(window, said));
  return window;
}

/** Asks a process to end, and returns the seconds that it took. Kills one that does not end. */
async function ended(child) {
  if (child.exitCode !== null || child.signalCode !== null) return 0;
  const exited = once(child, 'exit');
  const from = Date.now();
  child.kill('SIGTERM');
  const killing = setTimeout(() => child.kill('SIGKILL'), 60_000);
  await exited;
  clearTimeout(killing);
  return (Date.now() - from) / 1000;
}

async function measured(child) {
  const isOver = child.exitCode !== null;
  const mb = isOver ? null : peakOf(child);
  return { mb, seconds: await ended(child) };
}

beforeAll(async () => {
  proof = proofOf('fleet');
  other = proofOf('other') ?? proof;
  const [port] = await freePorts(1);
  const [relay, window] = [startRelay(urlOf({ port })), startWindow(urlOf({ port }))];
  await until('the relay says that there is no server', () => relay.printed.includes('unreachable'));
  await pause(ATTACK_MS / 2);
  base.relay = (await measured(relay)).mb;
  base.window = (await measured(window)).mb;
});
afterAll(() => {
  console.log(`memory without a server: relay ${base.relay} MB, window ${base.window} MB`);
  console.table(table);
  fs.rmSync(root, { recursive: true, force: true });
});

describe('a hostile message server: relay and window end, stay small and print nothing it sent', () => {
  it.each(HOSTILE)('$name', async (hostile) => {
    const servers = [await startHostile(hostile, proof, other), await startHostile(hostile, proof, other)];
    const [relay, window] = [startRelay(urlOf(servers[0])), startWindow(urlOf(servers[1]))];
    await until('both have come', () => servers.every((server) => server.arrived() > 0));
    await pause(ATTACK_MS);
    const relayExit = relay.exitCode;
    const ofRelay = await measured(relay);
    const ofWindow = await measured(window);
    for (const server of servers) server.stop();
    const more = (mb, before) => (mb === null ? 0 : Math.max(0, mb - before));
    const row = {
      server: hostile.name,
      'relay MB more': more(ofRelay.mb, base.relay),
      'relay ends after s': relayExit === null ? ofRelay.seconds : `by itself: ${relayExit}`,
      'window MB more': more(ofWindow.mb, base.window),
      'window ends after s': ofWindow.seconds,
      'window held ms': window.heldMs,
      'window says': window.status,
    };
    table.push(row);
    expect(row['relay MB more']).toBeLessThanOrEqual(MOST_MB);
    expect(row['window MB more']).toBeLessThanOrEqual(MOST_MB);
    expect(ofRelay.seconds).toBeLessThan(MOST_SECONDS);
    expect(ofWindow.seconds).toBeLessThan(MOST_SECONDS);
    for (const line of relay.printed.trim().split('\n').filter(Boolean))
      expect(() => JSON.parse(line), line).not.toThrow();
    expect(window.printed).toBe('');
    // They sign in only to a server that has proved to be the right one.
    if (hostile.first || hostile.other)
      for (const { heard } of servers) expect(heard.filter((line) => /^(?:CONNECT|H?PUB)/.test(line))).toEqual([]);
  });
});
