import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { createBridges } from './agents/bridges';
import { HOLDS_FOR_GATES } from './agents/holds-for-gates';
import { elsewhereOf } from './agents/elsewhere';
import { planLaunch } from './agents/launch';
import { createProcessSearch } from './agents/processes';
import { registry } from './agents/registry';
import { processOfSession } from './agents/session-process';
import { editorStorage } from './ui/chat/editor-storage';
import { createThreadedReader } from './agents/sqlite/threaded';
import { createVersions } from './agents/versions';
import { optionProblems, resolveOptions } from './detect/session/options';
import { Engine } from './engine/engine';
import { readSmall, systemProbe } from './engine/follow/probe';
import { workspaceMail } from './engine/inbox-mail';
import { systemClock } from './engine/ports';
import { makeFixture } from './engine/report/fixture';
import { readExcerpt } from './engine/session/excerpt';
import { recogniseFile } from './engine/follow/recognise-file';
import { sessionText } from './engine/session/session-text';
import type { FleetBundle } from './fleet';
import { readHookFiles } from './inbox';
import type { AgentId } from './model';
import { createBreather, createSpills } from './store';
import { createTail } from './tail';
import { speakAsEditor } from './ui/language';
import { type UnstuckApi, createApi } from './ui/api';
import { t } from './util/l10n';
import { callerOf } from './ui/caller';
import { Configuration } from './ui/settings/configuration';
import type { AgentPorts } from './ui/agent-ports';
import { createUi } from './ui/create';
import { engineSettings } from './ui/settings/engine-settings';
import { settingsReport } from './ui/settings/report';
import { Feedback } from './ui/notifications/feedback';
import { WatchedFolders } from './ui/folders';
import { JoinedAgents } from './ui/fleet/joined-agents';
import { RemoteAgents } from './ui/fleet/remote-agents';
import { hookRuntimes } from './ui/connect/hook-runtimes';
import { openIncidents, withoutReplays } from './ui/history/incident-store';
import { Replays } from './ui/replays';
import { channelLog } from './ui/log';
import type { Services } from './ui/services';

/** Older transcripts are read for the history only after the live ones had their time. */
const EARLIER_AFTER_MS = 5_000;
/** Saved results live for a day; older ones are looked for this often. */
const CLEAN_EVERY_MS = 60 * 60_000;

let close: (() => Promise<void>) | undefined;

/** Builds the parts, each from those above it, and hands out the API. Wiring only. */
export async function start(context: vscode.ExtensionContext): Promise<UnstuckApi> {
  speakAsEditor();
  const shipped = join(context.extensionUri.fsPath, 'dist');
  const storage = context.globalStorageUri.fsPath;
  const channel = vscode.window.createOutputChannel('Unstuck', { log: true });
  const log = channelLog(channel);
  const clock = systemClock;
  const now = () => clock.now();
  const configuration = new Configuration(settingsReport(log, optionProblems));
  const settings = () => configuration.settings;
  const watched = new WatchedFolders();
  const folders = () => watched.list();
  const detectors = (agent: AgentId) => resolveOptions(settings().preset, settings().detectors, agent);

  const replayed = new Replays();
  const store = withoutReplays(await openIncidents(context, () => settings().historyDays, log), replayed);
  close = () => store.close();
  const spills = createSpills(join(storage, 'spills'), now);
  const tail = createTail({ log });
  const sqlite = createThreadedReader(join(shipped, 'sqlite-worker.js'));
  const agents = registry.map(({ id }) => id);
  const feedback = new Feedback(context.workspaceState, store);
  const readSettings = () =>
    engineSettings(settings(), configuration.isPaused, {
      folders: folders(),
      detectors,
      agents,
      raised: feedback.list(),
    });
  // Where an agent keeps its files is settled once: what is watched and what Connect writes must be of one place.
  const env = { ...process.env, ...settings().agentFolders };
  const environment = { home: homedir(), env, platform: process.platform, ...editorStorage(context) };
  const mail = workspaceMail(folders, now, log, () => vscode.workspace.isTrusted);
  const stored = (id: string) => store.adopt(id);
  const storedOf = (session: string) => store.current().filter((incident) => incident.session === session);
  const files = { probe: systemProbe, tail, mail, stored, storedOf, spills, readSmall, sqlite };
  const engine = new Engine({ adapters: registry, environment, clock, log, ...files }, readSettings());

  const remote = new RemoteAgents(log);
  const joined = new JoinedAgents(engine, remote);

  const bridges = createBridges({
    hookFolder: join(storage, 'hook'),
    hookFiles: async () => readHookFiles(shipped, await hookRuntimes(settings().runtime)),
    home: environment.home,
    env: environment.env,
    now,
    gateWait: () => settings().gates.waitMs / 1000,
  });
  // In a list of agents, "Agent" says nothing.
  const agentNames = new Map(registry.map(({ id, name }) => [id, id === 'generic' ? t`Other agents` : name]));
  const history = { store, replayed };
  const services: Services = {
    context,
    engine,
    agents: joined,
    ...history,
    agentNames,
    bridges,
    feedback,
    settings,
    folders,
    log,
    now,
  };
  const processes = createProcessSearch(process.getuid?.(), now);
  const ports: AgentPorts = {
    detectors,
    endings: registry.flatMap((adapter) => adapter.workspaceFiles ?? []),
    readSmall,
    sqlite,
    countLines: (path, offset) => tail.countLines(path, offset),
    sessionText: (path, session) => sessionText(registry, sqlite, path, session),
    versions: createVersions(environment.env['PATH']),
    processOf: async (session) => processOfSession(session, await processes()),
    elsewhere: async (agent, folders) => elsewhereOf(agent, await processes(), folders, environment),
    isTranscript: async (path) => (await recogniseFile(registry, path)) !== null,
    readExcerpt: (place, session) => {
      const breathe = () => new Promise<void>((resume) => setImmediate(resume));
      const clockNow = () => performance.now();
      return readExcerpt(place, session, { adapters: registry, sqlite, readSmall, clock: clockNow, breathe });
    },
    fixture: (incident) => {
      const breather = createBreather();
      return makeFixture(incident, { adapters: registry, sqlite, readSmall, breathe: () => breather.breathe() });
    },
    holdsForGates: ({ agent, mode }) => HOLDS_FOR_GATES.has(agent) && mode !== 'interactive',
    loadFleet: () => createRequire(join(shipped, 'main.js'))('./fleet.js') as FleetBundle,
    planResume: (launch, { agent, session, cwd = environment.home }, prompt) =>
      planLaunch({ agent, mode: 'resume', style: 'terminal', session, prompt, cwd }, launch),
  };
  const configureEngine = () => engine.configure(readSettings());
  const showLog = () => channel.show();
  const ui = createUi({ services, remote, configuration, folders: watched, agents: ports, showLog, configureEngine });

  engine.start();
  const idle = setTimeout(() => {
    void ui.earlier.run();
    void spills.clean();
  }, EARLIER_AFTER_MS);
  const cleaning = setInterval(() => void spills.clean(), CLEAN_EVERY_MS);
  context.subscriptions.push(
    { dispose: () => clearTimeout(idle) },
    { dispose: () => clearInterval(cleaning) },
    ui,
    feedback,
    joined,
    remote,
    engine,
    tail,
    watched,
    configuration,
    channel,
  );
  const { version } = context.extension.packageJSON as { version: string };
  return createApi(engine, version, now, () => {
    const all = vscode.extensions.all.map(({ id, extensionPath }) => ({ id, path: extensionPath }));
    return callerOf(new Error().stack ?? '', all, context.extension.id);
  });
}

/** Writes what waits. */
export async function stop(): Promise<void> {
  await close?.();
}
