import type { ScanOptions } from '../engine/scan';
import type { RecoverySettings } from '../engine/recovery/ports';
import type { AgentId, AgentView, DetectorId, DetectorOptions } from '../model';
import { type Disposable, DisposableStore } from '../util/disposable';
import type { Configuration } from './settings/configuration';
import { Connections } from './connect';
import type { WatchedFolders } from './folders';
import { createGates } from './gates/create';
import { followFeedback } from './notifications/feedback';
import { EarlierSessions } from './history/history';
import { Nudges } from './nudges/nudges';
import { createRecovery } from './recovery/create';
import { type PlanResume, RecoveryUi } from './recovery/recovery-ui';
import { ReplayCommand } from './replay';
import { Routes } from './nudges/routes';
import type { Services } from './services';
import { type CountLines, type SessionText, Transcripts } from './transcripts';
import { createViews } from './create-views';
import { WorkspaceTranscripts } from './workspace-transcripts';

/** What is known of agents, detectors and files, which this room may not import. */
export interface AgentPorts {
  readonly detectors: (agent: AgentId) => Readonly<Record<DetectorId, DetectorOptions>>;
  /** How file names of transcripts in the workspace end. */
  readonly endings: readonly string[];
  readonly readSmall: (path: string) => string | undefined;
  readonly sqlite: ScanOptions['sqlite'];
  readonly countLines: CountLines;
  readonly sessionText: SessionText;
  /** Does a hook of this agent wait for a verdict of the quality gates when its turn ends? */
  readonly holdsForGates: (view: AgentView) => boolean;
  readonly planResume: (
    settings: RecoverySettings['launch'],
    ...asked: Parameters<PlanResume>
  ) => ReturnType<PlanResume>;
}

export interface UiHost {
  readonly services: Services;
  readonly configuration: Configuration;
  readonly folders: WatchedFolders;
  readonly agents: AgentPorts;
  readonly showLog: () => void;
  /** The settings or folders of the engine changed. */
  readonly configureEngine: () => void;
}

export interface Ui extends Disposable {
  readonly earlier: EarlierSessions;
}

/** Builds everything of the editor, and keeps it up with the settings. */
export function createUi({ services, configuration, folders, agents, showLog, configureEngine }: UiHost): Ui {
  const { engine, bridges, now, settings } = services;
  const owned = new DisposableStore();
  const earlier = owned.add(new EarlierSessions(services, agents.detectors, agents.readSmall, agents.sqlite));
  const replay = owned.add(new ReplayCommand(services, folders));
  const routes = new Routes(bridges, (view) => replay.isReplayed(view), now);
  const connections = owned.add(new Connections(services, routes));
  const transcripts = owned.add(new Transcripts(agents.countLines, agents.sessionText));
  const mostRefused = (agent: AgentId) => agents.detectors(agent).gate_blocked.stuck;
  const gates = owned.add(createGates(services, { holds: agents.holdsForGates, mostRefused }));
  const recovery = owned.add(createRecovery(services, configuration, routes));
  const nudges = new Nudges(services, recovery);
  const planResume: PlanResume = (...asked) => agents.planResume(configuration.recovery.launch, ...asked);
  const recoveryUi = owned.add(new RecoveryUi(services, recovery, planResume));
  const { detectors } = agents;
  const acting = { configuration, connections, detectors, earlier, nudges, replay, routes, showLog, transcripts };
  owned.add(createViews(services, { ...acting, gates: gates.ui, recovery: recoveryUi }));

  const files = owned.add(new WorkspaceTranscripts(agents.endings, (file) => engine.consider(file)));
  const reconfigure = () => {
    files.watch(settings().include);
    configureEngine();
  };
  files.watch(settings().include);
  owned.add(folders.onDidChange(reconfigure));
  owned.add(followFeedback(services, configureEngine));
  owned.add(configuration.onDidPause(configureEngine));
  owned.add(
    configuration.onDidChange(() => {
      reconfigure();
      gates.configure();
      recovery.settingsChanged();
    }),
  );
  void connections.refresh();
  return { earlier, dispose: () => owned.dispose() };
}
