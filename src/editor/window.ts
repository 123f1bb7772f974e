import { homedir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { agentNames, createAgentPorts } from './agent-services';
import { createBridges } from '../agents/bridges';
import { registry } from '../agents/registry';
import { createOpenFiles } from '../agents/open-files';
import { createThreadedReader } from '../agents/sqlite/threaded';
import { optionProblems, resolveOptions } from '../detect/session/options';
import { Engine } from '../engine/engine';
import { openTranscriptCache } from '../engine/transcript-cache';
import { readSmall, systemProbe } from '../engine/follow/probe';
import { workspaceMail } from '../engine/inbox-mail';
import { systemBeat } from '../base/beat';
import { systemClock } from '../base/clock';
import { readHookFiles } from '../agents/inbox';
import type { AgentId } from '../core/model';
import { createSpills } from '../history';
import { createTail } from '../base/tail';
import { type UnstuckApi, createApi } from './api';
import { callerOf } from './caller';
import { editorStorage } from './chat/editor-storage';
import { hookRuntimes } from './connect/hook-runtimes';
import { createUi } from './create';
import { JoinedAgents } from './fleet/joined-agents';
import { RemoteAgents } from './fleet/remote-agents';
import { WatchedFolders } from './folders';
import { startIdleWork } from './history/idle-work';
import { openIncidents, withoutReplays } from './history/incident-store';
import { channelLog } from './log';
import { Feedback } from './notifications/feedback';
import { Replays } from './replay/sessions';
import type { Services } from './services';
import { Configuration } from './settings/configuration';
import { engineSettings } from './settings/engine-settings';
import { rewriteFormerSettings } from './settings/former-settings';
import { settingsReport } from './settings/report';

let close: (() => Promise<void>) | undefined;

/** Builds the parts, each from those above it, and returns the API. Wiring only. */
export async function startWindow(context: vscode.ExtensionContext): Promise<UnstuckApi> {
  const shipped = join(context.extensionUri.fsPath, 'dist');
  const storage = context.globalStorageUri.fsPath;
  const channel = vscode.window.createOutputChannel('Unstuck', { log: true });
  const log = channelLog(channel);
  const clock = systemClock;
  const beat = systemBeat();
  const now = () => clock.now();
  const configuration = new Configuration(settingsReport(log, optionProblems));
  const settings = () => configuration.settings;
  const watched = new WatchedFolders();
  const folders = () => watched.list();
  const detectors = (agent: AgentId) => resolveOptions(settings(), agent);

  const replayed = new Replays();
  const store = withoutReplays(await openIncidents(context, beat, () => settings().historyDays, log), replayed);
  close = () => store.close();
  const feedback = new Feedback(context.workspaceState, store);
  const spills = createSpills(join(storage, 'spills'), now);
  const tail = createTail({ log, beat });
  const sqlite = createThreadedReader(join(shipped, 'sqlite-worker.js'));

  // Decides once where an agent keeps its files: what is watched and what Connect writes must be in the same place.
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
  const cache = openTranscriptCache(env, process.platform, environment.home);
  const ports = createAgentPorts({ detectors, environment, sqlite, tail, cache, now });
  const { processOf } = ports;
  const read = { tail, readSmall, openFiles: createOpenFiles(), sqlite, cache };
  const files = { probe: systemProbe, mail, stored, storedOf, spills, processOf, ...read };
  const engine = new Engine({ adapters: registry, environment, clock, beat, log, ...files }, readSettings());
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
    beat,
  };
  const configureEngine = () => engine.configure(readSettings());
  const showLog = () => channel.show();
  const ui = createUi({ services, remote, configuration, folders: watched, agents: ports, showLog, configureEngine });

  void rewriteFormerSettings().catch((error: unknown) =>
    log.warn(`settings stay in their former form: ${String(error)}`),
  );
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

/** Writes pending data. */
export async function stopWindow(): Promise<void> {
  await close?.();
}
