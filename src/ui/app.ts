import { basename } from 'node:path';
import * as vscode from 'vscode';
import type { AgentId, AgentView, DetectorId, Incident } from '../model';
import { SEEN_FLAG } from '../engine/session/timeline';
import { DisposableStore } from '../util/disposable';
import { AgentsView } from './trees/agents-view';
import { registerCommands } from './commands';
import type { Connections } from './connect';
import { setContext } from './context-keys';
import { ExpiredNudges } from './expired-nudges';
import type { GatesUi } from './gates/gates';
import { type IncidentNarrowing, IncidentsView } from './trees/incidents-view';
import { Notifier } from './notifier';
import type { Nudges } from './nudges';
import { Panels } from './panel/panels';
import { groupOf } from './trees/order';
import type { RecoveryUi } from './recovery/recovery-ui';
import type { ReplayCommand } from './replay';
import { NUDGE_QUEUED, agentsMessage, badgeTooltip, cannotWatch, earlierRead, otherFolders } from '../words';
import { Roster } from './trees/roster';
import { Seen } from './seen';
import type { Services } from './services';
import { StatusBar } from './status-bar';
import type { Transcripts } from './transcripts';
import { sayAbove } from './trees/tree-message';

export interface AppParts {
  readonly connections: Connections;
  readonly replay: ReplayCommand;
  readonly transcripts: Transcripts;
  readonly gates: GatesUi;
  readonly recovery: RecoveryUi;
  readonly nudges: Nudges;
  readonly showLog: () => void;
  /** Stops or starts the engine's reading; the sessions stay. */
  readonly setPaused: (paused: boolean) => void;
  /** How many earlier sessions were read for the history, and in how many there were incidents. */
  readonly earlier: () => { readonly read: number; readonly withIncidents: number };
}

/** Ages are looked at so often while something is shown; a row is drawn anew only when it would look different. */
const CLOCK_MS = 1_000;
/** So many ticks of the clock go by between two looks at the ages of all rows, and at who is silent for long or too old to be listed. */
const AGES_EVERY = 10;
const ROSTER_EVERY = 60;
/** Incidents that the list holds at most. */
const LISTED = 500;

/** Everything of the editor: views, panel, status bar, notifications, and what a person's clicks do. */
export class App implements vscode.Disposable {
  readonly connections: Connections;
  readonly replay: ReplayCommand;
  readonly transcripts: Transcripts;
  readonly agents: AgentsView;
  readonly incidents: IncidentsView;
  readonly panels: Panels;
  readonly nudges: Nudges;
  readonly gates: GatesUi;
  readonly recovery: RecoveryUi;
  readonly showLog: () => void;
  readonly seen: Seen;

  private readonly owned = new DisposableStore();
  private readonly roster: Roster;
  private readonly status: StatusBar;
  private readonly mutedUntil = new Map<string, number>();
  private finishedShown = false;
  private othersShown = false;
  private paused = false;
  private ticks = 0;
  private badge = 0;
  private watchTrouble: string | null = null;

  constructor(
    readonly services: Services,
    private readonly parts: AppParts,
  ) {
    const { engine, store, now } = services;
    this.settingsChanged();
    this.roster = new Roster({
      all: () => engine.agents(),
      one: (session) => engine.shownAgent(session),
      isListed: (view) => this.isListed(view),
    });
    this.connections = this.owned.add(parts.connections);
    this.replay = parts.replay;
    this.transcripts = this.owned.add(parts.transcripts);
    this.showLog = parts.showLog;
    this.gates = this.owned.add(parts.gates);
    this.recovery = this.owned.add(parts.recovery);
    this.nudges = parts.nudges;
    this.agents = this.owned.add(
      new AgentsView({
        roster: this.roster,
        notes: () => this.notes(),
        now,
        watchOf: (view) => this.watchOf(view),
        isConnected: (view) => this.panels.isConnected(view),
      }),
    );
    this.incidents = this.owned.add(new IncidentsView((narrowing) => this.loadIncidents(narrowing), now));
    this.panels = this.owned.add(new Panels(services, this));
    this.seen = this.owned.add(new Seen(() => this.inView()));
    this.status = this.owned.add(new StatusBar());
    this.owned.add(
      new Notifier(services, {
        showEvidence: (session) => this.panels.show(session),
        nudge: (session) => void this.withView(session, (view) => this.nudgeNow(view)),
        mute: (session) => void vscode.commands.executeCommand('unstuck.mute', session),
        sendGates: (session) => void this.withView(session, (view) => this.gates.send(view)),
        restart: (session) => void this.withView(session, (view) => this.recovery.chooseRestart(view)),
        stop: (session) => void this.withView(session, (view) => this.recovery.stop(view)),
        saveCheckpoint: (session) => void this.withView(session, (view) => this.recovery.saveCheckpoint(view)),
        showAgents: () => void vscode.commands.executeCommand('unstuck.agents.focus'),
        isInView: (session) => this.isMuted(session) || (vscode.window.state.focused && this.panels.isVisible(session)),
      }),
    );
    this.owned.add(
      new ExpiredNudges(
        engine,
        {
          show: (session) => this.panels.show(session),
          connect: (agent) => void this.connections.connect(agent),
        },
        now,
      ),
    );
    this.owned.add(engine.onDidChange((sessions) => this.sessionsChanged(sessions)));
    this.owned.add(engine.onDidChangeIncident((change) => this.incidentChanged(change.incident, change.before)));
    this.owned.add(
      engine.onDidFailWatching((failure) => {
        this.watchTrouble = failure?.code ?? null;
        if (failure)
          services.log.warn(`the watcher failed (${failure.code}); ${failure.polled} folders are looked at every 2 s`);
        this.showMessages();
        if (failure) void this.tellCannotWatch(failure.code);
      }),
    );
    this.owned.add(store.onDidChange(() => this.incidents.refresh()));
    this.owned.add(this.seen.onDidChange(() => this.showStatus()));
    this.owned.add(this.agents.tree.onDidChangeVisibility(() => this.seen.look()));
    this.owned.add(vscode.workspace.onDidGrantWorkspaceTrust(() => this.redraw()));
    this.owned.add(vscode.window.onDidChangeActiveColorTheme(() => this.redraw()));
    this.owned.add(registerCommands(this));
    const clock = setInterval(() => this.tick(), CLOCK_MS);
    this.owned.add({ dispose: () => clearInterval(clock) });
    this.redraw();
  }

  dispose(): void {
    this.owned.dispose();
  }

  settingsChanged(): void {
    setContext('unstuck.gates', this.services.settings().gates.when !== 'off');
  }

  /** Sessions that the views show, in their order. */
  views(): readonly AgentView[] {
    return this.roster.list;
  }

  /** Finished ones stand in the lists only when asked for, or when they ended before the person's eyes. */
  private isListed(view: AgentView): boolean {
    return (
      this.finishedShown || view.state.kind !== 'finished' || view.state.ended === 'died' || this.endedWhileHere(view)
    );
  }

  /** The nudge of a toast or a row: sends the draft at once, and offers to take it back while it is queued. */
  async nudgeNow(view: AgentView): Promise<void> {
    const incident = view.incidents[0];
    const draft = this.nudges.draft(view);
    if (draft === '') {
      this.panels.show(view.session);
      return;
    }
    const result = await this.nudges.send(view, draft, incident);
    if (!('sent' in result)) {
      void vscode.window.showWarningMessage(result.message);
      return;
    }
    const { id } = result.sent.message;
    const connected = this.panels.isConnected(view);
    const connect = connected || !this.services.bridges.has(view.agent) ? [] : ['Connect Agent'];
    const text = connected
      ? `${NUDGE_QUEUED.text}.`
      : `${NUDGE_QUEUED.text}. Nothing delivers it yet: the agent is not connected.`;
    const answer = await vscode.window.showInformationMessage(text, ...connect, ...NUDGE_QUEUED.buttons);
    if (answer === 'Connect Agent') await this.connections.connect(view.agent);
    if (answer !== 'Undo' && answer !== 'Edit') return;
    const trouble = await this.nudges.withdraw(view, id);
    if (trouble) void vscode.window.showWarningMessage(trouble);
    else if (answer === 'Edit') this.panels.show(view.session, { editDraft: true });
  }

  /** Incidents that were about the same call. */
  showSimilar(incident: Incident): void {
    this.narrowIncidents({ text: incident.subject });
    void vscode.commands.executeCommand('unstuck.incidents.focus');
  }

  /** The lines that were skipped, and why, as a read-only document. */
  async showSkipped(view: AgentView): Promise<void> {
    const lines = view.coverage.problems.map((problem) => `line ${problem.line}: ${problem.why}`);
    const content = [`${view.coverage.skipped} lines of ${view.file} were skipped:`, '', ...lines].join('\n');
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ content, language: 'plaintext' }));
  }

  /** The past was read: its incidents are in the list. */
  earlierRead(): void {
    this.agents.refresh();
    this.incidents.refresh();
  }

  get isPaused(): boolean {
    return this.paused;
  }

  muteAgent(session: string, until: number): void {
    this.mutedUntil.set(session, until);
    this.redraw();
  }

  async turnOffRule(agent: AgentId, detector: DetectorId): Promise<void> {
    const configuration = vscode.workspace.getConfiguration('unstuck');
    const detectors = structuredClone(configuration.get<Record<string, unknown>>('detectors') ?? {});
    const agents = (detectors['agents'] ?? {}) as Record<string, Record<string, unknown>>;
    agents[agent] = {
      ...agents[agent],
      [detector]: { ...(agents[agent]?.[detector] as object | undefined), on: false },
    };
    await configuration.update('detectors', { ...detectors, agents }, vscode.ConfigurationTarget.Global);
  }

  showFinished(shown: boolean): void {
    this.finishedShown = shown;
    setContext('unstuck.showsFinished', shown);
    this.redraw();
  }

  showOtherFolders(shown: boolean): void {
    this.othersShown = shown;
    setContext('unstuck.showsOtherFolders', shown);
    if (shown) {
      const { engine, now, settings } = this.services;
      for (const other of engine.otherSessions())
        if (now() - other.modifiedAt < settings().maxAgeMs) engine.show(other.file, other.session);
    }
    this.redraw();
  }

  narrowIncidents(narrowing: IncidentNarrowing): void {
    setContext(
      'unstuck.incidentFilter',
      narrowing.text !== '' || narrowing.state !== undefined || narrowing.agent !== undefined,
    );
    this.incidents.narrow(narrowing);
  }

  pause(paused: boolean): void {
    this.paused = paused;
    setContext('unstuck.paused', paused);
    this.parts.setPaused(paused);
    this.showMessages();
    this.showStatus();
  }

  private withView<T>(session: string, run: (view: AgentView) => T): T | undefined {
    const view = this.services.engine.agent(session);
    return view && run(view);
  }

  /** The message that is watched: how many of the steps since it was taken gave new results. */
  watchOf(view: AgentView) {
    const number = view.deliveries.findLastIndex(
      (one) => one.times.taken !== undefined || one.times.seen !== undefined,
    );
    const delivery = view.deliveries[number];
    const takenAt = delivery?.times.taken ?? delivery?.times.seen;
    const timeline = this.services.engine.timeline(view.session);
    if (takenAt === undefined || !timeline) return null;
    let seen = 0;
    let fresh = 0;
    for (let i = timeline.length - 1; i >= 0 && timeline.at(i) > takenAt; i--) {
      seen++;
      if ((timeline.flag(i) & SEEN_FLAG) === 0) fresh++;
    }
    return { nudge: number + 1, takenAt, seen, fresh };
  }

  private isMuted(session: string): boolean {
    return (this.mutedUntil.get(session) ?? 0) > this.services.now();
  }

  /** It finished while this window watched: it stays in the list, so that a person sees how it went. */
  private endedWhileHere(view: AgentView): boolean {
    return !view.history && view.coverage.seen > 0;
  }

  private sessionsChanged(sessions: readonly string[]): void {
    this.roster.update(sessions);
    for (const session of sessions) {
      const view = this.roster.get(session);
      if (view) this.noteSession(view);
    }
    this.agents.refresh(sessions);
    this.panels.update(sessions);
    this.showContext();
    this.showMessages();
    this.seen.look();
    this.showStatus();
  }

  /** The history counts stuck sessions against all that were watched. */
  private noteSession(view: AgentView): void {
    this.services.store.sawSession({
      agent: view.agent,
      session: view.session,
      firstAt: view.health.startedAt,
      lastAt: view.health.lastEventAt,
      ...(view.model !== undefined && { model: view.model }),
      ...(view.role !== undefined && { role: view.role }),
      ...(view.cwd !== undefined && { folder: view.cwd }),
    });
  }

  private incidentChanged(incident: Incident, before: Incident | null): void {
    const { store, log, now } = this.services;
    store.save(incident).catch((error: unknown) => log.warn(`an incident could not be kept: ${String(error)}`));
    if (before !== null && before.state === incident.state && before.level === incident.level) return;
    store
      .appendEvent({
        t: now(),
        type: 'Observation',
        session: incident.session,
        agent: incident.agent,
        incident: incident.id,
        data: { detector: incident.detector, level: incident.level, state: incident.state, count: incident.count },
      })
      .catch((error: unknown) => log.warn(`the event log could not be written: ${String(error)}`));
    this.incidents.refresh();
  }

  private async loadIncidents({ text, agent, state }: IncidentNarrowing): Promise<readonly Incident[]> {
    const { store } = this.services;
    return store.incidents({
      limit: LISTED,
      ...(text !== '' && { text }),
      ...(agent !== undefined && { agents: [agent] }),
      ...(state === 'active' && { active: true }),
      ...(state === 'recovered' && { states: ['recovered'] as const }),
      ...(state === 'other' && { states: ['muted', 'ended', 'unknown', 'escalated'] as const }),
    });
  }

  /** What is before the person's eyes: the panel's agent, or all rows of the visible tree. */
  private inView(): readonly AgentView[] {
    return this.agents.tree.visible ? this.views() : this.views().filter((view) => this.panels.isVisible(view.session));
  }

  /** A warning once a day: that files are looked at every 2 s is no harm, but a person should know. */
  private async tellCannotWatch(code: string): Promise<void> {
    const { globalState } = this.services.context;
    const today = new Date(this.services.now()).toDateString();
    if (globalState.get('unstuck.toldCannotWatch') === today) return;
    await globalState.update('unstuck.toldCannotWatch', today);
    const reason = code === 'ENOSPC' || code === 'EMFILE' ? 'the system’s limit of watched files is used up' : code;
    const notice = cannotWatch(reason);
    if ((await vscode.window.showWarningMessage(notice.text, ...notice.buttons)) === 'Show Log') this.showLog();
  }

  private notes(): { id: string; text: string; command?: string }[] {
    return [...this.otherNotes(), ...this.unreadNotes(), ...this.earlierNotes()];
  }

  /** Files of agents that cannot be read, with what helps. */
  private unreadNotes() {
    return this.services.engine.unreadFiles().map(({ adapter, file, why }) => ({
      id: `unread ${file}`,
      text: `${adapter.name}: ${basename(file)} is ${why}`,
    }));
  }

  /** How many sessions of the past were read for the history, until the window is closed. */
  private earlierNotes() {
    const { read, withIncidents } = this.parts.earlier();
    if (read === 0) return [];
    return [{ id: 'earlier', text: `${earlierRead(read, withIncidents)} Show`, command: 'unstuck.incidents.focus' }];
  }

  private otherNotes() {
    const { engine, now, settings } = this.services;
    if (this.othersShown) return [];
    const others = engine.otherSessions().filter((one) => now() - one.modifiedAt < settings().maxAgeMs).length;
    if (others === 0) return [];
    return [{ id: 'others', text: `${otherFolders(others)} Show Them`, command: 'unstuck.showOtherFolders' }];
  }

  private tick(): void {
    if (this.roster.size === 0) return;
    const full = ++this.ticks % AGES_EVERY === 0;
    if (full) {
      // What changes by time alone.
      if (this.ticks % ROSTER_EVERY === 0) this.roster.update();
      this.showContext();
      if (this.agents.tree.visible) void this.agents.refreshAges(() => new Promise((resume) => setImmediate(resume)));
    }
    const first = this.roster.list[0];
    if (full || (first && groupOf(first) === 'needs_you')) this.showStatus();
  }

  private redraw(): void {
    this.roster.update();
    this.agents.refresh();
    this.incidents.refresh();
    this.panels.update();
    this.showContext();
    this.showMessages();
    this.showStatus();
  }

  private showContext(): void {
    const views = this.views();
    setContext('unstuck.hasAgents', views.length > 0);
    setContext('unstuck.finishedToday', this.roster.finished);
    setContext(
      'unstuck.stuck',
      views.some((view) => view.state.kind === 'stuck' || view.state.kind === 'escalated'),
    );
    setContext(
      'unstuck.virtual',
      (vscode.workspace.workspaceFolders ?? []).every((folder) => folder.uri.scheme !== 'file'),
    );
    const open = views
      .flatMap((view) => view.incidents)
      .filter((incident) => incident.level === 'stuck' && incident.state !== 'muted');
    const unseen = open.filter((incident) => !this.seen?.hasIncident(incident.id)).length;
    if (unseen !== this.badge) {
      this.badge = unseen;
      this.agents.tree.badge = unseen === 0 ? undefined : { value: unseen, tooltip: badgeTooltip(unseen) };
    }
    setContext('unstuck.hasIncidents', this.services.store.current().length > 0);
  }

  private showMessages(): void {
    const has = this.roster.size > 0;
    const message = agentsMessage({
      restricted: !vscode.workspace.isTrusted && has,
      paused: this.paused,
      watcherFailed: this.watchTrouble !== null,
    });
    sayAbove(this.agents.tree, message);
  }

  private showStatus(): void {
    this.status.show({
      views: this.mutedUntil.size === 0 ? this.views() : this.views().filter((view) => !this.isMuted(view.session)),
      isSeen: (view) => this.seen.has(view),
      paused: this.paused,
      trusted: vscode.workspace.isTrusted,
      now: this.services.now(),
    });
  }
}
