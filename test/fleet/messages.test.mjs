import { afterAll, beforeAll, expect, it } from 'vitest';
import { setTimeout as pause } from 'node:timers/promises';
import { Machine, Servers, connected, until, viewer } from './support/fleet.mjs';

/** Number of messages sent while servers and relays die: none may be lost or arrive twice. */
const COUNT = Number(process.env.UNSTUCK_MESSAGES ?? 300);
/** Limit for deaths of servers and relays together: on a slow machine more would die than is sent, and the test would take longer and longer. */
const MOST_KILLED = COUNT / 15;
/** Time between two messages, milliseconds: slow enough that this many die in the meantime. */
const PACE_MS = 100;
const SESSIONS = 10;
const sessions = Array.from({ length: SESSIONS }, (_, i) => `s${i}`);
let servers;
let machines = [];
let client;

beforeAll(async () => {
  servers = await Servers.start({ machines: ['alpha', 'beta'], viewers: ['me'], count: 3 });
  machines = ['alpha', 'beta'].map((name) => new Machine(name, servers));
  for (const machine of machines) {
    for (const session of sessions) machine.begin(session);
    await machine.started();
  }
  client = await connected(viewer(servers));
  await until(
    'all agents are there',
    () => client.agents().filter(({ record }) => record.accepts.includes('nudge')).length === 2 * SESSIONS,
  );
});
afterAll(async () => {
  client?.dispose();
  for (const machine of machines) await machine.stop();
  await servers?.stop();
});

it(`${COUNT} messages while servers and relays are killed: none lost, none twice`, async () => {
  const over = new AbortController();
  const killed = { servers: 0, relays: 0 };
  /** Kills one of the three servers, or a relay, with SIGKILL and starts it again. The next server dies once this one has caught up. */
  const killing = (async () => {
    for (let turn = 0; !over.signal.aborted && turn < MOST_KILLED; turn++) {
      await pause(700);
      if (turn % 2 === 0) {
        await servers.whole();
        if (over.signal.aborted) return;
        const i = (turn / 2) % 3;
        await servers.kill(i);
        killed.servers++;
        await pause(1_000);
        servers.run(i);
        await pause(1_500);
      } else {
        const machine = machines[((turn - 1) / 2) % 2];
        await machine.kill();
        killed.relays++;
        machine.relay();
      }
    }
  })();
  /** Lets the agents take what is there, so that a message that arrived twice would be taken twice. */
  const taking = (async () => {
    for (let turn = 0; !over.signal.aborted; turn++) {
      const machine = machines[turn % 2];
      await machine.take(sessions[turn % SESSIONS]);
      await pause(200);
    }
  })();

  const sent = [];
  for (let i = 0; i < COUNT; i++) {
    const machine = machines[i % 2].name;
    const key = sessions[i % SESSIONS];
    const one = await until('the agent can be sent to', () => {
      const result = client.send({ machine, key, action: 'nudge', text: `Message ${i}` });
      return result.ok && result.value;
    });
    sent.push({ id: one.id, sending: one, machine: machines[i % 2], key });
    await pause(PACE_MS);
  }
  over.abort();
  await Promise.all([killing, taking]);
  for (let i = 0; i < 3; i++)
    if (servers.processes[i].exitCode !== null || servers.processes[i].signalCode !== null) servers.run(i);
  for (const machine of machines)
    if (machine.process.exitCode !== null || machine.process.signalCode !== null) machine.relay();

  const places = () => {
    const found = new Map();
    for (const machine of machines)
      for (const session of sessions)
        for (const id of [...machine.messages(session, 'new'), ...machine.messages(session, 'cur')])
          found.set(id, [...(found.get(id) ?? []), `${machine.name}/${session}`]);
    return found;
  };
  await until('every message lies in an inbox', () => sent.every(({ id }) => places().has(id)), 180_000);
  // Redelivery happens within the time in which a message had to be acknowledged.
  await pause(12_000);
  const found = places();
  expect(sent.filter(({ id }) => found.get(id)?.length !== 1)).toEqual([]);
  expect(found.size).toBe(COUNT);
  for (const { id, machine, key } of sent) expect(found.get(id)).toEqual([`${machine.name}/${key}`]);
  const states = ['queued', 'taken', 'seen', 'failed', 'acted', 'expired'];
  await until('every receipt came', () => sent.every(({ sending }) => states.includes(sending.steps().at(-1).state)));
  expect(killed.servers).toBeGreaterThanOrEqual(3);
  expect(killed.relays).toBeGreaterThanOrEqual(3);
  console.log(`${COUNT} messages; killed: ${killed.servers} servers, ${killed.relays} relays; lost 0, twice 0`);
});
