import { homedir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { agentNames, createAgentPorts } from './agent-ports';
import { createBridges } from './agents/bridges';
import { registry } from './agents/registry';
import { createThreadedReader } from './agents/sqlite/threaded';
import { optionProblems, resolveOptions } from './detect/session/options';
import { Engine } from './engine/engine';
import { readSmall, systemProbe } from './engine/follow/probe';
import { workspaceMail } from './engine/inbox-mail';
import { systemClock } from './engine/ports';
import { readHookFiles } from './inbox';
import type { AgentId } from './model';
import { createSpills } from './store';
import { createTail } from './tail';
import { type UnstuckApi, createApi } from './ui/api';
import { callerOf } from './ui/caller';
import { editorStorage } from './ui/chat/editor-storage';
import { hookRuntimes } from './ui/connect/hook-runtimes';
import { createUi } from './ui/create';
import { JoinedAgents } from './ui/fleet/joined-agents';
import { RemoteAgents } from './ui/fleet/remote-agents';
import { WatchedFolders } from './ui/folders';
import { startIdleWork } from './ui/history/idle-work';
import { openIncidents, withoutReplays } from './ui/history/incident-store';
import { channelLog } from './ui/log';
import { Feedback } from './ui/notifications/feedback';
import { Replays } from './ui/replays';
import type { Services } from './ui/services';
import { Configuration } from './ui/settings/configuration';
import { engineSettings } from './ui/settings/engine-settings';
import { settingsReport } from './ui/settings/report';

let close: (() => Promise<void>) | undefined;

/** Builds the parts, each from those above it, and hands out the API. Wiring only. */
export async function start(context: vscode.ExtensionContext): Promise<UnstuckApi> {
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
  const feedback = new Feedback(context.workspaceState, store);
  const spills = createSpills(join(storage, 'spills'), now);
  const tail = createTail({ log });
  const sqlite = createThreadedReader(join(shipped, 'sqlite-worker.js'));

  // Where an agent keeps its files is settled once: what is watched and what Connect writes must be of one place.
  const env = { ...process.env, ...settings().agentFolders };
  const environment = { home: homedir(), env, platform: process.platform, ...editorStorage(context) };
  const mail = workspaceMail(folders, now, log, () => vscode.workspace.isTrusted);
  const stored = (id: string) => store.adopt(id);
  const storedOf = (session: string) => store.current().filter((incident) => incident.session === session);
  const agents = registry.map(({ id }) => id);
  const readSettings = () => {
    const given = { folders: folders(), detectors, agents, raised: feedback.list() };
    return engineSettings(settings(), configuration.isPaused, given);
  };
  const files = { probe: systemProbe, tail, mail, stored, storedOf, spills, readSmall, sqlite };
  const engine = new Engine({ adapters: registry, environment, clock, log, ...files }, readSettings());
  const remote = new RemoteAgents(log);
  const joined = new JoinedAgents(engine, remote);

  const bridges = createBridges({
    hookFolder: join(storage, 'hook'),
    hookFiles: async () => readHookFiles(shipped, await hookRuntimes(settings().runtime)),
    home: environment.home,
    env,
    now,
    gateWait: () => settings().gates.waitMs / 1000,
  });
  const services: Services = {
    context,
    engine,
    agents: joined,
    store,
    replayed,
    agentNames: agentNames(),
    bridges,
    feedback,
    settings,
    folders,
    log,
    now,
  };
  const ports = createAgentPorts({ detectors, environment, sqlite, tail, now });
  const configureEngine = () => engine.configure(readSettings());
  const showLog = () => channel.show();
  const ui = createUi({ services, remote, configuration, folders: watched, agents: ports, showLog, configureEngine });

  engine.start();
  const idle = startIdleWork(ui.earlier, spills);
  const owned = [idle, ui, feedback, joined, remote, engine, tail, watched, configuration, channel];
  context.subscriptions.push(...owned);
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
