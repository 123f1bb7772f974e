import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../base/util/disposable';
import { agentsMessage, badgeTooltip } from '../core/words';
import type { AgentList } from './agent-list';
import type { Configuration } from './settings/configuration';
import { setContext } from './context-keys';
import type { EarlierSessions } from './history/history';
import type { OverviewPage } from './panel/overview-page';
import type { Panels } from './panel/panels';
import type { Routes } from './nudges/routes';
import type { Seen } from './seen';
import type { Services } from './services';
import { needsPerson, type Incident } from '../core/model';
import { waitsAfterLimit } from './nudges/continue-all';
import { countUnseen, statusOf } from './status/status';
import { StatusBar } from './status/status-bar';
import type { AgentsView } from './trees/agents-view';
import type { IncidentsView } from './trees/incidents-view';
import type { WatchFailureNotice } from './notifications/watch-failure';

/** Interval of the clock that checks ages. A row is redrawn only if it would look different. */
const CLOCK_MS = 1_000;
/** Ticks between two checks of everything that time alone changes, and of which agents are listed at all. */
const AGES_EVERY = 10;
const ROSTER_EVERY = 60;
const MINUTE_MS = 60_000;

export interface DrawingParts {
  readonly configuration: Configuration;
  readonly earlier: EarlierSessions;
  readonly list: AgentList;
  readonly agents: AgentsView;
  readonly incidents: IncidentsView;
  readonly overview: OverviewPage;
  readonly panels: Panels;
  readonly routes: Routes;
  readonly seen: Seen;
  readonly watchFailure: WatchFailureNotice;
}

/** Redraws the views, the panel, the status bar and the context keys when something changed, or when time alone changes them. */
export class Drawing implements vscode.Disposable {
  private readonly owned = new DisposableStore();
  private readonly status = this.owned.add(new StatusBar());
  private clock: Disposable | undefined;
  private ticks = 0;

  constructor(
    private readonly services: Services,
    private readonly parts: DrawingParts,
  ) {
    const { configuration, earlier, list, agents, incidents, overview, panels, routes, seen, watchFailure } = parts;
    const { agents: source, store } = services;
    const showPaused = () => {
      overview.update();
      this.showMessage();
      this.showStatus();
    };
    for (const subscription of [
      source.onDidChange((sessions) => this.sessionsChanged(sessions)),
      source.onDidChangeIncident(({ incident, before }) => {
        if (isTurn(incident, before)) incidents.refreshNow();
      }),
      store.onDidChange(() => {
        incidents.refresh();
        // Applies even without any agent: another window or the command line may have written the first incident.
        this.showContext();
      }),
      store.onDidChangeStatus(() => incidents.refreshNow()),
      earlier.onDidRead(() => {
        agents.refresh();
        incidents.refresh();
      }),
      configuration.onDidChange(() => this.redraw()),
      configuration.onDidPause(showPaused),
      list.onDidChange(() => this.redraw()),
      this.services.replayed.onDidStop(() => this.redraw()),
      panels.onDidShow(() => seen.look()),
      overview.onDidShow(() => seen.look()),
      routes.onDidChange(() => {
        panels.update();
        agents.refresh();
      }),
      seen.onDidChange(() => this.showStatus()),
      watchFailure.onDidChange(() => this.showMessage()),
      agents.tree.onDidChangeVisibility(() => {
        seen.look();
        this.wait();
      }),
      vscode.window.onDidChangeActiveColorTheme(() => {
        // VS Code 1.139 has just drawn rows in the places of others: it keeps what was there before they moved.
        agents.redraw();
        this.redraw();
      }),
      { dispose: () => this.clock?.dispose() },
    ])
      this.owned.add(subscription);
    this.redraw();
    this.wait();
  }

  dispose(): void {
    this.owned.dispose();
  }

  private sessionsChanged(sessions: readonly string[]): void {
    const { list, agents, overview, panels, seen } = this.parts;
    list.roster.update(sessions);
    agents.refresh(sessions);
    panels.update(sessions);
    overview.update(sessions);
    this.showContext();
    this.showMessage();
    seen.look();
    this.showStatus();
  }

  private redraw(): void {
    const { list, agents, incidents, overview, panels } = this.parts;
    list.roster.update();
    agents.refresh();
    incidents.refresh();
    panels.update();
    overview.update();
    this.showContext();
    this.showMessage();
    this.showStatus();
  }

  /** Waits for the next tick at which a visible age passes a full minute, or for the next full check. */
  private wait(): void {
    this.clock?.dispose();
    const now = this.services.now();
    const views = this.parts.list.views();
    const seen = this.parts.agents.tree.visible ? views : views.slice(0, this.showsWaiting ? 1 : 0);
    const left = seen.map(({ state }) => MINUTE_MS - ((now - state.since) % MINUTE_MS));
    const ticks = Math.min(Math.ceil(Math.min(...left) / CLOCK_MS), AGES_EVERY - (this.ticks % AGES_EVERY));
    this.clock = this.services.beat.after(ticks * CLOCK_MS, () => {
      this.ticks += ticks;
      this.tick();
      this.wait();
    });
  }

  private tick(): void {
    const { list, agents, overview } = this.parts;
    if (list.roster.size === 0 && this.services.agents.machines().length === 0) return;
    const full = this.ticks % AGES_EVERY === 0;
    if (full) {
      if (this.ticks % ROSTER_EVERY === 0) {
        list.roster.update();
        overview.update();
      }
      this.showContext();
    }
    if (agents.tree.visible)
      void agents.refreshAges(full ? 'all' : 'full_minute', () => new Promise((resume) => setImmediate(resume)));
    if (full || this.showsWaiting) this.showStatus();
  }

  /** True while the status bar shows for how long an agent has been waiting for a person. */
  private get showsWaiting(): boolean {
    const [first] = this.parts.list.views();
    return first !== undefined && needsPerson(first);
  }

  private showContext(): void {
    const { list, agents, seen } = this.parts;
    const views = list.views();
    const folders = vscode.workspace.workspaceFolders ?? [];
    setContext('unstuck.hasAgents', views.length > 0);
    setContext('unstuck.finishedToday', list.roster.finished);
    setContext('unstuck.needsYou', views.some(needsPerson));
    setContext(
      'unstuck.limitOpened',
      views.some((view) => waitsAfterLimit(view, this.services.now())),
    );
    setContext(
      'unstuck.virtual',
      folders.every((folder) => folder.uri.scheme !== 'file'),
    );
    setContext('unstuck.hasIncidents', !this.services.store.isEmpty());
    setContext('unstuck.gates', this.services.settings().gates.when !== 'off');
    const unseen = countUnseen(views, (incident) => seen.hasIncident(incident));
    agents.tree.setBadge(unseen, badgeTooltip(unseen));
  }

  private showMessage(): void {
    const { configuration, list, agents, watchFailure } = this.parts;
    const message = agentsMessage({
      restricted: !vscode.workspace.isTrusted && list.roster.size > 0,
      settingsIgnored: configuration.settings.ignored.length > 0,
      paused: configuration.isPaused,
      watcherFailed: watchFailure.isFailed,
    });
    agents.tree.sayAbove(message);
  }

  private showStatus(): void {
    const { configuration, list, seen } = this.parts;
    const status = statusOf({
      views: list.audible(),
      isSeen: (view) => seen.has(view),
      paused: configuration.isPaused,
      trusted: vscode.workspace.isTrusted,
    });
    this.status.show(status, this.services.now(), list.placeName);
  }
}

/** Returns whether an incident is new or changed its state or level. Its count alone changes many times. */
export function isTurn(incident: Incident, before: Incident | null): boolean {
  return before === null || before.state !== incident.state || before.level !== incident.level;
}
