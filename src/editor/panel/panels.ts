import * as vscode from 'vscode';
import { restOf } from '../../base/beat';
import type { AgentView, Incident } from '../../core/model';
import { drawnBy, type PanelIntent, parseIntent } from '../panel-model/intents';
import type { HostMessage } from '../panel-model/messages';
import { storedPlace } from '../panel-model/stored';
import { TIMELINE_MODES, type TimelineMode } from '../panel-model/timeline';
import { Emitter } from '../../base/util/emitter';
import { signsInLine } from '../../base/util/showable';
import type { Services } from '../services';
import { showError } from '../voice';
import { PAGE_OPTIONS, pageHtml, tabIcon } from './html';
import { type Tab, carryOut } from './intents';
import { setPanelContext, snapshotNow } from './panel-input';
import type { PanelParts } from './parts';
import { type ShownSubject, type Subject, subjectOf } from './subject';

const VIEW_TYPE = 'unstuck.panel';
const MODE_KEY = 'unstuck.timelineMode';
/** Interval between snapshots, milliseconds. A visible panel gets at most four a second: more would be drawn, but not read. */
const INTERVAL_MS = 250;

function titleOf({ title }: AgentView): string {
  return signsInLine(title);
}

/** Where the panel opens if it is not open yet, and whether it takes the focus. */
interface Where {
  readonly column?: vscode.ViewColumn;
  readonly preserveFocus?: boolean;
}

/** The panel: one editor tab that shows one agent at a time. */
export class Panels implements vscode.Disposable {
  private panel: vscode.WebviewPanel | undefined;
  private shown: ShownSubject | undefined;
  private ready = false;
  /** True if its first snapshot was sent before the page listens, and nothing has changed since: see `adopt`. */
  private isAhead = false;
  private lastSentAt = 0;
  private timer: NodeJS.Timeout | undefined;
  private readonly registration: vscode.Disposable;
  private readonly cameIntoView = new Emitter<void>();
  private readonly tab: Tab = {
    post: (message) => this.post(message),
    send: () => this.send(),
    showIncident: (incident) => {
      if (this.shown) this.open({ ...this.shown, incident });
    },
    keepMode: async (mode) => this.services.context.globalState.update(MODE_KEY, mode),
  };
  /** Fires when the panel comes into view. */
  readonly onDidShow = this.cameIntoView.event;

  constructor(
    private readonly services: Services,
    private readonly parts: PanelParts,
  ) {
    this.registration = vscode.window.registerWebviewPanelSerializer(VIEW_TYPE, {
      deserializeWebviewPanel: async (panel, state: unknown) => {
        const place = storedPlace(state);
        // Another version stored it, in a form that this one cannot read.
        if (!place) return panel.dispose();
        this.adopt(panel, { session: place.session });
        if (place.incident !== undefined) await this.restorePast(place.session, place.incident);
      },
    });
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.registration.dispose();
    this.cameIntoView.dispose();
    this.panel?.dispose();
  }

  /** Shows an agent. */
  show(session: string, where?: Where): void {
    this.open({ session }, where);
  }

  /** Shows an incident of the history, even if its session is no longer followed. */
  showIncident(incident: Incident): void {
    this.open({ session: incident.session, incident: incident.id, past: incident });
  }

  /** Returns the session of the panel that has the focus or is visible. */
  current(): string | undefined {
    return this.panel?.visible ? this.shown?.session : undefined;
  }

  isVisible(session: string): boolean {
    return this.panel?.visible === true && this.shown?.session === session;
  }

  /** Sends a snapshot if the shown session is among those that changed. Without `sessions`, all changed. */
  update(sessions?: readonly string[]): void {
    if (!this.panel?.visible || !this.shown || (sessions && !sessions.includes(this.shown.session))) return;
    this.services.agents.requestReports(this.shown.session);
    if (this.timer) return;
    const wait = restOf(INTERVAL_MS, this.lastSentAt, this.services.now());
    this.timer = setTimeout(() => {
      this.timer = undefined;
      this.send();
    }, wait);
  }

  private open(shown: ShownSubject, { column = vscode.ViewColumn.Active, preserveFocus = false }: Where = {}): void {
    this.shown = shown;
    if (this.panel) {
      this.services.agents.requestReports(shown.session);
      this.panel.reveal(undefined, preserveFocus);
      this.send();
      return;
    }
    const view = this.subject()?.view;
    const panel = vscode.window.createWebviewPanel(
      VIEW_TYPE,
      view ? titleOf(view) : 'Unstuck',
      { viewColumn: column, preserveFocus },
      PAGE_OPTIONS,
    );
    this.adopt(panel, shown);
  }

  /** Restores a panel of the history after a reload: it has no followed session to wait for. */
  private async restorePast(session: string, id: string): Promise<void> {
    // An open incident belongs to a session that reading will find again.
    const { shown } = this;
    const [past] = await this.services.store.incidents({ ids: [id], active: false });
    // Something else may have been opened in the meantime.
    if (!past || this.shown !== shown) return;
    this.shown = { session, incident: id, past };
    this.send();
  }

  private adopt(panel: vscode.WebviewPanel, shown: ShownSubject): void {
    // VS Code restores a tab only when it is looked at, and another may have been opened before.
    this.panel?.dispose();
    this.panel = panel;
    this.shown = shown;
    this.ready = false;
    this.services.agents.requestReports(shown.session);
    panel.iconPath = tabIcon(this.services.context.extensionUri);
    panel.webview.options = PAGE_OPTIONS;
    panel.webview.onDidReceiveMessage((message: unknown) => this.receive(message));
    panel.onDidChangeViewState(() => {
      if (!panel.visible) return;
      // Its agent may have been found while it was hidden.
      if (this.panel === panel && this.shown) this.services.agents.requestReports(this.shown.session);
      this.send();
      this.cameIntoView.fire();
    });
    panel.onDidDispose(() => {
      if (this.panel !== panel) return;
      this.panel = undefined;
      this.ready = false;
      this.isAhead = false;
    });
    panel.webview.html = pageHtml(this.services.context.extensionUri, 'panel');
    // VS Code keeps messages until the page has loaded, so the first picture need not wait for the page's request. Only the focus has to wait. Runs
    // after the turn that opens the page, since the extension host passes on what a turn sends when that turn ends.
    setTimeout(() => {
      if (this.panel === panel && !this.ready) this.isAhead = this.sendNow();
    });
  }

  private subject(): Subject | null {
    return this.shown ? subjectOf(this.shown, this.services.agents) : null;
  }

  private send(): void {
    if (this.ready) this.sendNow();
    else this.isAhead = false;
  }

  /** @returns whether there was something to send */
  private sendNow(): boolean {
    const subject = this.subject();
    if (!this.panel || !this.shown || !subject) return false;
    this.lastSentAt = this.services.now();
    this.panel.title = titleOf(subject.view);
    setPanelContext(subject, this.parts);
    if (!this.ready) this.post({ type: 'timelineMode', mode: this.timelineMode() });
    this.post({ type: 'snapshot', snapshot: snapshotNow(this.shown, subject, this.services, this.parts) });
    return true;
  }

  private timelineMode(): TimelineMode {
    const kept = this.services.context.globalState.get<unknown>(MODE_KEY);
    return TIMELINE_MODES.find((mode) => mode === kept) ?? 'steps';
  }

  private post(message: HostMessage): void {
    void this.panel?.webview.postMessage(message);
  }

  private receive(message: unknown): void {
    const intent = parseIntent(message);
    if (!intent) {
      this.services.log.warn('the panel sent a message that is not understood');
      return;
    }
    // It was meant for the agent and the incident that the page showed until now.
    const { session, shown } = drawnBy(message, intent);
    if (session !== undefined && session !== this.shown?.session) return;
    if (shown !== undefined && shown !== (this.subject()?.incident?.id ?? '')) return;
    this.act(intent).catch((error: unknown) => {
      this.services.log.error(`${intent.type}: ${String(error)}`);
      void showError(`Unstuck could not do that: ${error instanceof Error ? error.message : String(error)}`);
    });
  }

  private async act(intent: PanelIntent): Promise<void> {
    if (intent.type === 'ready') {
      this.ready = true;
      this.post({ type: 'timelineMode', mode: this.timelineMode() });
      if (!this.isAhead) this.send();
      this.isAhead = false;
      this.cameIntoView.fire();
      return;
    }
    const subject = this.subject();
    if (subject) await carryOut({ ...subject, services: this.services, parts: this.parts, tab: this.tab }, intent);
  }
}
