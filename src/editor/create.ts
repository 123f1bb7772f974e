import type { AgentId, AgentView } from '../core/model';
import { type Disposable, DisposableStore } from '../base/util/disposable';
import type { Configuration } from './settings/configuration';
import type { AgentPorts } from './agent-ports';
import { Connections } from './connect/connect';
import type { WatchedFolders } from './folders';
import { ChatWay } from './chat/chat-way';
import { Chats } from './chat/chats';
import { createGates } from './gates/create';
import { followFeedback } from './notifications/feedback';
import { EarlierSessions } from './history/history';
import { keptExcerptOf } from './history/kept-evidence';
import { createFleet } from './fleet/create';
import type { RemoteAgents } from './fleet/remote-agents';
import { controlsByMachine } from './controls/controls';
import { Nudges } from './nudges/nudges';
import { AgentTerminals } from './recovery/agent-terminals';
import { BeforeCache } from './recovery/before';
import { createRecovery, findProgram } from './recovery/create';
import { Launcher } from './recovery/launcher';
import { type PlanResume, RecoveryUi } from './recovery/recovery-ui';
import { ReplayCommand } from './replay/command';
import { Routes } from './nudges/routes';
import type { Services } from './services';
import { Untested } from './nudges/untested';
import { EvidenceDocuments } from './transcripts/evidence';
import { Transcripts } from './transcripts/transcripts';
import { createViews } from './create-views';
import { WorkspaceTranscripts } from './transcripts/workspace-transcripts';

export interface UiHost {
  readonly services: Services;
  /** Agents of other machines, which `services.agents` includes. */
  readonly remote: RemoteAgents;
  readonly configuration: Configuration;
  readonly folders: WatchedFolders;
  readonly agents: AgentPorts;
  readonly showLog: () => void;
  /** Called when the settings or folders of the engine changed. */
  readonly configureEngine: () => void;
}

export interface Ui extends Disposable {
  readonly earlier: EarlierSessions;
}

/** Builds all parts of the editor, and keeps them in line with the settings. */
export function createUi({ services, remote, configuration, folders, agents, showLog, configureEngine }: UiHost): Ui {
  const { engine, bridges, now, settings } = services;
  const owned = new DisposableStore();
  const earlier = owned.add(new EarlierSessions(services, agents.detectors, agents.scan));
  const replay = owned.add(new ReplayCommand(services, folders));
  const chats = new Chats(services);
  const isReplayed = (view: AgentView) => replay.isReplayed(view);
  const routes = new Routes(bridges, isReplayed, now, (view) => chats.isHere(view));
  const untested = new Untested(agents.versions, (agent) => services.agentNames.get(agent) ?? agent, now);
  const connections = owned.add(new Connections(services, routes, untested, agents.elsewhere));
  const transcripts = owned.add(new Transcripts(agents.countLines, agents.sessionText));
  const evidence = owned.add(
    new EvidenceDocuments(
      agents.readExcerpt,
      (place, session) => keptExcerptOf(services.store, place, session),
      transcripts,
    ),
  );
  const mostRefused = (agent: AgentId) => agents.detectors(agent).gate_blocked.stuck;
  const gates = owned.add(createGates(services, { holds: agents.holdsForGates, mostRefused }));
  const terminals = owned.add(new AgentTerminals(services, agents.processOf));
  const before = owned.add(new BeforeCache(services));
  const recovery = owned.add(createRecovery(services, configuration, routes, terminals, chats, before));
  const chatWay = new ChatWay({
    services,
    chats,
    routeOf: (view) => routes.routeOf(view),
    situation: (view) => recovery.messageSituation(view),
  });
  const nudges = new Nudges(services, recovery, routes, untested, connections, chatWay);
  const planResume: PlanResume = (...args) => agents.planResume(configuration.recovery.launch, ...args);
  const launcher = new Launcher(services, terminals, recovery, (program) => findProgram(program, services.folders));
  const recoveryUi = owned.add(new RecoveryUi(services, recovery, planResume, terminals, before, chats, launcher));
  const fleet = owned.add(createFleet(services, remote, agents.loadFleet));
  const controls = controlsByMachine({ messages: nudges, recovery: recoveryUi }, fleet);
  const { detectors, fixture, isTranscript, readSmall, scan } = agents;
  const acting = {
    checkpoints: recoveryUi.checkpoints,
    configuration,
    connections,
    detectors,
    earlier,
    elsewhere: agents.elsewhere,
    evidence,
    fixture,
    fleet,
    isTranscript,
    controls,
    hookPlace: agents.hookPlace,
    readSmall,
    replay,
    routes,
    scan,
    showLog,
    transcripts,
    untested,
  };
  owned.add(createViews(services, { ...acting, gates: gates.ui, recoveryChanged: recoveryUi.onDidChange }));

  const files = owned.add(
    new WorkspaceTranscripts(
      agents.endings,
      (file) => engine.consider(file),
      (folder, reported) => engine.leftSomeOut(folder, reported),
    ),
  );
  const reconfigure = () => {
    files.watch(settings().include);
    configureEngine();
  };
  files.watch(settings().include);
  owned.add(
    folders.onDidChange(() => {
      reconfigure();
      gates.configure();
    }),
  );
  owned.add(followFeedback(services, configureEngine));
  owned.add(configuration.onDidPause(reconfigure));
  owned.add(
    configuration.onDidChange(() => {
      reconfigure();
      fleet.connection.configure();
      gates.configure();
      recovery.settingsChanged();
    }),
  );
  fleet.connection.configure();
  gates.configure();
  void connections.refresh();
  return { earlier, dispose: () => owned.dispose() };
}
