import { existsSync, renameSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type * as Fleet from '../../fleet/bundle';
import type { ConnectFailure } from '../../fleet/connection/connect';
import { isName } from '../../fleet';
import type { FleetProblem } from '../../core/model';
import { readTextNow } from '../../base/files';
import { readArguments } from '../arguments';
import { certificatePaths, hostOf, makeCertificate, readCertificate } from '../fleet/certificate';
import { makeFolder, replace, writeOwnFile } from '../fleet/files';
import {
  credentialsPath,
  type FleetModule,
  type Members,
  membersFile,
  readMembers,
  writeMembers,
} from '../fleet/members';
import { type Output, UsageError } from '../output';

export type LoadFleet = () => typeof Fleet;

const HELP = "See 'unstuck fleet --help'.";
/** Size limit of a credentials file and of the server's configuration, bytes. */
const LARGEST = 64 * 1024;
/** Host of a server that only this machine can reach. */
const LOOPBACK = '127.0.0.1';

/** `fleet init|add|remove|create [folder]`: manages the configuration of a message server, its users and its streams. */
export async function fleetCommand(args: readonly string[], output: Output, loadFleet: LoadFleet): Promise<number> {
  const { values, positionals } = readArguments('fleet', args, {
    machines: { type: 'string' },
    viewers: { type: 'string' },
    host: { type: 'string' },
    renew: { type: 'boolean' },
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
  const report = (done: string, what: object, line: string) =>
    output.line(values.json ? JSON.stringify({ kind: 'fleet', done, folder, ...what }) : line);
  switch (action) {
    case 'init': {
      const requested = { host: values.host, port: values.port };
      const made = values.renew
        ? renew(folder, requested, [...machines, ...viewers], loadFleet())
        : init(folder, requested, machines, viewers, loadFleet());
      report('init', { machines: made.machines, viewers: made.viewers }, made.text);
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
      report(
        action,
        { machines, viewers },
        `${folder}/users.conf is written. Next, run: nats-server --signal reload${next}`,
      );
      return 0;
    }
    case 'create': {
      if (!values.servers) throw usage('create: --servers is missing');
      const members = readMembers(folder);
      const credentials = readTextNow(credentialsPath(folder, 'admin'), { limit: LARGEST });
      if (!credentials.ok) throw new UsageError('unreadable', `unstuck fleet: ${folder}/admin.creds cannot be read.`);
      const replicas = Number(values.replicas ?? 1);
      if (![1, 3, 5].includes(replicas)) throw usage('--replicas must be 1, 3 or 5');
      const failure = await loadFleet().prepareServer({
        servers: values.servers.split(','),
        credentials: credentials.value,
        machines: members.machines.map(({ name }) => name),
        replicas,
      });
      if (failure) throw new UsageError('unreadable', `unstuck fleet create: ${failureText(failure)}`);
      report(
        'create',
        { machines: members.machines.map(({ name }) => name) },
        'The bucket, streams and consumers exist.',
      );
      return 0;
    }
    default:
      throw usage('say init, add, remove or create');
  }
}

interface Place {
  readonly host: string;
  readonly port: number;
}

interface RequestedPlace {
  readonly host: string | undefined;
  readonly port: string | undefined;
}

interface Made {
  readonly machines: readonly string[];
  readonly viewers: readonly string[];
  readonly text: string;
}

function init(
  folder: string,
  { host = LOOPBACK, port: text = '4222' }: RequestedPlace,
  machines: readonly string[],
  viewers: readonly string[],
  fleet: FleetModule,
): Made {
  if (machines.length === 0 || viewers.length === 0)
    throw usage('init: name at least one of --machines and one of --viewers');
  if (existsSync(membersFile(folder)))
    throw usage(
      `${folder} already has a fleet. Change it with unstuck fleet add and remove, or renew its certificate with init --renew`,
    );
  refuseTaken([], [...machines, ...viewers]);
  const place = { host: readHost(host), port: readPort(text) };
  makeFolder(folder);
  const certificate = makeCertificate(folder, place.host);
  const admin = fleet.newUser();
  writeOwnFile(credentialsPath(folder, 'admin'), fleet.credentialsFile('admin', 'admin', admin.seed, certificate));
  writeServer(folder, place, fleet);
  const empty: Members = { admin: admin.key, machines: [], viewers: [] };
  writeMembers(folder, add(folder, empty, machines, viewers, fleet), fleet);
  return { machines, viewers, text: initText(folder, ['admin', ...machines, ...viewers], place) };
}

/**
 * Makes a new certificate and configuration for a fleet, even for one that an earlier version set up in plain text. The users who may sign in stay
 * the same.
 */
function renew(folder: string, requested: RequestedPlace, named: readonly string[], fleet: FleetModule): Made {
  if (named.length > 0)
    throw usage('init --renew keeps the machines and viewers. Change them with unstuck fleet add and remove');
  const members = readMembers(folder);
  const host = requested.host ?? hostOf(readCertificate(folder) ?? '') ?? LOOPBACK;
  const port = requested.port ?? portOf(folder);
  const place = { host: readHost(host), port: readPort(port) };
  const certificate = makeCertificate(folder, place.host);
  const names = (of: 'machines' | 'viewers') => members[of].map(({ name }) => name);
  const missing: string[] = [];
  const renewCredentials = (role: 'admin' | 'machine' | 'viewer') => (name: string) => {
    const path = credentialsPath(folder, name);
    const text = readTextNow(path, { limit: LARGEST });
    const known = fleet.readCredentials(text.ok ? text.value : '');
    if (known.ok) replace(path, fleet.credentialsFile(role, name, known.value.seed, certificate));
    else missing.push(`${name}.creds`);
  };
  renewCredentials('admin')('admin');
  names('machines').forEach(renewCredentials('machine'));
  names('viewers').forEach(renewCredentials('viewer'));
  const before = writeServer(folder, place, fleet);
  writeMembers(folder, members, fleet);
  return {
    machines: names('machines'),
    viewers: names('viewers'),
    text: [
      `${folder} has a new certificate. All keys stay the same.${before ? ` Your changes to server.conf are in ${before}.` : ''}`,
      `Restart the server, name it ${urlOf(place)} in relays and windows, and copy the .creds files again to where they are used.`,
      ...(missing.length > 0
        ? [
            `${missing.join(', ')}: not in this folder. Append ${certificatePaths(folder).certificate} to each of these files.`,
          ]
        : []),
    ].join('\n'),
  };
}

/** Writes `server.conf`. Returns the path where an earlier one was kept. */
function writeServer(folder: string, { host, port }: Place, fleet: FleetModule): string | null {
  const path = join(folder, 'server.conf');
  const old = existsSync(path) ? `${path}.old` : null;
  if (old !== null) renameSync(path, old);
  replace(path, fleet.serverFile({ host, port, storage: join(folder, 'data'), tls: certificatePaths(folder) }));
  return old;
}

/** Returns the port from `server.conf`. */
function portOf(folder: string): string | undefined {
  const text = readTextNow(join(folder, 'server.conf'), { limit: LARGEST });
  return /^listen: "?[^"\s]*:(\d{1,5})"?\s*$/m.exec(text.ok ? text.value : '')?.[1];
}

function add(
  folder: string,
  before: Members,
  machines: readonly string[],
  viewers: readonly string[],
  fleet: FleetModule,
): Members {
  const certificate = readCertificate(folder);
  if (certificate === null)
    throw new UsageError('unreadable', `unstuck fleet: ${failureText({ problem: 'no_certificate', detail: '' })}`);
  refuseTaken([...before.machines, ...before.viewers], [...machines, ...viewers]);
  const member = (role: 'machine' | 'viewer') => (name: string) => {
    const { key, seed } = fleet.newUser();
    // The file of a member that was removed is still there.
    replace(credentialsPath(folder, name), fleet.credentialsFile(role, name, seed, certificate));
    return { name, key };
  };
  return {
    admin: before.admin,
    machines: [...before.machines, ...machines.map(member('machine'))],
    viewers: [...before.viewers, ...viewers.map(member('viewer'))],
  };
}

/** Throws if a name occurs twice: the members' files are in one folder and differ only in name. */
function refuseTaken(before: Members['machines'], named: readonly string[]): void {
  const taken = new Set(['admin', ...before.map(({ name }) => name)]);
  for (const name of named) {
    if (taken.has(name)) throw usage(`"${name}" is taken`);
    taken.add(name);
  }
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

function names(option: string, text: string | undefined): readonly string[] {
  const found = (text ?? '')
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');
  for (const name of found)
    if (!isName(name))
      throw usage(`${option}: "${name}" is not a valid name. Use lower-case letters, digits, - and _, at most 63`);
  return found;
}

function readPort(text: string | undefined = '4222'): number {
  const port = Number(text);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) throw usage('--port must be a number from 1 to 65535');
  return port;
}

function readHost(text: string): string {
  if (!/^[A-Za-z0-9.-]{1,253}$/.test(text)) throw usage('--host must be a name or an IPv4 address');
  return text;
}

function urlOf({ host, port }: Place): string {
  return `tls://${host}:${port}`;
}

function initText(folder: string, names: readonly string[], place: Place): string {
  const server = urlOf(place);
  return [
    `${folder} has server.conf, users.conf, a certificate and the credentials ${names.map((name) => `${name}.creds`).join(', ')}.`,
    '',
    `1. Start the server:         nats-server -c ${join(folder, 'server.conf')}`,
    `2. Make its streams:         unstuck fleet create ${folder} --servers ${server}`,
    `3. On each machine:          unstuck relay --servers ${server} --creds NAME.creds --allow nudge`,
    '4. In your editor:           set unstuck.fleet.servers, and give it the credentials of a viewer',
    '',
    'Copy each .creds file to where it is used, and keep it as a private key.',
  ].join('\n');
}

/** Explains a failed connection to a person, and says what to do. */
export function failureText({ problem, detail }: ConnectFailure): string {
  const TEXTS: Readonly<Record<FleetProblem, string>> = {
    unreachable: 'No server answers. Check that it is running and that the address is right.',
    credentials: 'The server does not accept these credentials. Get new ones, or have them added again.',
    no_credentials: 'The file has no credentials with a name. Use the file that unstuck fleet made.',
    address: 'An address is wrong. Write tls://HOST:4222.',
    no_tls:
      'The server’s certificate does not match these credentials. Restart it with the configuration that unstuck fleet made, and use the credentials that were made with it.',
    no_certificate:
      'This fleet was set up without a certificate. Run unstuck fleet init --renew where it was set up, restart the server, and use the new credentials.',
    permission: 'These credentials lack permissions on the server. Write its users.conf again with unstuck fleet.',
    not_prepared: 'The server has no streams yet. Run unstuck fleet create.',
    full: 'The server is full. Raise the limits in its configuration.',
    timeout: 'The server does not answer in time.',
  };
  return detail === '' ? TEXTS[problem] : `${TEXTS[problem]} (${detail})`;
}

function usage(what: string): UsageError {
  return new UsageError('usage', `unstuck fleet: ${what}. ${HELP}`);
}
