// Simulated relays: each is a connection with its own credentials, twenty agents and a heartbeat. Prints what the server confirmed.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const require = createRequire(import.meta.url);
const { connect, nkeyAuthenticator } = require('@nats-io/transport-node');
const { jetstream } = require('@nats-io/jetstream');

const { servers, tls, folder, names, agents, run, sample } = JSON.parse(process.argv[2]);
const head = (machine, n) => ({ v: 1, machine, run, n, at: Date.now() });
const machines = [];
let confirmed = 0;
let failed = 0;
let rate = 0;
const WAITING = 2_000;
let waiting = 0;

for (let i = 0; i < names.length; i += 25)
  await Promise.all(
    names.slice(i, i + 25).map(async (name) => {
      const seed = /^SU.*$/m.exec(readFileSync(join(folder, `${name}.creds`), 'utf8'))[0];
      const authenticator = nkeyAuthenticator(new TextEncoder().encode(seed));
      const connection = await connect({
        servers,
        tls,
        authenticator,
        inboxPrefix: `_INBOX.machine.${name}`,
        timeout: 60_000,
      });
      machines.push({ name, states: jetstream(connection, { timeout: 10_000 }), n: 0 });
    }),
  );

function put(key, value) {
  waiting++;
  const machine = machines.find(({ name }) => key.startsWith(`${name}.`));
  return machine.states.publish(`$KV.unstuck_states.${key}`, JSON.stringify(value)).then(
    () => {
      waiting--;
      confirmed++;
    },
    () => {
      waiting--;
      failed++;
    },
  );
}

const byName = new Map(machines.map((machine) => [machine.name, machine]));
function state(machine, agent) {
  const { name } = machine;
  const key = `a${agent}`;
  waiting++;
  const value = { ...sample, ...head(name, ++machine.n), key, session: key, title: `Agent ${agent} of ${name}` };
  return machine.states.publish(`$KV.unstuck_states.${name}.agent.${key}`, JSON.stringify(value)).then(
    () => (waiting--, confirmed++),
    () => (waiting--, failed++),
  );
}
function heartbeat(machine) {
  const record = {
    kind: 'machine',
    host: machine.name,
    version: '1',
    platform: 'linux',
    startedAt: Date.now(),
    allow: ['nudge'],
    agents,
    everyMs: 10_000,
  };
  return put(`${machine.name}.machine`, { ...head(machine.name, ++machine.n), ...record });
}

// All of them once, as after a start.
for (let i = 0; i < machines.length; i += 50)
  await Promise.all(
    machines
      .slice(i, i + 50)
      .flatMap((machine) => [
        heartbeat(machine),
        ...Array.from({ length: agents }, (_, agent) => state(machine, agent)),
      ]),
  );
process.send({ kind: 'ready', confirmed, failed });

let next = 0;
let owed = 0;
let last = performance.now();
setInterval(() => {
  const now = performance.now();
  owed = Math.min(owed + ((now - last) / 1_000) * rate, WAITING);
  last = now;
  for (; owed >= 1 && waiting < WAITING; owed--) {
    void state(machines[next % machines.length], Math.floor(next / machines.length) % agents);
    next++;
  }
}, 10);
setInterval(() => {
  for (const machine of byName.values()) if (Math.random() < 0.1) void heartbeat(machine);
}, 1_000);
process.on('message', (message) => {
  if (message.kind === 'rate') {
    rate = message.rate;
    confirmed = 0;
    failed = 0;
    owed = 0;
  }
  if (message.kind === 'count') process.send({ kind: 'count', confirmed, failed, memory: process.memoryUsage.rss() });
});
process.on('disconnect', () => process.exit(0));
