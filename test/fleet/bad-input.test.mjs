import { createRequire } from 'node:module';
import fs from 'node:fs';
import net from 'node:net';
import tls from 'node:tls';
import { once } from 'node:events';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { CLI, Machine, Servers, bundle, connected, freePorts, raw, reaches, until, viewer } from './support/fleet.mjs';

const require = createRequire(import.meta.url);
const { jetstream } = require('@nats-io/jetstream');

let servers;
let alpha;
let client;
const owned = [];

/** A connection that does not use our code, closed after the test. */
async function hostile(name, role) {
  const connection = await raw(servers, name, role);
  owned.push({ dispose: () => connection.close() });
  return connection;
}

const machineNamed = (name) => client.machines().find((machine) => machine.name === name);

beforeAll(async () => {
  servers = await Servers.start({ machines: ['alpha', 'beta', 'gone'], viewers: ['me', 'gone-viewer'] });
  alpha = new Machine('alpha', servers);
  alpha.begin('s1');
  await alpha.started();
  client = await connected(viewer(servers));
  await until('the agent is there', () => client.agents('alpha').length === 1);
});
afterEach(async () => {
  for (const one of owned.splice(0)) await (one.dispose ? one.dispose() : one.stop());
});
afterAll(async () => {
  client?.dispose();
  await alpha?.stop();
  await servers?.stop();
});

describe('the server', () => {
  it('that is gone: the window says so and keeps what it knew, and everything continues when it is back', async () => {
    await servers.kill(0);
    await until('the window says so', () => client.status().kind === 'disconnected');
    expect(client.status()).toMatchObject({ problem: 'unreachable' });
    expect(client.agents('alpha')).toHaveLength(1);
    const sent = client.send({ machine: 'alpha', key: 's1', action: 'nudge', text: 'Sent while the server was gone.' });
    expect(sent.value.steps().at(-1).state).toBe('sending');
    await until('the relay says so', () => alpha.lines.some((line) => line.includes('"disconnected"')));
    servers.run(0);
    await until('it is connected again', () => client.status().kind === 'connected');
    await reaches(sent.value, 'queued');
    expect(alpha.messages('s1', 'new')).toEqual([sent.value.id]);
  });

  it('that was never there: a relay waits for it, and a window says why', async () => {
    const [port] = await freePorts(1);
    const urls = [`tls://127.0.0.1:${port}`];
    const lonely = viewer(servers, { urls });
    const beta = new Machine('beta', servers);
    owned.push(lonely, beta);
    beta.relay({ urls });
    await until('the window says why', () => lonely.status().problem === 'unreachable');
    await until('the relay says why', () => beta.lines.some((line) => line.includes('"unreachable"')));
    expect(beta.process.exitCode).toBeNull();
  });

  it('gets no sign-in beyond loopback without TLS', async () => {
    const heard = [];
    const fake = net.createServer((socket) => {
      socket.write(
        'INFO {"server_id":"x","version":"2.9.10","proto":1,"headers":true,"max_payload":1000,"nonce":"abc"}\r\n',
      );
      socket.on('data', (data) => heard.push(String(data)));
      socket.on('error', () => undefined);
    });
    fake.listen(0, '0.0.0.0');
    await once(fake, 'listening');
    const address = Object.values(require('node:os').networkInterfaces())
      .flat()
      .find(({ family, internal }) => family === 'IPv4' && !internal)?.address;
    if (!address) return console.log('skipped: this machine has no address but loopback');
    const plain = viewer(servers, { urls: [`nats://${address}:${fake.address().port}`] });
    owned.push(plain, { dispose: () => fake.close() });
    await until('it is refused', () => plain.status().problem === 'no_tls');
    expect(heard.join('')).not.toContain('CONNECT');
  });
});

describe('credentials', () => {
  it('that are wrong lead to one clear sentence and exit code 2', async () => {
    const file = join(alpha.home, 'other.creds');
    fs.writeFileSync(file, bundle.credentialsFile('machine', 'alpha', bundle.newUser().seed, servers.certificate()));
    const run = (creds) => {
      try {
        execFileSync(process.execPath, [CLI, 'relay', alpha.project, '--servers', servers.urls[0], '--creds', creds], {
          env: { PATH: process.env.PATH, HOME: alpha.home },
          stdio: 'pipe',
          encoding: 'utf8',
        });
        return { code: 0, text: '' };
      } catch (error) {
        return { code: error.status, text: error.stderr };
      }
    };
    expect(run(file)).toMatchObject({ code: 2, text: expect.stringMatching(/does not accept these credentials/) });
    expect(run(join(servers.fleet, 'me.creds'))).toMatchObject({
      code: 2,
      text: expect.stringMatching(/credentials of a viewer/),
    });
    expect(run('/dev/null')).toMatchObject({ code: 2 });
    const wrong = viewer(servers, {
      credentials: bundle.credentialsFile('viewer', 'me', bundle.newUser().seed, servers.certificate()),
    });
    owned.push(wrong);
    await until('the window says so', () => wrong.status().problem === 'credentials');
  });

  it('that are revoked: machine and window are disconnected at once, and say so', async () => {
    const gone = new Machine('gone', servers);
    gone.begin('s1');
    await gone.started();
    const window = await connected(viewer(servers, { name: 'gone-viewer' }));
    owned.push(gone, window);
    await until('it is seen', () => machineNamed('gone')?.presence === 'live');
    const words = ['fleet', 'remove', servers.fleet, '--machines', 'gone', '--viewers', 'gone-viewer'];
    execFileSync(process.execPath, [CLI, ...words]);
    servers.reload();
    await until('the window says so', () => window.status().problem === 'credentials');
    await until('the relay says so', () => gone.lines.some((line) => line.includes('"credentials"')));
    await until('it is silent', () => machineNamed('gone')?.presence === 'silent');
    await until(
      'the others continue',
      () => client.status().kind === 'connected' && machineNamed('alpha')?.presence === 'live',
    );
  });
});

describe('the files of a fleet', () => {
  it.each(['000', '022', '277'])('are readable by their owner only, under the umask %s', (umask) => {
    const folder = join(servers.folder, `umask-${umask}`);
    const words = ['fleet', 'init', folder, '--machines', 'a', '--viewers', 'b'];
    const shell = ['-c', 'umask "$0" && exec "$@"', umask, process.execPath, CLI, ...words];
    execFileSync('sh', shell);
    const modes = fs.readdirSync(folder).map((name) => [name, fs.statSync(join(folder, name)).mode & 0o777]);
    expect(modes.filter(([, mode]) => mode !== 0o600)).toEqual([]);
    expect(modes.length).toBe(8);
    expect(fs.statSync(folder).mode & 0o777).toBe(0o700);
  });
});

describe('machines', () => {
  it('with the same name: the first works, the second waits and says so, and takes over when the first ends', async () => {
    const twin = new Machine('alpha', servers);
    twin.begin('s2');
    owned.push(twin);
    twin.relay();
    await until('it waits', () => twin.lines.some((line) => line.includes('"standby"')));
    await until(
      'the first works on',
      () =>
        client
          .agents('alpha')
          .map(({ key }) => key)
          .join() === 's1',
    );
    await alpha.kill();
    await until(
      'it takes over',
      () =>
        client
          .agents('alpha')
          .map(({ key }) => key)
          .join() === 's2',
    );
    await twin.kill('SIGTERM');
    await alpha.started();
    await until(
      'the first is back',
      () =>
        client
          .agents('alpha')
          .map(({ key }) => key)
          .join() === 's1',
    );
  });

  it('whose clock is an hour off are live, and their times are shown by this clock', async () => {
    const beta = await hostile('beta', 'machine');
    const ahead = 3_600_000;
    const { record } = client.agents('alpha')[0];
    const run = '01JD0000000000000000000RVN';
    const shifted = Date.now() + ahead;
    const put = (key, value) => jetstream(beta).publish(`$KV.unstuck_states.beta.${key}`, JSON.stringify(value));
    const head = { ...machineNamed('alpha').record, machine: 'beta', run, at: shifted, startedAt: shifted };
    await put('machine', head);
    await put('agent.s1', {
      ...record,
      machine: 'beta',
      run,
      at: shifted,
      state: { kind: 'working', since: shifted - 60_000 },
    });
    const agent = await until('it is seen', () => client.agents('beta')[0]);
    expect(machineNamed('beta').presence).toBe('live');
    expect(Math.abs(machineNamed('beta').aheadMs - ahead)).toBeLessThan(30_000);
    expect(Math.abs(Date.now() - 60_000 - agent.view.state.since)).toBeLessThan(30_000);
  });

  it('that are hostile: nothing of theirs is shown except what the schema allows, and the window survives', async () => {
    const beta = await hostile('beta', 'machine');
    const states = jetstream(beta);
    const { record } = client.agents('alpha')[0];
    const run = '01JD0000000000000000000RVN';
    const bad = [
      'not json',
      '[]',
      JSON.stringify({ ...record, machine: 'alpha' }),
      JSON.stringify({ ...record, machine: 'beta', run, key: 'other' }),
      JSON.stringify({ ...record, machine: 'beta', run, title: 'x'.repeat(30_000) }),
      JSON.stringify({ ...record, machine: 'beta', run, health: { ...record.health, calls: '<img>' } }),
      `${'['.repeat(20_000)}${']'.repeat(20_000)}`,
    ];
    const before = client.agents('beta').length;
    for (const [i, text] of bad.entries()) await states.publish(`$KV.unstuck_states.beta.agent.bad${i}`, text);
    for (let i = 0; i < 3_000; i++) beta.publish(`$KV.unstuck_states.beta.agent.many${i}`, 'x');
    await beta.flush();
    await until('they were refused', () => (machineNamed('beta')?.refused ?? 0) > bad.length);
    expect(client.agents('beta').length).toBe(before);
    expect(client.agents('alpha').map(({ key }) => key)).toEqual(['s1']);
    // A text that would be a link or a command elsewhere stays a text.
    const run2 = '01JD0000000000000000000RVZ';
    const text = '[click](command:workbench.action.terminal.new) <script>alert(1)</script> \u202e';
    await states.publish(
      '$KV.unstuck_states.beta.machine',
      JSON.stringify({ ...machineNamed('alpha').record, machine: 'beta', run: run2 }),
    );
    await states.publish(
      '$KV.unstuck_states.beta.agent.s9',
      JSON.stringify({ ...record, machine: 'beta', run: run2, session: 's9', key: 's9', title: text.slice(0, 120) }),
    );
    await until('it is a text', () => client.agents('beta').some(({ record }) => record.title.includes('command:')));
  });

  it('of a later version are named as such', async () => {
    const beta = await hostile('beta', 'machine');
    await jetstream(beta).publish(
      '$KV.unstuck_states.beta.machine',
      JSON.stringify({ v: 2, kind: 'machine', colour: 'red' }),
    );
    await until('it is named so', () => machineNamed('beta').presence === 'version');
  });
});

describe('messages', () => {
  it('of another version, for another machine, or broken are answered and not written', async () => {
    const me = await hostile('me', 'viewer');
    const before = alpha.messages('s1', 'new').length;
    const answers = [];
    me.subscribe('unstuck.answers.alpha.me', { callback: (_, message) => answers.push(JSON.parse(message.string())) });
    const send = (value) => jetstream(me).publish('unstuck.messages.alpha.me', JSON.stringify(value));
    const id = (n) => `01JD00000000000000000000B${n}`;
    const whole = {
      v: 1,
      kind: 'message',
      machine: 'alpha',
      viewer: 'me',
      key: 's1',
      session: 's1',
      agent: 'generic',
      at: Date.now(),
      action: 'nudge',
      text: 'x',
      expiresInMs: 60_000,
    };
    await send({ ...whole, id: id(1), v: 2 });
    await send({ ...whole, id: id(2), machine: 'beta' });
    await send({ ...whole, id: id(3), viewer: 'you' });
    await send({ ...whole, id: id(4), action: 'block' });
    await send({ ...whole, id: id(5), text: 'x'.repeat(9_000) });
    await send({ ...whole, id: id(6), action: 'restart', restart: { mode: 'resume', prompt: 'go on' } });
    await send({ ...whole, id: id(7), session: 'nobody', key: 'nobody' });
    await jetstream(me).publish('unstuck.messages.alpha.me', 'not json');
    const reasons = await until('all are answered', () => {
      const found = Object.fromEntries(answers.map(({ id, state, reason }) => [id, `${state} ${reason}`]));
      return Object.keys(found).length === 7 && found;
    });
    expect(reasons).toEqual({
      [id(1)]: 'refused version',
      [id(2)]: 'refused invalid',
      [id(3)]: 'refused invalid',
      [id(4)]: 'refused invalid',
      [id(5)]: 'refused invalid',
      [id(6)]: 'refused not_allowed',
      [id(7)]: 'refused no_such_agent',
    });
    expect(alpha.messages('s1', 'new')).toHaveLength(before);
  });

  it('of 10 MB are refused by the server, and those above 64 KB by the stream', async () => {
    const me = await hostile('me', 'viewer');
    await expect(jetstream(me).publish('unstuck.messages.alpha.me', 'x'.repeat(100_000))).rejects.toThrow(
      /exceeds maximum/,
    );
    expect(() => me.publish('unstuck.messages.alpha.me', 'x'.repeat(10_000_000))).toThrow(/payload/i);
    // A client that ignores the limits of the server is disconnected.
    const plain = net.connect(servers.ports[0], '127.0.0.1');
    await once(plain, 'data');
    const socket = tls.connect({ socket: plain, host: '127.0.0.1', ca: servers.certificate() });
    socket.on('error', () => undefined);
    let said = '';
    socket.on('data', (data) => (said += data));
    await once(socket, 'secureConnect');
    socket.write(`CONNECT {}\r\nPUB unstuck.messages.alpha.me 10000000\r\n`);
    await once(socket, 'close');
    expect(said).toMatch(/-ERR/);
    expect(client.send({ machine: 'alpha', key: 's1', action: 'nudge', text: 'x'.repeat(9_000) })).toEqual({
      ok: false,
      error: 'too_large',
    });
    const fine = client.send({ machine: 'alpha', key: 's1', action: 'nudge', text: 'x'.repeat(8_000) });
    await reaches(fine.value, 'queued');
  });

  it('that arrive twice are written once', async () => {
    const me = await hostile('me', 'viewer');
    const id = '01JD00000000000000000000C1';
    const whole = {
      v: 1,
      kind: 'message',
      id,
      machine: 'alpha',
      viewer: 'me',
      key: 's1',
      session: 's1',
      agent: 'generic',
      at: Date.now(),
      action: 'nudge',
      text: 'once',
      expiresInMs: 60_000,
    };
    // Without an id for the server to compare.
    for (let i = 0; i < 3; i++) await jetstream(me).publish('unstuck.messages.alpha.me', JSON.stringify(whole));
    const last = client.send({ machine: 'alpha', key: 's1', action: 'nudge', text: 'the last' });
    await reaches(last.value, 'queued');
    expect(alpha.messages('s1', 'new').filter((one) => one === id)).toHaveLength(1);
    await alpha.take('s1');
    await jetstream(me).publish('unstuck.messages.alpha.me', JSON.stringify(whole));
    const after = client.send({ machine: 'alpha', key: 's1', action: 'nudge', text: 'after' });
    await reaches(after.value, 'queued');
    expect(alpha.messages('s1', 'new')).toEqual([after.value.id]);
  });
});

describe('a stream that is full', () => {
  it('takes no new states, which the relay reports and tries again; old events make room', async () => {
    const admin = await hostile('admin', 'admin');
    const api = async (subject, value) =>
      JSON.parse((await admin.request(`$JS.API.${subject}`, value ? JSON.stringify(value) : '')).string());
    const { config } = await api('STREAM.INFO.KV_unstuck_states');
    const { state } = await api('STREAM.INFO.KV_unstuck_states');
    expect(
      (await api('STREAM.UPDATE.KV_unstuck_states', { ...config, max_bytes: state.bytes + 100 })).error,
    ).toBeUndefined();
    alpha.begin('s3');
    await until('the relay says so', () => alpha.notes.join('').includes('was not stored (full)'));
    expect(client.agents('alpha').some(({ key }) => key === 's3')).toBe(false);
    await api('STREAM.UPDATE.KV_unstuck_states', config);
    await until('it comes', () => client.agents('alpha').some(({ key }) => key === 's3'));
  });
});
