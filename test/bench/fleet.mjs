#!/usr/bin/env node
/**
 * Measures simulated machines on one cluster of real message servers on loopback: states per second, how late a window receives them, memory of
 * servers, a relay and a window. `--machines 500 --agents 20 --seconds 20 --servers 3`. Stops on its own.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { projectRoot } from '../../scripts/bundles.mjs';
import { connected, Machine, Servers, until, viewer } from '../fleet/support/fleet.mjs';
import { natsServer } from '../fleet/support/nats-server.mjs';

const option = (value) => ({ type: 'string', default: value });
const { values } = parseArgs({
  options: {
    machines: option('500'),
    agents: option('20'),
    seconds: option('20'),
    servers: option('3'),
    rates: option('2000,0'),
  },
});
const [machines, agents, seconds, count] = [values.machines, values.agents, values.seconds, values.servers].map(Number);
/** Seconds after which it ends in any case. */
const LONGEST = 600;
const megabytes = (bytes) => `${Math.round(bytes / 1024 ** 2)} MB`;

const found = natsServer();
if (!found.path) {
  console.log(`skipped: ${found.why}`);
  process.exit(0);
}
setTimeout(() => {
  console.error(`it took longer than ${LONGEST} s`);
  process.exit(1);
}, LONGEST * 1_000).unref();

const memoryOf = (pid) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024;
const cpuOf = (pid) => {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
};
const names = Array.from({ length: machines }, (_, i) => `m${i}`);
const servers = await Servers.start({ machines: [...names, 'real'], viewers: ['me'], count });
const real = new Machine('real', servers);
const children = [];
const child = (file, settings) => {
  const process = fork(join(projectRoot, 'test/bench/child', file), [JSON.stringify(settings)]);
  children.push(process);
  return process;
};
const asked = async (process, message) => {
  process.send({ kind: message });
  for (;;) {
    const [answer] = await once(process, 'message');
    if (answer.kind === message) return answer;
  }
};
try {
  // A record of a real agent, so that the simulated ones are as large.
  for (let i = 0; i < agents; i++) real.begin(`s${i}`);
  await real.started();
  const client = await connected(viewer(servers));
  for (let i = 0; i < agents; i++) real.fail(`s${i}`, 6);
  const stuck = await until('a real agent is stuck', () =>
    client.agents('real').find(({ record }) => record.incidents.length > 0),
  );
  client.dispose();
  const sample = { ...stuck.record, machine: undefined };
  const bytes = JSON.stringify(stuck.record).length;

  const window = child('fleet-window.mjs', {
    servers: servers.urls,
    credentials: join(servers.fleet, 'me.creds'),
    bundle: join(projectRoot, 'dist/fleet.js'),
  });
  await once(window, 'message');
  const began = performance.now();
  const load = child('fleet-machines.mjs', {
    ...servers.reached(),
    folder: servers.fleet,
    names,
    agents,
    run: stuck.record.run,
    sample,
  });
  const [ready] = await once(load, 'message');
  const startSeconds = (performance.now() - began) / 1_000;
  console.log(
    `nats-server ${found.version}, ${count} servers, ${machines} machines x ${agents} agents, a state has ${bytes} bytes`,
  );
  console.log(
    `all signed in and published once: ${startSeconds.toFixed(1)} s (${ready.confirmed} stored, ${ready.failed} not)`,
  );
  await until('the window has them all', async () => (await asked(window, 'count')).agents >= machines * agents);

  for (const rate of values.rates.split(',').map(Number)) {
    load.send({ kind: 'rate', rate: rate === 0 ? 1e6 : rate });
    await pause(2_000);
    load.send({ kind: 'rate', rate: rate === 0 ? 1e6 : rate });
    window.send({ kind: 'reset' });
    const cpu = servers.processes.map(({ pid }) => cpuOf(pid)).reduce((a, b) => a + b, 0);
    await pause(seconds * 1_000);
    const stored = await asked(load, 'count');
    const heard = await asked(window, 'count');
    const used = servers.processes.map(({ pid }) => cpuOf(pid)).reduce((a, b) => a + b, 0) - cpu;
    console.log(
      `${rate === 0 ? 'as many as are taken' : `${rate} states/s wanted`}: ${Math.round(stored.confirmed / seconds)} stored/s (${stored.failed} not), ` +
        `window told after p50 ${heard.p50} ms, p99 ${heard.p99} ms, its longest step ${heard.longest.toFixed(0)} ms, servers ${(used / seconds).toFixed(2)} cores`,
    );
    if (rate !== 0) await pause(1_000);
  }
  load.send({ kind: 'rate', rate: 0 });
  await pause(3_000);
  const last = await asked(window, 'count');
  console.log(
    `memory: servers ${servers.processes.map(({ pid }) => megabytes(memoryOf(pid))).join(', ')}; relay of ${agents} agents ${megabytes(memoryOf(real.process.pid))}; window ${megabytes(last.memory)} with ${last.agents} agents, ${megabytes(last.before)} before`,
  );

  // A second window, which reads everything that is there.
  const second = child('fleet-window.mjs', {
    servers: servers.urls,
    credentials: join(servers.fleet, 'me.creds'),
    bundle: join(projectRoot, 'dist/fleet.js'),
  });
  const [opened] = await once(second, 'message');
  console.log(`a window that opens reads ${opened.agents} agents in ${Math.round(opened.ms)} ms`);
} finally {
  for (const process of children) process.kill();
  await real.stop();
  await servers.stop();
}
process.exit(0);
