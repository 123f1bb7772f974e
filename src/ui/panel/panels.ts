import * as vscode from 'vscode';
import type { AgentView, Incident, MessageKind, Source } from '../../model';
import { reachOf } from '../../recover/reach';
import { panelSnapshot } from '../../panel/build';
import { parseIntent } from '../../panel/check';
import { DESCRIBED_STEPS, type HostMessage, type PanelIntent } from '../../panel/messages';
import { signsInLine } from '../../util/showable';
import { treeTitle } from '../../words';
import type { App } from '../app';
import type { Services } from '../services';
import { ConnectionCache } from './connection-cache';
import { panelHtml } from './html';
import { pastView } from './past-view';
import { markersOf, newestSubjects, stepsOf, subjectsOf } from './snapshot';

const VIEW_TYPE = 'unstuck.panel';
/** Snapshots that may go to a visible panel a second (design/UI.md 5.3). */
const INTERVAL_MS = 250;

interface Shown {
  readonly session: string;
  /** The incident that was chosen; the gravest active one where none was. */
  readonly incident?: string;
  /** An incident of the history, whose session is not followed. */
  readonly past?: Incident;
}

/** The panel: one editor tab that shows one agent at a time. */
export class Panels implements vscode.Disposable {
  private panel: vscode.WebviewPanel | undefined;
  private shown: Shown | undefined;
  private ready = false;
  private lastSentAt = 0;
  private timer: NodeJS.Timeout | undefined;
  private focus: { text?: string } | null = null;
  private readonly connections: ConnectionCache;
  private readonly registration: vscode.Disposable;

  constructor(
    private readonly services: Services,
    private readonly app: App,
  ) {
    this.connections = new ConnectionCache(services.bridges, services.now, () => {
      this.update();
      app.agents.refresh();
    });
    this.registration = vscode.window.registerWebviewPanelSerializer(VIEW_TYPE, {
      deserializeWebviewPanel: async (panel, state: { snapshot?: { session?: unknown } } | undefined) => {
        const session = state?.snapshot?.session;
        this.adopt(panel, typeof session === 'string' ? { session } : undefined);
      },
    });
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.registration.dispose();
    this.panel?.dispose();
  }

  /** Shows an agent. `editDraft`: the message box gets the focus with the draft selected. */
  show(session: string, options: { editDraft?: boolean; incident?: string } = {}): void {
    this.focus = options.editDraft ? {} : null;
    this.open({ session, ...(options.incident !== undefined && { incident: options.incident }) });
  }

  /** Shows an incident of the history, also when its session is not followed any more. */
  showIncident(incident: Incident): void {
    const followed = this.services.engine.agent(incident.session) !== undefined;
    this.open({ session: incident.session, incident: incident.id, ...(!followed && { past: incident }) });
  }

  /** Session of the panel that has the focus or is visible. */
  current(): string | undefined {
    return this.panel?.visible ? this.shown?.session : undefined;
  }

  isVisible(session: string): boolean {
    return this.panel?.visible === true && this.shown?.session === session;
  }

  isConnected(view: AgentView): boolean {
    // A replayed agent takes its messages by itself.
    return this.app.replay.isReplayed(view) || this.connections.statusOf(view)?.state === 'connected';
  }

  connectionsChanged(): void {
    this.connections.forget();
  }

  /** Sessions changed: sends a snapshot when the shown one is among them, at most four a second. */
  update(sessions?: readonly string[]): void {
    if (!this.panel?.visible || !this.shown || (sessions && !sessions.includes(this.shown.session))) return;
    if (this.timer) return;
    const wait = Math.max(0, this.lastSentAt + INTERVAL_MS - this.services.now());
    this.timer = setTimeout(() => {
      this.timer = undefined;
      this.send();
    }, wait);
  }

  private open(shown: Shown): void {
    this.shown = shown;
    if (this.panel) {
      this.panel.reveal(undefined, false);
      this.send();
      return;
    }
    const panel = vscode.window.createWebviewPanel(VIEW_TYPE, 'Unstuck', vscode.ViewColumn.Active, {
      enableScripts: true,
      localResourceRoots: [vscode.Uri.joinPath(this.services.context.extensionUri, 'dist')],
    });
    this.adopt(panel, shown);
  }

  private adopt(panel: vscode.WebviewPanel, shown: Shown | undefined): void {
    this.panel = panel;
    this.shown = shown ?? this.shown;
    this.ready = false;
    panel.iconPath = vscode.Uri.joinPath(this.services.context.extensionUri, 'media/unstuck.svg');
    panel.webview.options = {
      enableScripts: true,
      localResourceRoots: [vscode.Uri.joinPath(this.services.context.extensionUri, 'dist')],
    };
    panel.webview.onDidReceiveMessage((message: unknown) => this.receive(message));
    panel.onDidChangeViewState(() => {
      if (!panel.visible) return;
      this.send();
      this.app.seen.look();
    });
    panel.onDidDispose(() => {
      this.panel = undefined;
      this.ready = false;
    });
    panel.webview.html = panelHtml(panel.webview, this.services.context.extensionUri);
  }

  private view(): AgentView | undefined {
    if (!this.shown) return undefined;
    return this.services.engine.agent(this.shown.session) ?? (this.shown.past && pastView(this.shown.past));
  }

  private send(): void {
    const view = this.view();
    if (!this.panel || !this.ready || !this.shown) return;
    if (!view) return;
    const { engine, store, settings, now } = this.services;
    this.lastSentAt = now();
    this.panel.title = treeTitle(signsInLine(view.title));
    const session = engine.session(this.shown.session);
    const steps = stepsOf(session?.timeline);
    const connected = this.isConnected(view);
    const trusted = vscode.workspace.isTrusted;
    const abilities = this.services.bridges.get(view.agent)?.abilities;
    const incident = this.incidentOf(view);
    const recovery = this.app.recovery.shown(incident);
    const helpedBefore = recovery && this.app.recovery.helpedBefore(incident);
    this.post({
      type: 'snapshot',
      snapshot: panelSnapshot({
        view,
        steps,
        subjects: newestSubjects(session?.timeline),
        markers: markersOf(session?.timeline, steps.from),
        past: this.shown.past ? [this.shown.past] : (session?.book.all() ?? []),
        ...(this.shown.incident !== undefined && { chosen: this.shown.incident }),
        flags: {
          restricted: !trusted,
          paused: this.app.isPaused,
          gone: view.deleted,
          storeLocked: store.status().mode !== 'ready',
        },
        draft: this.app.nudges.draft(view),
        reach: reachOf({
          agent: this.app.nudges.situation(view),
          route: {
            connected,
            connectedAt: this.connections.statusOf(view)?.connectedAt ?? null,
            wakesIdle: abilities?.wakesIdle ?? true,
            joinsRunning: abilities?.joinsRunning ?? true,
          },
          ...(view.doing && { doing: view.doing }),
          ...(view.mode && { mode: view.mode }),
          startedAt: view.health.startedAt > 0 ? view.health.startedAt : null,
          expiresAt: now() + settings().nudgeExpiryMs,
          now: now(),
        }),
        connected,
        ...(recovery && { recovery }),
        ...(helpedBefore && { helpedBefore }),
        now: now(),
      }),
    });
    if (this.focus) {
      this.post({ type: 'focusMessage', ...this.focus });
      this.focus = null;
    }
  }

  /** What a bridge hands to this agent now: nothing where it is not connected. */
  kindsTaken(view: AgentView): readonly MessageKind[] {
    if (this.app.replay.isReplayed(view)) return ['nudge'];
    const isConnected = this.connections.statusOf(view)?.state === 'connected';
    return isConnected ? (this.services.bridges.get(view.agent)?.abilities.kinds ?? []) : [];
  }

  private post(message: HostMessage): void {
    void this.panel?.webview.postMessage(message);
  }

  private receive(message: unknown): void {
    const parsed = parseIntent(message);
    if (!parsed.ok) {
      this.services.log.warn(`the panel sent what is not understood: ${parsed.problem}`);
      return;
    }
    this.act(parsed.value).catch((error: unknown) => {
      this.services.log.error(`${parsed.value.type}: ${String(error)}`);
      void vscode.window.showErrorMessage(
        `Unstuck could not do that: ${error instanceof Error ? error.message : String(error)}`,
      );
    });
  }

  private async act(intent: PanelIntent): Promise<void> {
    if (intent.type === 'ready') {
      this.ready = true;
      this.send();
      this.app.seen.look();
      return;
    }
    const view = this.view();
    if (!view || !this.shown) return;
    const run = (command: string, ...rest: unknown[]) => vscode.commands.executeCommand(command, ...rest);
    switch (intent.type) {
      case 'openLine':
        return this.openPlace(view, intent);
      case 'openStep': {
        const timeline = this.services.engine.timeline(view.session);
        if (!timeline || intent.step >= timeline.length) return undefined;
        return this.openPlace(view, {
          file: view.file,
          line: timeline.line(intent.step),
          offset: timeline.offset(intent.step),
        });
      }
      case 'openAll': {
        const incident = this.shown.past ?? view.incidents[0];
        const rows = incident?.evidence.filter((row) => row.role !== 'between').map((row) => row.source) ?? [];
        return this.app.transcripts.showAll(rows, view.session);
      }
      case 'openTranscript':
        await run('unstuck.openTranscript', view.session);
        return undefined;
      case 'sendNudge':
        return this.sendNudge(view, intent.text, intent.incident);
      case 'withdraw':
        return this.withdraw(view, intent.id);
      case 'sendAgain': {
        const delivery = view.deliveries.find((one) => one.message.id === intent.id);
        const result = delivery && (await this.app.nudges.sendAgain(view, delivery));
        if (result && !('sent' in result)) void vscode.window.showWarningMessage(result.message);
        return undefined;
      }
      case 'connect':
        return this.app.connections.connect(view.agent);
      case 'manageTrust':
        await run('workbench.trust.manage');
        return undefined;
      case 'resume':
        return this.app.pause(false);
      case 'mute':
        await run('unstuck.mute', view.session);
        return undefined;
      case 'copySummary':
        await run('unstuck.copySummary', view.session);
        return undefined;
      case 'copySample': {
        const incident = this.shown.past ?? view.incidents[0];
        const sample = intent.which === 'first' ? incident?.firstSample : incident?.lastSample;
        if (sample) await vscode.env.clipboard.writeText(sample.text);
        return undefined;
      }
      case 'showSkipped':
        return this.app.showSkipped(view);
      case 'showIncident':
        this.open({ ...this.shown, incident: intent.id });
        return undefined;
      case 'describeSteps':
        return this.describe(view, intent.from, intent.to);
      case 'runGates':
        return this.app.gates.run(view);
      case 'cancelGates':
        return this.app.gates.cancel(view);
      case 'sendGates':
        return this.app.gates.send(view);
      case 'openFailure':
        return this.app.gates.openFailure(view, intent.gate, intent.failure);
      case 'recover':
        return this.app.recovery.act(view, this.incidentOf(view), intent.action);
      case 'hold':
        return this.app.recovery.hold(this.incidentOf(view), intent.on);
      case 'saveCheckpoint':
        return this.app.recovery.saveCheckpoint(view);
      case 'exportIncident': {
        const incident = this.incidentOf(view);
        if (incident) await run('unstuck.exportIncident', incident);
        return undefined;
      }
      case 'showSimilar':
        return this.app.recovery.showSimilar(this.incidentOf(view));
      case 'nextStuck':
        await run('unstuck.showNextStuck');
        return undefined;
    }
  }

  /** The incident that the panel shows: the one that was chosen, else the gravest. */
  private incidentOf(view: AgentView): Incident | undefined {
    const { past, incident } = this.shown ?? {};
    if (past) return past.id === incident ? past : view.incidents[0];
    const { engine } = this.services;
    return (incident !== undefined && engine.session(view.session)?.book.get(incident)) || view.incidents[0];
  }

  /** The panel may name only transcripts that are followed, or the one of the incident that it shows. */
  private async openPlace(view: AgentView, place: Source): Promise<void> {
    if (place.file !== view.file) {
      this.services.log.warn('the panel asked for a file that is not its transcript');
      return;
    }
    await this.app.transcripts.show(place, view.session);
  }

  private async sendNudge(view: AgentView, text: string, id: string | undefined): Promise<void> {
    const incident = view.incidents.find((one) => one.id === id);
    const result = await this.app.nudges.send(view, text, incident);
    if (!('sent' in result)) void vscode.window.showWarningMessage(result.message);
    this.send();
  }

  private async withdraw(view: AgentView, id: string): Promise<void> {
    const trouble = await this.app.nudges.withdraw(view, id);
    if (trouble) void vscode.window.showInformationMessage(trouble);
  }

  private describe(view: AgentView, from: number, to: number): void {
    const timeline = this.services.engine.timeline(view.session);
    if (timeline)
      this.post({ type: 'subjects', subjects: subjectsOf(timeline, from, Math.min(to, from + DESCRIBED_STEPS)) });
  }
}
