import { createRequire } from 'node:module';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Machine, Servers, connected, until, viewer } from './support/fleet.mjs';

const require = createRequire(import.meta.url);
const { connect, nkeyAuthenticator } = require('@nats-io/transport-node');

/** A hostile machine or window uses its own credentials over the bare protocol. The server must refuse each attempt. */
let servers;
let alpha;
let window;
let seen;
const connections = [];

/** A connection with the credentials of a user that may do anything on the protocol level. */
async function as(name) {
  const seed = /^SU.*$/m.exec(servers.credentials(name))[0];
  const role = name === 'me' ? 'viewer' : name === 'admin' ? 'admin' : 'machine';
  const connection = await connect({
    ...servers.reached(),
    authenticator: nkeyAuthenticator(new TextEncoder().encode(seed)),
    inboxPrefix: `_INBOX.${role}.${name}`,
    reconnect: false,
  });
  connections.push(connection);
  return connection;
}

/** Publishes, and returns the server's response. */
async function publishes(name, subject, payload = '{}') {
  const connection = await as(name);
  const refused = new Promise((said) => {
    void (async () => {
      for await (const status of connection.status()) if (status.type === 'error') said(status.error.message);
    })();
  });
  connection.publish(subject, payload);
  await connection.flush();
  return await Promise.race([refused, new Promise((later) => setTimeout(later, 500, 'taken'))]);
}

async function subscribes(name, subject) {
  const connection = await as(name);
  return await new Promise((said) => {
    connection.subscribe(subject, { callback: (error) => said(error ? error.message : 'heard') });
    void connection.flush().then(() => setTimeout(said, 500, 'taken'));
  });
}

/** Sends a request to JetStream itself. */
async function asks(name, subject, payload = '{}') {
  const connection = await as(name);
  try {
    const answer = await connection.request(subject, payload, { timeout: 1_000 });
    return JSON.parse(answer.string()).error?.description ?? 'answered';
  } catch (error) {
    return error.message;
  }
}

beforeAll(async () => {
  servers = await Servers.start({ machines: ['alpha', 'beta'], viewers: ['me', 'you'] });
  alpha = new Machine('alpha', servers);
  alpha.begin('s1');
  await alpha.started();
  window = await connected(viewer(servers));
  await until('the agent is there', () => window.agents().length === 1);
  seen = () => JSON.stringify(window.agents().map(({ record }) => record.title));
});
afterAll(async () => {
  window?.dispose();
  for (const connection of connections) await connection.close();
  await alpha?.stop();
  await servers?.stop();
});

const state = '$KV.unstuck_states';
const FORBIDDEN = [
  ['a machine writes the state of another', () => publishes('beta', `${state}.alpha.machine`)],
  ['a machine writes an agent of another', () => publishes('beta', `${state}.alpha.agent.s1`)],
  ['a machine writes an event of another', () => publishes('beta', 'unstuck.events.alpha.s1')],
  ['a machine writes a receipt of another', () => publishes('beta', 'unstuck.receipts.alpha.me')],
  ['a machine sends a message', () => publishes('beta', 'unstuck.messages.alpha.me')],
  [
    'a machine takes the messages of another',
    () => publishes('beta', 'unstuck.api.CONSUMER.MSG.NEXT.unstuck_messages.relay_alpha'),
  ],
  [
    'a machine reads stored states',
    () => publishes('beta', `unstuck.api.DIRECT.GET.KV_unstuck_states.${state}.alpha.machine`),
  ],
  ['a machine hears states and events of another', () => subscribes('beta', 'unstuck.live.>')],
  ['a machine hears the answers to another', () => subscribes('beta', '_INBOX.machine.alpha.>')],
  ['a viewer writes a state', () => publishes('me', `${state}.alpha.machine`)],
  ['a viewer takes a state out', () => publishes('me', `${state}.alpha.agent.s1`, '')],
  ['a viewer sends in the name of another', () => publishes('me', 'unstuck.messages.alpha.you')],
  ['a viewer writes an event', () => publishes('me', 'unstuck.events.alpha.s1')],
  ['a viewer writes a receipt', () => publishes('me', 'unstuck.receipts.alpha.me')],
  ['a viewer hears receipts of another', () => subscribes('me', 'unstuck.answers.*.you')],
  ['a viewer takes messages', () => publishes('me', 'unstuck.api.CONSUMER.MSG.NEXT.unstuck_messages.relay_alpha')],
  ['a viewer makes a consumer', () => asks('me', '$JS.API.CONSUMER.CREATE.KV_unstuck_states')],
  ['a machine makes a consumer', () => asks('beta', '$JS.API.CONSUMER.DURABLE.CREATE.unstuck_messages.mine')],
  ['a machine deletes the states', () => asks('beta', '$JS.API.STREAM.DELETE.KV_unstuck_states')],
  ['a viewer empties the events', () => asks('me', '$JS.API.STREAM.PURGE.unstuck_events')],
  [
    'a viewer makes a stream over the messages',
    () => asks('me', '$JS.API.STREAM.CREATE.mine', '{"name":"mine","subjects":["unstuck.messages.>"]}'),
  ],
];

const table = /** @type {string[]} */ ([]);
for (const [act, tried] of /** @type {[string, () => Promise<string>][]} */ (FORBIDDEN))
  it(`refuses: ${act}`, async () => {
    const before = seen();
    const said = await tried();
    table.push(`${act}: ${said}`);
    expect(said).toMatch(/permissions violation/i);
    expect(seen()).toBe(before);
  });

it('refuses anyone without credentials for this server', async () => {
  const other = createRequire(import.meta.url)('@nats-io/nkeys').createUser();
  const authenticator = nkeyAuthenticator(other.getSeed());
  const to = { ...servers.reached(), reconnect: false };
  await expect(connect({ ...to, authenticator })).rejects.toThrow(/authorization/i);
  await expect(connect(to)).rejects.toThrow(/authorization/i);
});

it('lets no answer of the server into a stream', async () => {
  // The answer to an allowed request goes to the subject that the client names. If that were a state, the server would write it for the client.
  const beta = await as('beta');
  const before = seen();
  beta.publish(`${state}.beta.machine`, '{}', { reply: `${state}.alpha.agent.s1` });
  beta.publish(`${state}.beta.agent.x`, '{}', { reply: 'unstuck.messages.alpha.me' });
  const me = await as('me');
  me.publish(`unstuck.api.DIRECT.GET.KV_unstuck_states.${state}.beta.machine`, '', {
    reply: `${state}.alpha.agent.s1`,
  });
  me.publish('unstuck.messages.beta.me', '{}', { reply: `${state}.alpha.agent.s1` });
  await Promise.all([beta.flush(), me.flush()]);
  const admin = await as('admin');
  const info = await admin.request(
    '$JS.API.STREAM.INFO.KV_unstuck_states',
    '{"subjects_filter":"$KV.unstuck_states.alpha.agent.s1"}',
  );
  const get = await admin.request(`$JS.API.DIRECT.GET.KV_unstuck_states.${state}.alpha.agent.s1`, '');
  expect(JSON.parse(info.string()).error).toBeUndefined();
  expect(JSON.parse(get.string())).toMatchObject({ kind: 'agent', machine: 'alpha', key: 's1' });
  expect(seen()).toBe(before);
  expect(alpha.messages('s1', 'new')).toEqual([]);
  console.log(table.join('\n'));
});
