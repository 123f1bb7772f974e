import { statSync } from 'node:fs';
import { homedir, hostname } from 'node:os';
import { resolve } from 'node:path';
import { monotonicFactory } from 'ulid';
import { version } from '../../../package.json';
import { readSmall, systemProbe } from '../../engine/follow/probe';
import { mailOf } from '../../engine/inbox-mail';
import { systemClock } from '../../base/clock';
import { readText } from '../../base/files';
import { FLEET_ACTIONS, type FleetAction, isName, nameOfHost } from '../../fleet';
import type { RelayNews } from '../../fleet/connection/run-relay';
import type { Counting } from '../metrics/start';
import { readArguments } from '../arguments';
import { COUNTING_OPTIONS, countWhatIsWanted, type LoadCounting, readCounting } from '../load-metrics';
import { headlessEngine, noteLog, watchFailureNote } from '../headless';
import { type Output, UsageError } from '../output';
import { relayMailbox } from '../relay/mailbox';
import { InboxPlaces } from '../relay/inbox-places';
import { readPreset, parseSettings } from '../thresholds';
import { failureText, type LoadFleet } from './fleet-command';

/** Size limit of a credentials file, bytes. */
const LARGEST_CREDENTIALS = 64 * 1024;

/** `relay [folder]…`: publishes the agents of this machine on a message server until stopped. */
export async function relayCommand(
  args: readonly string[],
  output: Output,
  stopped: Promise<void>,
  loadFleet: LoadFleet,
  loadCounting: LoadCounting,
): Promise<number> {
  const { values, positionals } = readArguments('relay', args, {
    servers: { type: 'string' },
    creds: { type: 'string' },
    ...COUNTING_OPTIONS,
    allow: { type: 'string' },
    preset: { type: 'string' },
    set: { type: 'string', multiple: true },
    json: { type: 'boolean' },
    verbose: { type: 'boolean' },
  });
  if (!values.servers) throw usage('--servers is missing: tls://HOST:4222');
  if (!values.creds) throw usage('--creds is missing: the file that unstuck fleet made for this machine');
  const credentials = await readText(resolve(values.creds), { limit: LARGEST_CREDENTIALS });
  if (!credentials.ok) throw new UsageError('unreadable', `unstuck relay: ${values.creds} cannot be read.`);
  if (values.name !== undefined && !isName(values.name))
    throw usage(`"${values.name}" is not a valid name. Use lower-case letters, digits, - and _, at most 63`);
  const fleet = loadFleet();
  const host = hostname() || 'unknown';
  const known = fleet.readCredentials(credentials.value);
  const machine = (known.ok ? known.value.name : undefined) ?? nameOfHost(host) ?? host;
  const wanted = readCounting('relay', values, machine);
  const named = positionals.map((folder) => resolve(folder));
  for (const folder of named)
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
      throw new UsageError('unreadable', `unstuck relay: ${folder} is not a readable folder.`);

  const allow = readAllowed(values.allow);
  const watched = named.length > 0 ? named : [homedir()];
  const log = noteLog(output, values.verbose === true);
  const now = () => systemClock.now();
  const places = new InboxPlaces(named, watched, now);
  const mail = mailOf(
    (cwd) => places.rootOf(cwd),
    now,
    log,
    () => true,
  );
  const { engine, dispose } = headlessEngine({
    folders: watched,
    walksFolders: named.length > 0,
    preset: readPreset('relay', values.preset),
    thresholds: parseSettings('relay', values.set ?? []),
    mail,
    log,
  });
  engine.onDidFailWatching((failure) => {
    if (failure) output.note(watchFailureNote(failure));
  });
  const report = (news: RelayNews) => output.line(values.json ? JSON.stringify(newsRecord(news)) : newsLine(news));
  const parts = { clock: systemClock, output, loadCounting };
  let counting: Counting | null = null;
  try {
    counting = wanted && (await countWhatIsWanted('relay', engine, wanted, parts));
    engine.start();
    const failure = await fleet.runRelay({
      servers: values.servers.split(','),
      credentials: credentials.value,
      ...nameIn(values.name, credentials.value, host),
      host,
      version,
      platform: process.platform,
      allow,
      agents: engine,
      mailbox: relayMailbox({
        allow,
        places,
        probe: systemProbe,
        readSmall,
        now,
        written: (session) => engine.mailChanged(session),
        attempted: (incident, attempt) => engine.changeIncident(incident, { type: 'attempt', attempt }),
      }),
      clock: systemClock,
      log,
      newId: monotonicFactory(),
      onNews: report,
      stopped,
    });
    if (failure) throw new UsageError('unreadable', `unstuck relay: ${failureText(failure)}`);
    return 0;
  } finally {
    await counting?.stop();
    dispose();
  }
}

/** Returns the requested name, or the host's name if neither an option nor the credentials contain one. */
function nameIn(requested: string | undefined, credentials: string, host: string): { readonly name?: string } {
  if (requested !== undefined) return { name: requested };
  const name = /^# unstuck machine /m.test(credentials) || credentials.includes('USER JWT') ? null : nameOfHost(host);
  return name === null ? {} : { name };
}

function readAllowed(text: string | undefined): readonly FleetAction[] {
  if (text === undefined || text === '') return [];
  return text.split(',').map((word) => {
    const action = FLEET_ACTIONS.find((one) => one === word.trim());
    if (!action) throw usage(`--allow takes nudge, stop and restart, separated by commas, not "${word}"`);
    return action;
  });
}

function newsRecord(news: RelayNews) {
  const t = new Date().toISOString();
  switch (news.kind) {
    case 'connected':
      return { kind: 'relay' as const, t, state: 'connected' as const, machine: news.machine, server: news.server };
    case 'disconnected':
      return { kind: 'relay' as const, t, state: 'disconnected' as const, problem: news.failure.problem };
    case 'state':
      return { kind: 'relay' as const, t, state: news.state };
  }
}

function newsLine(news: RelayNews): string {
  const t = new Date().toISOString();
  switch (news.kind) {
    case 'connected':
      return `${t}  connected to ${news.server} as ${news.machine}`;
    case 'disconnected':
      return `${t}  not connected: ${failureText(news.failure)}`;
    case 'state':
      switch (news.state) {
        case 'active':
          return `${t}  publishing the agents of this machine`;
        case 'standby':
          return `${t}  another relay has this name, so this one waits until that ends. If that is another machine, use a different --name and credentials for one of them.`;
      }
  }
}

function usage(what: string): UsageError {
  return new UsageError('usage', `unstuck relay: ${what}. See 'unstuck relay --help'.`);
}
