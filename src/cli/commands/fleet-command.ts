import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type * as Fleet from '../../fleet-bundle';
import type { ConnectFailure } from '../../fleet/connection/connect';
import { isName } from '../../fleet';
import type { FleetProblem } from '../../model';
import { readTextNow } from '../../files';
import { fieldsOf, parseJson } from '../../util/json';
import { readArguments } from '../arguments';
import { type Output, UsageError } from '../output';

export type LoadFleet = () => typeof Fleet;

interface Member {
  readonly name: string;
  readonly key: string;
}

/** `fleet.json`: who may sign in, by public keys. */
interface Members {
  readonly admin: string;
  readonly machines: readonly Member[];
  readonly viewers: readonly Member[];
}

type FleetModule = ReturnType<LoadFleet>;

const HELP = "See 'unstuck fleet --help'.";
/** Bytes of `fleet.json` and of a certificate. */
const LARGEST = 4 * 1024 * 1024;

/** `fleet init|add|remove|create [folder]`: the configuration of a message server, its users and its streams. */
export async function fleetCommand(args: readonly string[], output: Output, loadFleet: LoadFleet): Promise<number> {
  const { values, positionals } = readArguments('fleet', args, {
    machines: { type: 'string' },
    viewers: { type: 'string' },
    host: { type: 'string' },
    port: { type: 'string' },
    servers: { type: 'string' },
    replicas: { type: 'string' },
    json: { type: 'boolean' },
  });
  const [action, given, ...more] = positionals;
  if (more.length > 0) throw usage('name one folder');
  const folder = resolve(given ?? 'fleet');
  const machines = names('--machines', values.machines);
  const viewers = names('--viewers', values.viewers);
  const say = (done: string, what: object, line: string) =>
    output.line(values.json ? JSON.stringify({ kind: 'fleet', done, folder, ...what }) : line);
  switch (action) {
    case 'init': {
      const port = readPort(values.port);
      init(folder, { machines, viewers, host: values.host, port }, loadFleet());
      const files = [...machines, ...viewers, 'admin'].map((name) => `${name}.creds`);
      say(
        'init',
        { machines, viewers },
        initText(folder, files, values.host ?? '127.0.0.1', port, values.host !== undefined),
      );
      return 0;
    }
    case 'add':
    case 'remove': {
      if (machines.length + viewers.length === 0) throw usage(`${action}: name --machines or --viewers`);
      const before = readMembers(folder);
      const after =
        action === 'add'
          ? add(folder, before, machines, viewers, loadFleet())
          : remove(folder, before, machines, viewers);
      writeMembers(folder, after, loadFleet());
      const next = action === 'add' && machines.length > 0 ? ', then: unstuck fleet create' : '';
      say(action, { machines, viewers }, `${folder}/users.conf is written. Now: nats-server --signal reload${next}`);
      return 0;
    }
    case 'create': {
      if (!values.servers) throw usage('create: --servers is missing');
      const members = readMembers(folder);
      const credentials = readTextNow(join(folder, 'admin.creds'), { limit: LARGEST });
      if (!credentials.ok) throw new UsageError('unreadable', `unstuck fleet: ${folder}/admin.creds cannot be read.`);
      const replicas = Number(values.replicas ?? 1);
      if (![1, 3, 5].includes(replicas)) throw usage('--replicas is 1, 3 or 5');
      const failure = await loadFleet().prepareServer({
        servers: values.servers.split(','),
        credentials: credentials.value,
        machines: members.machines.map(({ name }) => name),
        sizes: { replicas },
      });
      if (failure) throw new UsageError('unreadable', `unstuck fleet create: ${failureText(failure)}`);
      say('create', { machines: members.machines.map(({ name }) => name) }, 'Bucket, streams and consumers are there.');
      return 0;
    }
    default:
      throw usage('say init, add, remove or create');
  }
}

interface Init {
  readonly machines: readonly string[];
  readonly viewers: readonly string[];
  readonly host: string | undefined;
  readonly port: number;
}

function init(folder: string, { machines, viewers, host, port }: Init, fleet: FleetModule): void {
  if (machines.length === 0 || viewers.length === 0)
    throw usage('init: name at least one of --machines and one of --viewers');
  if (existsSync(join(folder, 'fleet.json')))
    throw usage(`${folder} has a fleet already; unstuck fleet add and remove change it`);
  if (host !== undefined && !/^[A-Za-z0-9.-]{1,253}$/.test(host)) throw usage('--host is a name or an IPv4 address');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const certificate = host === undefined ? null : makeCertificate(folder, host);
  const admin = fleet.newUser();
  writeSecret(join(folder, 'admin.creds'), fleet.credentialsFile('admin', 'admin', admin.seed, certificate));
  writeFileSync(
    join(folder, 'server.conf'),
    fleet.serverFile({
      listen: `${host === undefined ? '127.0.0.1' : '0.0.0.0'}:${port}`,
      storage: join(folder, 'data'),
      tls: host === undefined ? null : { certificate: join(folder, 'server.crt'), key: join(folder, 'server.key') },
    }),
  );
  const empty: Members = { admin: admin.key, machines: [], viewers: [] };
  writeMembers(folder, add(folder, empty, machines, viewers, fleet), fleet);
}

/** A certificate of the server's own, by openssl: there is no authority between machines that belong to one person or team. */
function makeCertificate(folder: string, host: string): string {
  const isAddress = /^\d+\.\d+\.\d+\.\d+$/.test(host);
  const names = `subjectAltName=${isAddress ? 'IP' : 'DNS'}:${host},DNS:localhost,IP:127.0.0.1`;
  const [key, certificate] = [join(folder, 'server.key'), join(folder, 'server.crt')];
  const made = spawnSync(
    'openssl',
    // prettier-ignore
    [
      'req',
      '-x509',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:prime256v1',
      '-nodes',
      '-days',
      '825',
      '-subj',
      `/CN=${host}`,
      '-addext',
      names,
      '-keyout',
      key,
      '-out',
      certificate,
    ],
    { stdio: 'ignore' },
  );
  const text = readTextNow(certificate, { limit: LARGEST });
  if (made.status !== 0 || !text.ok)
    throw new UsageError('unreadable', 'unstuck fleet: openssl could not make a certificate. Install openssl.');
  chmodSync(key, 0o600);
  return text.value;
}

function add(
  folder: string,
  before: Members,
  machines: readonly string[],
  viewers: readonly string[],
  fleet: FleetModule,
): Members {
  const certificate = readTextNow(join(folder, 'server.crt'), { limit: LARGEST });
  const taken = new Set([
    'admin',
    ...before.machines.map(({ name }) => name),
    ...before.viewers.map(({ name }) => name),
  ]);
  const member = (role: 'machine' | 'viewer') => (name: string) => {
    // The files lie beside each other, by name.
    if (taken.has(name)) throw usage(`"${name}" is taken`);
    taken.add(name);
    const { key, seed } = fleet.newUser();
    const text = fleet.credentialsFile(role, name, seed, certificate.ok ? certificate.value : null);
    writeSecret(join(folder, `${name}.creds`), text);
    return { name, key };
  };
  return {
    admin: before.admin,
    machines: [...before.machines, ...machines.map(member('machine'))],
    viewers: [...before.viewers, ...viewers.map(member('viewer'))],
  };
}

function remove(folder: string, before: Members, machines: readonly string[], viewers: readonly string[]): Members {
  const known = new Set([...before.machines, ...before.viewers].map(({ name }) => name));
  for (const name of [...machines, ...viewers]) if (!known.has(name)) throw usage(`there is no "${name}" in ${folder}`);
  return {
    admin: before.admin,
    machines: before.machines.filter(({ name }) => !machines.includes(name)),
    viewers: before.viewers.filter(({ name }) => !viewers.includes(name)),
  };
}

function readMembers(folder: string): Members {
  const text = readTextNow(join(folder, 'fleet.json'), { limit: LARGEST });
  const { admin, machines, viewers } = fieldsOf(parseJson(text.ok ? text.value : ''));
  const isMember = (one: unknown): one is Member => {
    const { name, key } = fieldsOf(one);
    return typeof name === 'string' && isName(name) && typeof key === 'string' && /^U[A-Z2-7]{55}$/.test(key);
  };
  const isWhole =
    Array.isArray(machines) && machines.every(isMember) && Array.isArray(viewers) && viewers.every(isMember);
  if (typeof admin !== 'string' || !/^U[A-Z2-7]{55}$/.test(admin) || !isWhole)
    throw new UsageError(
      'unreadable',
      `unstuck fleet: ${folder}/fleet.json cannot be read. Was unstuck fleet init run there?`,
    );
  return { admin, machines, viewers };
}

function writeMembers(folder: string, members: Members, fleet: FleetModule): void {
  replace(join(folder, 'users.conf'), fleet.usersFile(members));
  replace(join(folder, 'fleet.json'), `${JSON.stringify({ v: 1, ...members }, null, 2)}\n`);
}

/** The server may read it at any moment. */
function replace(path: string, text: string): void {
  writeFileSync(`${path}.new`, text);
  renameSync(`${path}.new`, path);
}

function writeSecret(path: string, text: string): void {
  writeFileSync(path, text, { flag: 'wx', mode: 0o600 });
}

function names(option: string, text: string | undefined): readonly string[] {
  const found = (text ?? '')
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');
  for (const name of found)
    if (!isName(name)) throw usage(`${option}: "${name}" is not a name: small letters, digits, - and _, at most 63`);
  return found;
}

function readPort(text = '4222'): number {
  const port = Number(text);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) throw usage('--port is a number from 1 to 65535');
  return port;
}

function initText(folder: string, files: readonly string[], host: string, port: number, tls: boolean): string {
  const server = `${tls ? 'tls://' : 'nats://'}${host}:${port}`;
  return [
    `${folder} has server.conf, users.conf and the credentials ${files.join(', ')}.`,
    '',
    `1. Start the server:         nats-server -c ${join(folder, 'server.conf')}`,
    `2. Make its streams:         unstuck fleet create ${folder} --servers ${server}`,
    `3. On each machine:          unstuck relay --servers ${server} --creds NAME.creds --allow nudge`,
    '4. In your editor:           set unstuck.fleet.servers, and give it the credentials of a viewer',
    '',
    'Copy each .creds file to where it is used, and keep it as a private key.',
  ].join('\n');
}

/** What is wrong with a connection, and what to do, for a person. */
export function failureText({ problem, detail }: ConnectFailure): string {
  const TEXTS: Readonly<Record<FleetProblem, string>> = {
    unreachable: 'No server answers. Is it running, and is the address right?',
    credentials: 'The server does not accept these credentials. Get new ones, or have them added again.',
    no_credentials: 'The file holds no credentials with a name. Use the one that unstuck fleet made.',
    address: 'An address is not right. Write tls://HOST:4222, or nats://127.0.0.1:4222 for this machine.',
    no_tls:
      'There is no TLS connection that can be trusted. Use the credentials that came with the server’s certificate.',
    permission:
      'The server lets these credentials do less than is needed. Write its users.conf anew with unstuck fleet.',
    not_prepared: 'The server has no streams yet. Run unstuck fleet create.',
    full: 'The server has no room for more. Raise the limits in its configuration.',
    timeout: 'The server does not answer in time.',
  };
  return detail === '' ? TEXTS[problem] : `${TEXTS[problem]} (${detail})`;
}

function usage(what: string): UsageError {
  return new UsageError('usage', `unstuck fleet: ${what}. ${HELP}`);
}
