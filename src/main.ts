import { createHash, randomUUID } from 'node:crypto';
import { homedir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { createBridges, HOLDS_FOR_GATES } from './agents/bridges';
import { planLaunch } from './agents/launch';
import { registry } from './agents/registry';
import { createThreadedReader } from './agents/sqlite/threaded';
import { optionProblems, resolveOptions } from './detect/session/options';
import { type TaskLoopOptions, createTaskLoop } from './api/task-loop';
import { validateJsonResponse, validateToolCall } from './api/validate';
import { systemCheckpointFiles } from './engine/checkpoint-files';
import { Engine } from './engine/engine';
import { QualityGates } from './engine/gates/quality-gates';
import { workspaceMail } from './engine/inbox-mail';
import { systemProcesses } from './engine/follow/processes';
import { type EngineSettings, systemClock } from './engine/ports';
import { readSmall, systemProbe } from './engine/follow/probe';
import { Recovery } from './engine/recovery/service';
import { readRecoverySettings } from './engine/recovery/settings';
import { sessionText } from './engine/session/session-text';
import { findRuntimes, inboxRoot, readHookFiles, supervisorOf } from './inbox';
import { createSpills, openStore } from './store';
import { createTail } from './tail';
import { type UnstuckApi, createApi } from './ui/api';
import { App } from './ui/app';
import { Connections } from './ui/connect';
import { Agreements } from './ui/gates/agreements';
import { GatesUi } from './ui/gates/gates';
import { EarlierSessions } from './ui/history';
import { channelLog } from './ui/log';
import { Nudges } from './ui/nudges';
import { RecoveryUi } from './ui/recovery/recovery-ui';
import { ReplayCommand } from './ui/replay';
import type { Services } from './ui/services';
import { readSettings } from './ui/settings';
import { Transcripts } from './ui/transcripts';
import { watchWorkspaceTranscripts } from './ui/workspace-transcripts';

/** Older transcripts are read for the history only after the live ones had their time. */
const DAY_MS = 86_400_000;
const EARLIER_AFTER_MS = 5_000;
/** Saved results live for a day; what is older is looked for so often. */
const CLEAN_EVERY_MS = 60 * 60_000;

/** Wiring only: builds the parts, connects them, and hands out the API. */
export async function start(context: vscode.ExtensionContext): Promise<UnstuckApi> {
  const channel = vscode.window.createOutputChannel('Unstuck', { log: true });
  const log = channelLog(channel);
  const { subscriptions } = context;
  subscriptions.push(channel);

  let settings = readSettings();
  const readRecovery = () => readRecoverySettings({ ...settings.recovery, expiryMs: settings.nudgeExpiryMs });
  let recoverySettings = readRecovery();
  const tellProblems = () => {
    for (const problem of optionProblems(settings.detectors)) log.warn(`unstuck.detectors, left out: ${problem}`);
  };
  tellProblems();
  const now = () => Date.now();
  const store = await openStore({
    // Not storageUri: a second window on the same folder gets another one, and the two must share what they know.
    folder: join(context.globalStorageUri.fsPath, 'incidents', workspaceName()),
    wasm: join(context.extensionUri.fsPath, 'dist/sql-wasm.wasm'),
    clock: systemClock,
    window: vscode.env.sessionId,
    log,
    days: () => settings.historyDays,
  });

  const replay = new ReplayCommand(
    () => services,
    context,
    () => engine.configure(engineSettings()),
  );
  const folders = () => {
    const open = (vscode.workspace.workspaceFolders ?? []).filter((folder) => folder.uri.scheme === 'file');
    return [...open.map((folder) => folder.uri.fsPath), ...(replay.folder === null ? [] : [replay.folder])];
  };
  let paused = false;
  const engineSettings = (): EngineSettings => ({
    folders: folders(),
    walksFolders: false,
    maxAgeMs: settings.maxAgeMs,
    historyMs: settings.historyDays * DAY_MS,
    disabled: paused ? new Set(registry.map((adapter) => adapter.id)) : settings.disabledAgents,
    detectors: (agent) => resolveOptions(settings.preset, settings.detectors, agent),
  });

  const spills = createSpills(join(context.globalStorageUri.fsPath, 'spills'), now);
  const tail = createTail({ log });
  const sqlite = createThreadedReader(join(context.extensionUri.fsPath, 'dist/sqlite-worker.js'));
  const engine = new Engine(
    {
      adapters: registry,
      environment: { home: homedir(), env: process.env, platform: process.platform },
      probe: systemProbe,
      tail,
      clock: systemClock,
      log,
      mail: workspaceMail(folders, now, log, () => vscode.workspace.isTrusted),
      stored: (id) => store.adopt(id),
      spills,
      readSmall,
      sqlite,
    },
    engineSettings(),
  );
  const services: Services = {
    context,
    engine,
    store,
    agentNames: new Map(registry.map((adapter) => [adapter.id, adapter.name])),
    bridges: createBridges({
      hookFolder: join(context.globalStorageUri.fsPath, 'hook'),
      hookFiles: async () => readHookFiles(join(context.extensionUri.fsPath, 'dist'), await runtimes(settings.runtime)),
      home: homedir(),
      env: process.env,
      now,
      gateWait: () => settings.gates.waitMs / 1000,
    }),
    settings: () => settings,
    folders,
    log,
    now,
  };
  const earlier = new EarlierSessions(
    services,
    (agent) => resolveOptions(settings.preset, settings.detectors, agent),
    readSmall,
    sqlite,
    () => app.earlierRead(),
  );
  const agreements = new Agreements(context.workspaceState, () => settings.gates);
  const gates = new QualityGates({
    engine,
    processes: systemProcesses,
    now,
    log,
    settings: () => ({ ...settings.gates, onCompletion: settings.gates.when === 'on_completion' }),
    folders,
    isTrusted: () => vscode.workspace.isTrusted,
    gatesOf: (folder) => agreements.gatesOf(folder),
    notAgreed: (folder) => void gatesUi.tellChanged(folder),
    holds: (view) => HOLDS_FOR_GATES.has(view.agent) && view.mode !== 'interactive',
    claim: ({ agent, session }, what) => store.claim({ agent, session, key: 'gates' }, what),
    mostRefused: (agent) => resolveOptions(settings.preset, settings.detectors, agent).gate_blocked.stuck,
    sent: ({ agent, session }, report, message, automated) => {
      const data = { action: 'gate', message, attempt: report.attempt, automated };
      store
        .appendEvent({ t: now(), type: 'Recovery', session, agent, data })
        .catch((error: unknown) => log.warn(`the event log could not be written: ${String(error)}`));
    },
    pid: process.pid,
  });
  const gatesUi = new GatesUi(services, gates, agreements);
  const recovery = new Recovery({
    engine,
    store,
    clock: systemClock,
    log,
    processes: systemProcesses,
    files: systemCheckpointFiles,
    folders,
    settings: () => recoverySettings,
    trusted: () => vscode.workspace.isTrusted,
    takes: (view) => app.panels.kindsTaken(view),
    supervised: (view) => {
      const root = view.cwd === undefined ? null : inboxRoot(folders(), view.cwd);
      return root !== null && supervisorOf(root, view.session, systemProbe) !== null;
    },
    newSession: randomUUID,
  });
  const recoveryUi = new RecoveryUi(services, recovery, {
    resume: ({ agent, session, cwd = homedir() }, prompt) =>
      planLaunch({ agent, mode: 'resume', style: 'terminal', session, prompt, cwd }, recoverySettings.launch),
    changed: () => app.panels.update(),
    showSimilar: (incident) => app.showSimilar(incident),
  });
  const app = new App(services, {
    gates: gatesUi,
    recovery: recoveryUi,
    nudges: new Nudges(services, recovery),
    connections: new Connections(services, () => app.panels.connectionsChanged()),
    replay,
    transcripts: new Transcripts(
      (path, offset) => tail.countLines(path, offset),
      (path, session) => sessionText(registry, sqlite, path, session),
    ),
    showLog: () => channel.show(),
    earlier: () => earlier,
    setPaused: (pause) => {
      paused = pause;
      engine.configure(engineSettings());
    },
  });

  const endings = registry.flatMap((adapter) => adapter.workspaceFiles ?? []);
  let workspaceFiles = watchWorkspaceTranscripts(endings, settings.include, (file) => engine.consider(file));
  const rewatch = () => {
    workspaceFiles.dispose();
    workspaceFiles = watchWorkspaceTranscripts(endings, settings.include, (file) => engine.consider(file));
    engine.configure(engineSettings());
  };
  subscriptions.push(
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (!event.affectsConfiguration('unstuck')) return;
      settings = readSettings();
      recoverySettings = readRecovery();
      tellProblems();
      rewatch();
      app.settingsChanged();
      gates.configure();
      recovery.settingsChanged();
    }),
    vscode.workspace.onDidChangeWorkspaceFolders(rewatch),
  );

  engine.start();
  void app.connections.refresh();
  const idle = setTimeout(() => {
    void earlier.run();
    void spills.clean();
  }, EARLIER_AFTER_MS);
  const cleaning = setInterval(() => void spills.clean(), CLEAN_EVERY_MS);
  subscriptions.push(
    { dispose: () => clearTimeout(idle) },
    { dispose: () => clearInterval(cleaning) },
    { dispose: () => workspaceFiles.dispose() },
    earlier,
    replay,
    app,
    recovery,
    gates,
    engine,
    tail,
  );
  closing = () => store.close();
  const { version } = context.extension.packageJSON as { version: string };
  return createApi(engine, version, {
    createTaskLoop: (options: Omit<TaskLoopOptions, 'now'> = {}) => createTaskLoop({ ...options, now }),
    validateToolCall,
    validateJsonResponse,
  });
}

/** The same short name for the same set of folders, in every window. */
function workspaceName(): string {
  const folders = (vscode.workspace.workspaceFolders ?? []).map((folder) => folder.uri.toString()).sort();
  return folders.length === 0 ? 'none' : createHash('sha256').update(folders.join('\n')).digest('hex').slice(0, 16);
}

/** What can run the hook, the best first. A desktop editor's own binary is left out: it would open a window. */
async function runtimes(named: string): Promise<readonly string[]> {
  const self = /(^|[\\/])node(\.exe)?$/.test(process.execPath) ? process.execPath : '';
  const found = await findRuntimes(self, process.env['PATH']);
  return named === '' ? found : [named, ...found];
}

let closing: (() => Promise<void>) | undefined;

/** Writes what waits. */
export async function stop(): Promise<void> {
  await closing?.();
}
