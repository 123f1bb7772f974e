import type * as vscode from 'vscode';
import { DisposableStore } from '../util/disposable';
import { AgentList } from './agent-list';
import type { CommandParts } from './commands/parts';
import { registerCommands } from './commands/register';
import { ExpiredNudges } from './nudges/expired-nudges';
import type { EarlierSessions } from './history/history';
import { writeHistory } from './history/history-writer';
import { tellOfDamage } from './notifications/history-damage';
import { Notifier } from './notifications/notifier';
import type { Nudges } from './nudges/nudges';
import { Overview } from './overview';
import { watchOf } from '../panel/watch';
import { Panels } from './panel/panels';
import { stepsInTime } from './panel/snapshot';
import { QuickNudge } from './nudges/quick-nudge';
import type { Routes } from './nudges/routes';
import { Seen } from './seen';
import type { Services } from './services';
import { AgentsView } from './trees/agents-view';
import { IncidentsView } from './trees/incidents-view';
import { notesOf } from './trees/notes';
import { WatchFailure } from './notifications/watch-failure';

type Parts = Pick<
  CommandParts,
  'configuration' | 'connections' | 'detectors' | 'gates' | 'recovery' | 'replay' | 'showLog' | 'transcripts'
> & { readonly earlier: EarlierSessions; readonly nudges: Nudges; readonly routes: Routes };

/** Views, panel, status bar, notifications and commands, over parts that know how to act. */
export function createViews(services: Services, parts: Parts): vscode.Disposable {
  const { engine, store, settings, now } = services;
  const { connections, earlier, nudges, routes } = parts;
  const owned = new DisposableStore();
  owned.add(writeHistory(services));
  const watchFailure = owned.add(new WatchFailure(services, parts.showLog));
  const list = new AgentList(engine, settings, now);
  const agents = owned.add(
    new AgentsView({
      roster: list.roster,
      lines: () => notesOf({ otherSessions: list.hiddenOthers(), unread: engine.unreadFiles(), earlier }),
      now,
      watchOf: (view) => watchOf(view, view.incidents, stepsInTime(engine.timeline(view.session))),
      isConnected: (view) => routes.isConnected(view),
    }),
  );
  const incidents = owned.add(new IncidentsView(store, now));
  const panels = owned.add(new Panels(services, { ...parts, incidents }));
  const inView = () =>
    agents.tree.visible ? list.views() : list.views().filter(({ session }) => panels.isVisible(session));
  const seen = owned.add(new Seen(inView));
  const nudge = new QuickNudge(services, nudges, routes, connections, panels);
  owned.add(new Overview(services, { ...parts, list, agents, incidents, panels, seen, watchFailure }));
  owned.add(tellOfDamage(services));
  owned.add(new Notifier(services, { ...parts, list, panels, nudge }));
  owned.add(new ExpiredNudges(engine, panels, connections, now));
  owned.add(registerCommands({ ...parts, services, list, agents, incidents, panels, nudge }));
  return owned;
}
