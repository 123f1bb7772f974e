import { homedir } from 'node:os';
import * as vscode from 'vscode';
import type { AgentView } from '../core/model';
import { systemClock } from '../base/clock';
import { DisposableStore } from '../base/util/disposable';
import { AgentList } from './agent-list';
import { AgentNotices } from './notifications/agent-notices';
import { chipName } from './commands/search-incidents';
import type { CommandParts } from './commands/parts';
import type { AgentPorts } from './agent-ports';
import { registerCommands } from './commands/register';
import { HiddenAgents } from './connect/hidden-agents';
import { ExpiredNudges } from './nudges/expired-nudges';
import type { EarlierSessions } from './history/history';
import type { EvidenceDocuments } from './transcripts/evidence';
import { keepHistory } from '../engine/history/keep';
import { notifyOfDamage } from './notifications/history-damage';
import { SilentAgents } from './notifications/silent-agents';
import { Notifier } from './notifications/notifier';
import { Drawing } from './drawing';
import { watchOf } from './panel-model/watch';
import { OverviewPage } from './panel/overview-page';
import { Panels } from './panel/panels';
import { StatisticsPage } from './panel/statistics-page';
import { RulesPast } from './rules/past';
import { RulesPage } from './rules/rules-page';
import { Workplaces } from './workplaces';
import { stepsInTime } from './panel/snapshot';
import { QuickNudge } from './nudges/quick-nudge';
import type { Routes } from './nudges/routes';
import type { Untested } from './nudges/untested';
import { Seen } from './seen';
import type { Services } from './services';
import { AgentsView } from './trees/agents-view';
import { IncidentsView } from './trees/incidents-view';
import { notesOf } from './trees/notes';
import { WatchFailureNotice } from './notifications/watch-failure';

type Parts = Pick<
  CommandParts,
  | 'checkpoints'
  | 'configuration'
  | 'connections'
  | 'fixture'
  | 'fleet'
  | 'gates'
  | 'controls'
  | 'isTranscript'
  | 'replay'
  | 'showLog'
  | 'transcripts'
> & {
  readonly detectors: AgentPorts['detectors'];
  readonly earlier: EarlierSessions;
  readonly elsewhere: AgentPorts['elsewhere'];
  readonly hookPlace: AgentPorts['hookPlace'];
  readonly evidence: EvidenceDocuments;
  /** Fires when the possible actions for an agent of this machine changed. */
  readonly recoveryChanged: (listener: () => void) => vscode.Disposable;
  readonly readSmall: AgentPorts['readSmall'];
  readonly scan: AgentPorts['scan'];
  readonly routes: Routes;
  readonly untested: Untested;
};

/** Builds views, panel, status bar, notifications and commands over the parts that act. */
export function createViews(services: Services, parts: Parts): vscode.Disposable {
  const { agents: source, engine, store, settings, now } = services;
  const { connections, earlier, controls, routes } = parts;
  const owned = new DisposableStore();
  owned.add(keepHistory(services));
  const watchFailure = owned.add(new WatchFailureNotice(services, parts.showLog));
  const places = new Workplaces(services.folders, parts.readSmall);
  const list = new AgentList(source, engine, settings, now, places, services.replayed);
  const hidden = new HiddenAgents({
    agents: () =>
      [...services.bridges.values()].map(({ agent }) => ({ agent, name: services.agentNames.get(agent) ?? agent })),
    views: () => engine.agents(),
    folders: services.folders,
    elsewhere: parts.elsewhere,
  });
  const agents = owned.add(
    new AgentsView({
      roster: list.roster,
      lines: () =>
        notesOf({
          otherSessions: list.hiddenOthers(),
          elsewhere: list.elsewhere(homedir()),
          hidden: hidden.list(),
          isEmpty: list.roster.size === 0,
          unread: engine.unreadFiles(),
          earlier,
          fleet: parts.fleet.connection.note(),
        }),
      now,
      watchOf: (view) => watchOf(view, view.incidents, stepsInTime(source.timeline(view.session))),
      isConnected: (view) => controls(view).messages.isConnected(view),
      surfaceOf: (view) => controls(view).recovery.surfaceOf(view),
      machines: () => source.machines(),
      placeName: list.placeOnMachine,
      contextFrom: () => services.settings().contextFrom,
      isMuted: (session) => list.isMuted(session),
      isReplay: (view) => services.replayed.has(view.session),
      placeOf: (view) => list.placeOf(view),
    }),
  );
  const lookForHidden = async () => {
    if (agents.tree.visible && (await hidden.look())) agents.refresh();
  };
  owned.add(agents.tree.onDidChangeVisibility(() => void lookForHidden()));
  owned.add(vscode.window.onDidChangeWindowState(({ focused }) => void (focused && lookForHidden())));
  const incidents = owned.add(
    new IncidentsView(
      store,
      now,
      (chip) => chipName(chip, services.agentNames),
      () => services.replayed.shown().flatMap((session) => engine.incidentsOf(session)),
      ({ session }) => engine.agent(session) !== undefined,
    ),
  );
  const panels = owned.add(new Panels(services, { ...parts, incidents }));
  const nudge = new QuickNudge(controls, panels, services.agents, systemClock);
  // Goes to its terminal or chat if it runs in one of this window, otherwise to its panel, which shows what it asks.
  const goTo = (view: AgentView) =>
    controls(view).recovery.surfaceOf(view)
      ? controls(view).recovery.goTo(view)
      : Promise.resolve(panels.show(view.session));
  const overview = owned.add(new OverviewPage(services, { ...parts, list, nudge, panels, goTo }));
  const inView = () =>
    agents.tree.visible || overview.isVisible
      ? list.views()
      : list.views().filter(({ session }) => panels.isVisible(session));
  const seen = owned.add(new Seen(inView));
  owned.add(new Drawing(services, { ...parts, list, agents, incidents, overview, panels, seen, watchFailure }));
  owned.add(parts.untested.onDidChange(() => panels.update()));
  owned.add(parts.recoveryChanged(() => panels.update()));
  owned.add(parts.fleet.connection.onDidChange(() => agents.refresh()));
  owned.add(notifyOfDamage(services));
  owned.add(new Notifier(services, { ...parts, list, panels, nudge }));
  owned.add(new AgentNotices({ services, list, panels, controls, goTo }));
  owned.add(new SilentAgents({ services, routes, list, panels, connections }));
  owned.add(new ExpiredNudges(source, panels, connections, now));
  const statistics = owned.add(new StatisticsPage(services));
  const rules = owned.add(new RulesPage(services, { ...parts, past: new RulesPast(services, parts.scan) }));
  const views = { agents, incidents, overview, panels, rules, statistics };
  owned.add(registerCommands({ ...parts, ...views, services, list, nudge }));
  return owned;
}
