// A fleet on this machine: message servers, relays with their own homes, and windows.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { projectRoot } from '../../../scripts/bundles.mjs';
import { natsServer } from './nats-server.mjs';

export const CLI = join(projectRoot, 'dist/cli.js');
const require = createRequire(import.meta.url);
export const bundle = require(join(projectRoot, 'dist/fleet.js'));
const { connect, nkeyAuthenticator } = require('@nats-io/transport-node');
const { jetstreamManager } = require('@nats-io/jetstream');
/** A busy machine is no fault: a wait ends as soon as the event comes. */
const PATIENCE_MS = 120_000;

export async function until(what, happened, patience = PATIENCE_MS) {
  for (const end = Date.now() + patience; ; await pause(20)) {
    const value = await happened();
    if (value) return value;
    if (Date.now() > end) throw new Error(`it did not come: ${what}`);
  }
}

/** Free ports, all found at once so that no port appears twice. */
export async function freePorts(count) {
  const servers = Array.from({ length: count }, () => net.createServer().listen(0, '127.0.0.1'));
  await Promise.all(servers.map((server) => once(server, 'listening')));
  const ports = servers.map((server) => server.address().port);
  await Promise.all(servers.map((server) => new Promise((closed) => server.close(closed))));
  return ports;
}

export function temporary(name) {
  return fs.mkdtempSync(join(tmpdir(), `unstuck-fleet-${name}-`));
}

/** Message servers as `unstuck fleet init` sets them up; several form a cluster. */
export class Servers {
  processes = [];

  static async start({ machines, viewers, count = 1, host, replicas = count, limits }) {
    const servers = new Servers();
    servers.folder = temporary('server');
    servers.fleet = join(servers.folder, 'fleet');
    const ports = await freePorts(count * 2);
    servers.ports = ports.slice(0, count);
    const words = ['fleet', 'init', servers.fleet, '--machines', machines.join(), '--viewers', viewers.join()];
    execFileSync(process.execPath, [
      CLI,
      ...words,
      '--port',
      String(servers.ports[0]),
      ...(host ? ['--host', host] : []),
    ]);
    const plan = fs.readFileSync(join(servers.fleet, 'server.conf'), 'utf8');
    const routes = ports.slice(count).map((port) => `nats://127.0.0.1:${port}`);
    servers.configs = servers.ports.map((port, i) => {
      let text = plan
        .replace(/^listen: .*$/m, `listen: "${host ? '0.0.0.0' : '127.0.0.1'}:${port}"`)
        .replace(/store_dir: .*$/m, `store_dir: "${join(servers.folder, `data${i}`)}"`);
      if (limits) text = text.replace(/max_file_store: .*$/m, `max_file_store: ${limits.file}`);
      if (count > 1)
        text += `\nserver_name: s${i}\ncluster { name: fleet, listen: "127.0.0.1:${ports[count + i]}", routes: [${routes.join(', ')}] }\n`;
      const file = join(servers.fleet, `server${i}.conf`);
      fs.writeFileSync(file, text);
      return file;
    });
    servers.urls = servers.ports.map((port) => `tls://${host ?? '127.0.0.1'}:${port}`);
    for (let i = 0; i < count; i++) servers.run(i);
    await until('the servers make their streams', async () => {
      const words = [
        'fleet',
        'create',
        servers.fleet,
        '--servers',
        servers.urls.join(),
        '--replicas',
        String(replicas),
      ];
      const made = spawn(process.execPath, [CLI, ...words], { stdio: 'ignore' });
      const [code] = await once(made, 'exit');
      return code === 0;
    });
    return servers;
  }

  run(i) {
    const log = fs.openSync(join(this.folder, `server${i}.log`), 'a');
    this.processes[i] = spawn(natsServer().path, ['-c', this.configs[i]], { stdio: ['ignore', log, log] });
  }

  async kill(i, signal = 'SIGKILL') {
    const process = this.processes[i];
    if (process.exitCode !== null || process.signalCode !== null) return;
    const exited = once(process, 'exit');
    process.kill(signal);
    await exited;
  }

  /**
   * Waits until every server has all that was stored. Only one of three may be down at a time, and one that is still catching up would be a second.
   */
  async whole() {
    const admin = await raw(this, 'admin', 'admin');
    const manager = await jetstreamManager(admin, { checkAPI: false });
    const isWhole = ({ cluster }) =>
      cluster?.leader &&
      cluster.replicas.length === this.urls.length - 1 &&
      cluster.replicas.every((one) => one.current);
    await until('every server has all that was stored', async () => {
      try {
        const streams = await manager.streams.list().next();
        const consumers = await manager.consumers.list('unstuck_messages').next();
        return streams.length === 3 && consumers.length > 0 && [...streams, ...consumers].every(isWhole);
      } catch {
        return false;
      }
    });
    await admin.close();
  }

  reload() {
    for (const process of this.processes) process.kill('SIGHUP');
  }

  credentials(name) {
    return fs.readFileSync(join(this.fleet, `${name}.creds`), 'utf8');
  }

  certificate() {
    return fs.readFileSync(join(this.fleet, 'server.crt'), 'utf8');
  }

  /** The servers as a different NATS library takes them. */
  reached() {
    return {
      servers: this.urls.map((url) => new URL(url.replace('tls:', 'http:')).host),
      tls: { ca: this.certificate() },
    };
  }

  async stop() {
    await Promise.all(this.processes.map((_, i) => this.kill(i)));
    fs.rmSync(this.folder, { recursive: true, force: true });
  }
}

/**
 * A machine: a home, a project with a transcript, and its relay. `home` and `project` are those of another machine; without them it makes its own.
 */
export class Machine {
  constructor(name, servers, { prefix = [], allow = 'nudge,stop', home, project } = {}) {
    Object.assign(this, { name, servers, prefix, allow });
    this.own = home === undefined ? temporary(name) : null;
    this.home = home ?? this.own;
    this.project = project ?? join(this.home, 'project');
    fs.mkdirSync(this.project, { recursive: true });
    this.lines = [];
  }

  relay({ creds = join(this.servers.fleet, `${this.name}.creds`), urls = this.servers.urls } = {}) {
    const words = ['relay', this.project, '--servers', urls.join(), '--creds', creds, '--allow', this.allow, '--json'];
    const [command, ...args] = [...this.prefix, process.execPath, CLI, ...words];
    const relay = spawn(command, args, {
      env: { PATH: process.env.PATH, HOME: this.home },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.process = relay;
    this.lines = [];
    this.notes = [];
    relay.stdout.on('data', (text) => this.lines.push(...String(text).trim().split('\n')));
    relay.stderr.on('data', (text) => this.notes.push(String(text)));
    return relay;
  }

  async started() {
    this.relay();
    await until(`${this.name} publishes`, () => this.lines.some((line) => line.includes('"active"')));
  }

  async kill(signal = 'SIGKILL') {
    const { process } = this;
    if (!process || process.exitCode !== null || process.signalCode !== null) return;
    const exited = once(process, 'exit');
    process.kill(signal);
    await exited;
  }

  /** Appends steps to a session's transcript: the same failing command, this many times. */
  fail(session, times, command = 'make x') {
    for (let i = 0; i < times; i++) this.step(session, command, 'make: *** No rule to make target x', 2);
  }

  /** Appends a step: one command and how it ended. */
  step(session, command, output, exitCode) {
    const t = new Date().toISOString();
    const id = `${Date.now()}-${Math.random()}`;
    const call = { v: 1, t, session, type: 'tool_call', id, name: 'bash', args: { command } };
    const result = { v: 1, t, session, type: 'tool_result', id, output, isError: exitCode !== 0, exitCode };
    const file = join(this.project, `${session}.agent.jsonl`);
    fs.appendFileSync(file, `${JSON.stringify(call)}\n${JSON.stringify(result)}\n`);
  }

  /** Writes a session that began to work. */
  begin(session) {
    const file = join(this.project, `${session}.agent.jsonl`);
    const t = new Date().toISOString();
    const start = { v: 1, t, session, type: 'session_start', cwd: this.project };
    const user = { v: 1, t, session, type: 'user', text: `Task of ${session}` };
    fs.writeFileSync(file, `${JSON.stringify(start)}\n${JSON.stringify(user)}\n`);
  }

  folder(session, which) {
    return join(this.project, '.unstuck', 'inbox', session, which);
  }

  /** Ids of the messages in the folder. */
  messages(session, which) {
    try {
      return fs
        .readdirSync(this.folder(session, which))
        .filter((name) => name.endsWith('.json'))
        .map((name) => name.slice(0, -5));
    } catch {
      return [];
    }
  }

  /** Takes the messages of a session, as its agent would. */
  async take(session) {
    const words = ['inbox', 'take', '--session', session, '--folder', this.project];
    const env = { PATH: process.env.PATH, HOME: this.home };
    await once(spawn(process.execPath, [CLI, ...words], { env, stdio: 'ignore' }), 'exit');
  }

  async stop() {
    await this.kill();
    if (this.own) fs.rmSync(this.own, { recursive: true, force: true });
  }
}

const quiet = { debug() {}, info() {}, warn() {}, error() {} };

/** A window's connection. */
export function viewer(
  servers,
  { name = 'me', urls = servers.urls, credentials = servers.credentials(name), log = quiet } = {},
) {
  return bundle.connectFleet({ servers: urls, credentials, log });
}

/** A hostile machine or window, or one of another version: its own credentials, and any bytes it likes. */
export async function raw(servers, name, role) {
  const { seed } = bundle.readCredentials(servers.credentials(name)).value;
  return await connect({
    ...servers.reached(),
    authenticator: nkeyAuthenticator(new TextEncoder().encode(seed)),
    inboxPrefix: `_INBOX.${role}.${name}`,
  });
}

export async function connected(client) {
  await until('the window is connected', () => client.status().kind === 'connected');
  return client;
}

/** Waits until a message reaches a state, and returns the milliseconds since it was sent. */
export async function reaches(sending, state) {
  const step = await until(`${sending.id} is ${state}`, () => sending.steps().find((one) => one.state === state));
  return step.at - sending.steps()[0].at;
}
